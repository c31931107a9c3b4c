import { createContext } from 'preact';

/** Why the controls of a part of the page are disabled: the title of those that have one of their own. */
export const Refusal = createContext<string | undefined>(undefined);

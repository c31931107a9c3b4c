import { Store } from '../ui/store';

/** Whether the gateway left several polls in a row without an answer: then nothing that is known of emulators holds any more. */
export const isAway = new Store(false);

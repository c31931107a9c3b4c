import type { ComponentChildren } from 'preact';
import { Refusal } from '../ui/refusal';
import { useStore } from '../ui/hooks';
import { Store } from '../ui/store';
import { isAway } from './away';
import { call, type Method, type PathOf } from './http';

/** The role of this page's token, and why it may not request an operation, by method and path; null before the gateway has said so. */
const access = new Store<{ role: string; refusals: ReadonlyMap<string, string> } | null>(null);

const GatewayIsAway = 'The gateway does not answer.';

const nameOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/** Asks the gateway what the token allows. */
export async function readAccess(): Promise<void> {
  const { role, operations } = await call('get', '/v2/operations', {});
  access.value = {
    role,
    refusals: new Map(operations.filter(({ allowed }) => !allowed).map((one) => [nameOf(one.method, one.path), `This needs a token with the role ${one.role}; yours has the role ${role}.`])),
  };
}

/** The role of this page's token; null while it is not known. */
export const useRole = (): string | null => useStore(access)?.role ?? null;

/** Why an operation cannot be requested now: the gateway does not answer, or the role does not allow it. Undefined when it can. */
export function refusalOf<M extends Method>(method: M, path: PathOf<M>): string | undefined {
  return isAway.value ? GatewayIsAway : access.value?.refusals.get(nameOf(method, path));
}

/** The same for a component, which is drawn again when it changes. */
export function useRefusal<M extends Method>(method: M, path: PathOf<M>): string | undefined {
  useStore(access);
  useStore(isAway);
  return refusalOf(method, path);
}

/** Controls of an operation: disabled, with the reason as their title, while it cannot be requested. */
export function Allowed<M extends Method>({ method, path, children }: { method: M; path: PathOf<M>; children: ComponentChildren }) {
  const refusal = useRefusal(method, path);
  return <fieldset class="allowed" disabled={refusal !== undefined} title={refusal}><Refusal.Provider value={refusal}>{children}</Refusal.Provider></fieldset>;
}

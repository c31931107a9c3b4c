import { operations } from '../../api/gateway';
import type { NumberType } from '../../api/memory';
import { useStore } from '../../ui/store';

/** Keeps a value as it is, where the gateway can do so. */
export function Freeze({ location, type, value }: { location: string; type: NumberType; value: number | null }) {
  const known = useStore(operations);
  if (!known?.has('freezes.set') || value === null) {
    return null;
  }
  return <button type="button" class="small" data-location={location} data-type={type} disabled>Freeze</button>;
}

import { useState } from 'preact/hooks';
import { debugged } from '../../api/debugger';
import type { components } from '../../api/schema';
import type { Socket } from '../../api/socket';
import { hex, sentence } from '../../ui/format';
import { usePolling, useStore } from '../../ui/hooks';

type Part = components['schemas']['HardwarePartAnswer'];

const Parts = ['interrupts', 'display', 'dma', 'timers', 'sound', 'keys', 'serial', 'memory'];

/** The registers of a device with what their bits mean. */
export function Devices({ link }: { link: Socket | null }) {
  const halt = useStore(debugged)?.now.halt;
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(Parts[0]!);
  const [part, setPart] = useState<Part | null>(null);
  const [error, setError] = useState<string | null>(null);
  usePolling(isOpen ? 1000 : null, async () => {
    if (link === null || !isOpen) {
      return;
    }
    try {
      setPart((await link.request<components['schemas']['HardwareAnswer']>('debug.hardware', { part: name })).parts[0] ?? null);
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [link, isOpen, name, halt]);
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><h2>Devices</h2></summary>
      <label class="field short"><span>Device</span><select value={name} onChange={(event) => setName(event.currentTarget.value)}>{Parts.map((one) => <option key={one}>{one}</option>)}</select></label>
      {error && <p class="error" role="alert">{error}</p>}
      {part && (
        <dl class="debug-devices">
          {part.registers.map(({ name: register, address, value, fields }) => (
            <div key={register}>
              <dt><b>{register}</b> <span class="quiet">{address}</span> {hex(value, 4)}</dt>
              <dd>{fields.map((field) => `${field.name} ${field.meaning ?? field.value}`).join(', ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}

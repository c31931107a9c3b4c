import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { debugged, refresh } from '../../api/debugger';
import { parseNumber } from '../../api/memory';
import type { Socket } from '../../api/socket';
import { hex } from '../../ui/format';
import { useAction, useStore } from '../../ui/hooks';

const Gba = [...Array.from({ length: 13 }, (_, index) => `r${index}`), 'sp', 'lr', 'pc', 'cpsr'];
const Gb = ['af', 'bc', 'de', 'hl', 'sp', 'pc'];
const Modes: Record<number, string> = { 16: 'user', 17: 'FIQ', 18: 'IRQ', 19: 'supervisor', 23: 'abort', 27: 'undefined', 31: 'system' }; // the lowest five bits of CPSR

/** The flags that are set, and how the processor runs. */
export function flagsOf(registers: Readonly<Record<string, number>>): string {
  if (registers.cpsr === undefined) {
    return flags('ZNHC', (registers.f ?? registers.af ?? 0) >>> 4 & 0xf);
  }
  const { cpsr } = registers;
  return [flags('NZCV', cpsr >>> 28), ...(cpsr & 0x80 ? ['IRQs off'] : []), cpsr & 0x20 ? 'Thumb' : 'ARM', Modes[cpsr & 0x1f] ?? ''].filter(Boolean).join(', ');
}

const flags = (names: string, bits: number): string => [...names].filter((_, index) => bits & (8 >> index)).join(' ') || 'no flags';

/** The registers, those marked that have changed since the halt before; each can be written. */
export function RegisterCard({ link }: { link: Socket | null }) {
  const state = useStore(debugged);
  const [edited, setEdited] = useState<{ name: string; text: string } | null>(null);
  const action = useAction();
  if (state === null) {
    return null;
  }
  const { now, before } = state;
  const isGba = now.registers.cpsr !== undefined;
  const digits = isGba ? 8 : 4;
  const shown = (name: string) => (name === 'pc' && now.pc ? Number(now.pc) : now.registers[name] ?? 0); // the processor's own is ahead
  const write = (event: Event) => {
    event.preventDefault();
    const { name, text } = edited!;
    void action.run(async () => {
      const value = /^[0-9a-f]+$/i.test(text.trim()) ? Number.parseInt(text, 16) : parseNumber(text);
      if (value === null || value > 0xffffffff) {
        throw new Error(`"${text}" is not a number: write one in hexadecimal, such as 1F or 0x1F.`);
      }
      await link!.request('registers.write', { name, value });
      await refresh(link!);
      setEdited(null);
    });
  };
  return (
    <section class="card" aria-labelledby="registers-title">
      <div class="card-head"><h2 id="registers-title">Registers</h2>{!now.halted && <span class="chip">the game runs</span>}</div>
      <dl class={`debug-registers ${isGba ? '' : 'short-ones'}`}>
        {(isGba ? Gba : Gb).map((name) => {
          const isChanged = now.halted && before !== null && before[name] !== now.registers[name];
          return (
            <div key={name} class={isChanged ? 'changed' : undefined}>
              <dt>{name}</dt>
              <dd>
                {edited?.name === name
                  ? (
                    <form onSubmit={write}>
                      <input aria-label={`New value of ${name}`} value={edited.text} ref={(input) => input?.focus()} autocomplete="off" onInput={(event) => setEdited({ name, text: event.currentTarget.value })}
                        onKeyDown={(event) => event.key === 'Escape' && setEdited(null)} />
                    </form>
                  )
                  : (
                    <Allowed method="put" path="/v2/registers/{name}">
                      <button type="button" class="link value-button" disabled={link === null || !now.halted} aria-label={`Change ${name}, now 0x${hex(shown(name), digits)}${isChanged ? ', changed' : ''}`}
                        onClick={() => { action.clear(); setEdited({ name, text: hex(shown(name), digits) }); }}>{hex(shown(name), digits)}</button>
                    </Allowed>
                  )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="quiet">{flagsOf(now.registers)}</p>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </section>
  );
}

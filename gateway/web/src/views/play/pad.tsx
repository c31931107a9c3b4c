import { useRef } from 'preact/hooks';
import { vibrateOnTouch } from '../../ui/vibration';
import { codeOf } from './codes';
import type { HeldKeys, Key } from './keys';

const Cross: (Key[] | null)[] = [['Up', 'Left'], ['Up'], ['Up', 'Right'], ['Left'], null, ['Right'], ['Down', 'Left'], ['Down'], ['Down', 'Right']];
const Arrows: Partial<Record<Key, string>> = { Up: '▲', Down: '▼', Left: '◀', Right: '▶' };

/** A pad to press with fingers or a mouse: several at once, and a finger may slide from one key to the next. */
export function Pad({ held, down, isDisabled, refusal }: { held: HeldKeys; down: readonly string[]; isDisabled: boolean; refusal: string | undefined }) {
  const pad = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Set<number>());
  const touched = useRef<readonly Key[]>([]);

  const follow = (event: PointerEvent) => {
    if (!pointers.current.has(event.pointerId)) {
      return;
    }
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-keys]');
    const keys = under && pad.current!.contains(under) ? (under.dataset.keys!.split(' ') as Key[]) : [];
    if (event.pointerType === 'touch' && keys.some((key) => !touched.current.includes(key))) {
      vibrateOnTouch();
    }
    touched.current = keys;
    held.hold(`pointer-${event.pointerId}`, keys);
  };
  const begin = (event: PointerEvent) => {
    if (isDisabled || event.button !== 0) {
      return;
    }
    pointers.current.add(event.pointerId);
    pad.current!.setPointerCapture(event.pointerId);
    follow(event);
  };
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    touched.current = [];
    held.hold(`pointer-${event.pointerId}`, []);
  };

  // activation by keyboard or by assistive technology
  const type = (event: KeyboardEvent, key: Key, isDown: boolean) => {
    if (['Space', 'Enter'].includes(codeOf(event))) {
      event.preventDefault();
      event.stopPropagation();
      held.hold(`keyboard-${key}`, isDown && !isDisabled ? [key] : []);
    }
  };
  const button = (key: Key, label: string = key) => (
    <button type="button" key={key} data-keys={key} class={`pad-key pad-${key.toLowerCase()}`} aria-label={key} aria-pressed={down.includes(key)} aria-disabled={isDisabled}
      onKeyDown={(event) => type(event, key, true)} onKeyUp={(event) => type(event, key, false)} onBlur={() => held.hold(`keyboard-${key}`, [])}>
      {label}
    </button>
  );

  return (
    <div class="pad-area" ref={pad} role="group" aria-label="Game pad" title={refusal} onPointerDown={begin} onPointerMove={follow} onPointerUp={end} onPointerCancel={end}
      onContextMenu={(event) => event.preventDefault()}>
      <div class="pad-shoulders">{button('L')}{button('R')}</div>
      <div class="pad-cross">
        {Cross.map((keys, index) => keys === null ? <span key={index} class="pad-centre" />
          : keys.length === 2 ? <span key={index} class="pad-corner" data-keys={keys.join(' ')} />
          : button(keys[0]!, Arrows[keys[0]!]!))}
      </div>
      <div class="pad-buttons">{button('B')}{button('A')}</div>
      <div class="pad-middle">{button('Select')}{button('Start')}</div>
    </div>
  );
}

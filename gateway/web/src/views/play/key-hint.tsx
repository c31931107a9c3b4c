import { useRefusal } from '../../api/allowed';
import { useStore } from '../../ui/hooks';
import { codeText, layout } from './codes';
import { keyboardIsOn, keyboardMap } from './devices';
import { showKeyboardHelp } from './keyboard-help';
import type { Key } from './keys';

const Shown: readonly Key[] = ['A', 'B', 'Start'];

/** How to play with a keyboard, beside the pad. */
export function KeyHint() {
  const keys = useStore(keyboardMap);
  const isOn = useStore(keyboardIsOn);
  const written = useStore(layout);
  if (useRefusal('put', '/v2/keys') !== undefined || !isOn) {
    return null;
  }
  const arrows = (['Up', 'Down', 'Left', 'Right'] as const).map((key) => codeText(keys[key], written));
  return (
    <p class="key-hint quiet">
      {arrows.map((name) => <kbd key={name}>{name}</kbd>)} to move{Shown.map((key) => <span key={key}>, {key} <kbd>{codeText(keys[key], written)}</kbd></span>)}. <button type="button" class="link" onClick={showKeyboardHelp}>All keys</button>
    </p>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { useRole } from '../../api/allowed';
import { sound } from '../../api/sound';
import { useStore } from '../../ui/hooks';
import { Icon, type IconName } from '../../ui/icons';
import { vibrateOnTouch } from '../../ui/vibration';
import { slot } from './actions';
import { codeOf } from './codes';
import { hotkeyRefusal, type Hotkey, type HotkeyActions } from './hotkeys';

/** The most used hotkeys as buttons, for a phone that is held upright: under the pad, where the thumb is. */
export function TouchTools({ actions, isDisabled }: { actions: HotkeyActions; isDisabled: boolean }) {
  useRole(); // decides what is refused
  const { isOn } = useStore(sound);
  const chosen = useStore(slot);
  const tool = (hotkey: Hotkey, icon: IconName, text: string, label: string) =>
    <TouchTool key={hotkey} action={actions[hotkey]} icon={icon} text={text} label={label} refusal={hotkeyRefusal(hotkey)} isDisabled={isDisabled} />;
  return (
    <div class="touch-tools" role="group" aria-label="Tools">
      {tool('rewind', 'back', 'Rewind', 'Rewind, while held')}
      {tool('save', 'download', `Save ${chosen}`, `Save to slot ${chosen}`)}
      {tool('load', 'upload', `Load ${chosen}`, `Load slot ${chosen}`)}
      {tool('mute', isOn ? 'loud' : 'silent', isOn ? 'Mute' : 'Sound', isOn ? 'Mute' : 'Sound')}
      {tool('fast', 'forward', 'Fast', 'Fast forward, while held')}
    </div>
  );
}

type TouchToolProperties = { action: HotkeyActions[Hotkey]; icon: IconName; text: string; label: string; refusal: string | undefined; isDisabled: boolean };

/** Acts when it is touched, and until it is released where that matters. */
function TouchTool({ action, icon, text, label, refusal, isDisabled }: TouchToolProperties) {
  const isDown = useRef(false);
  const press = () => {
    if (!isDown.current) {
      isDown.current = true;
      action.press();
    }
  };
  const release = () => {
    if (isDown.current) {
      isDown.current = false;
      action.release?.();
    }
  };
  useEffect(() => release, []);
  const touch = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId); // it is released wherever the finger leaves
      vibrateOnTouch();
      press();
    }
  };
  const type = (event: KeyboardEvent, act: () => void) => {
    if (['Space', 'Enter'].includes(codeOf(event))) {
      event.preventDefault();
      event.stopPropagation();
      act();
    }
  };
  return (
    <button type="button" aria-label={label} title={refusal} disabled={isDisabled || refusal !== undefined} onPointerDown={touch} onLostPointerCapture={release}
      onKeyDown={(event) => type(event, press)} onKeyUp={(event) => type(event, release)} onBlur={release} onContextMenu={(event) => event.preventDefault()}>
      <Icon name={icon} /><span>{text}</span>
    </button>
  );
}

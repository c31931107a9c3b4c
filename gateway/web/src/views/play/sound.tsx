import { useEffect } from 'preact/hooks';
import { sound, soundIsWanted, startSound, stopSound, volume } from '../../api/sound';
import type { Socket } from '../../api/socket';
import { Icon } from '../../ui/icons';
import { useStore } from '../../ui/hooks';

/** Sound on and off, and how loud it is. */
export function Sound({ link, isOff }: { link: Socket | null; isOff: boolean }) {
  const { isOn, error } = useStore(sound);
  const isWanted = useStore(soundIsWanted);
  const level = useStore(volume);
  useSound(link, isWanted);
  useEffect(() => () => { sound.value = { isOn: false, error: null }; }, [link]);
  const label = isOn ? 'Mute' : 'Sound';
  return (
    <>
      <button type="button" class="icon-button sound-button" aria-label={label} title={label} disabled={isOff} onClick={() => { soundIsWanted.value = !isWanted; }}>
        <Icon name={isOn ? 'loud' : 'silent'} />
      </button>
      {isOn && <input type="range" class="volume" aria-label="Volume" min={0} max={1} step={0.05} value={level} onInput={(event) => { volume.value = Number(event.currentTarget.value); }} />}
      {error && <p class="error" role="alert">{error}</p>}
    </>
  );
}

/** Plays the sound of an emulator while the component is shown. */
export function useSound(link: Socket | null, isWanted: boolean): void {
  useEffect(() => {
    if (link === null || !isWanted) {
      return undefined;
    }
    void startSound(link);
    return stopSound;
  }, [link, isWanted]);
}

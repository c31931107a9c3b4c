import { useEffect, useState } from 'preact/hooks';
import { refusalOf } from '../api/allowed';
import { current, meta } from '../api/gateway';
import { playFile } from '../api/roms';
import { sentence } from '../ui/format';
import { tell } from '../ui/toast';
import { offeredSave, SaveExtensions } from '../views/states/save-offer';

/** Plays the ROM that is dropped anywhere on the page, or offers the game the save data. */
export function FileDrop() {
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const take = async (file: File) => {
      if (SaveExtensions.some((extension) => file.name.toLowerCase().endsWith(extension))) {
        const refusal = refusalOf('put', '/v2/save') ?? (current.value === null ? 'No game runs that could use save data.' : undefined);
        if (refusal === undefined) {
          offeredSave.value = file;
        } else {
          tell(refusal, true);
        }
        return;
      }
      const refusal = meta('headless') === 'no' ? 'No emulator without a window is on the gateway\'s machine: open the game in mGBA, and load the script there.' : refusalOf('post', '/v2/roms');
      if (refusal !== undefined) {
        tell(refusal, true);
        return;
      }
      setBusy(true);
      try {
        await playFile(file);
      } catch (error) {
        tell(sentence(error), true);
      } finally {
        setBusy(false);
      }
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (hasFiles(event)) {
        event.preventDefault();
        setOver(true);
      }
    };
    const leave = (event: DragEvent) => setOver(event.relatedTarget !== null);
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) {
        event.preventDefault();
        void take(file);
      }
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver || isBusy ? <p class="rom-over" role="status">{isBusy ? 'Starting the game…' : 'Drop a GBA, GB or GBC ROM, or a zip archive with one, to play it; or save data (.sav) of this game'}</p> : null;
}

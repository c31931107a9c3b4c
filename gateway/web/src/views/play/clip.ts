import { refusalOf } from '../../api/allowed';
import { current, gameName } from '../../api/gateway';
import { send } from '../../api/http';
import { RequestError } from '../../api/problem';
import { Part } from '../../ui/part';
import { save } from '../../ui/save';
import { Store } from '../../ui/store';
import { tell } from '../../ui/toast';
import { controllable } from './actions';
import type { Moments } from './moments';

/** Seconds of the game. */
export const ClipSeconds = 30;
export const GifSeconds = 5;

const Unrendered = [404, 422, 429, 501]; // nothing is kept, or not yet, another video is being made, there is no ffmpeg

const encoders = new Part(() => import('./encoders'));

/** Whether one is being made. */
export const isMaking = new Store(false);

const hasEncoder = typeof VideoEncoder !== 'undefined';
const isRendered = () => controllable(current.value) !== null && refusalOf('post', '/v2/rewind/video') === undefined;

/** Why no clip can be made here; undefined when one can. */
export const clipRefusal = (): string | undefined => (hasEncoder || isRendered() ? undefined : 'Browsers make clips with HTTPS, or on the machine of the gateway. Record a video works here, too.');

/** Saves the last seconds as a video: rendered by the gateway, or of the pictures that the page has received, with the sound if it was on. */
export const saveClip = (moments: Moments): Promise<void> => make(async () => {
  if (isRendered()) {
    try {
      const rendered = await send('post', '/v2/rewind/video', { emulator: current.value?.id, query: { seconds: ClipSeconds } });
      const isAsSeen = rendered.headers.get('Mgba-Deviations') === '0'; // not where values were written
      if (isAsSeen || !hasEncoder) {
        return [await rendered.blob(), 'mp4'];
      }
      await rendered.body?.cancel();
    } catch (error) {
      if (!hasEncoder || !(error instanceof RequestError) || !Unrendered.includes(error.status)) {
        throw error;
      }
    }
  }
  return [await (await encoders.load()).webm(moments, ClipSeconds), 'webm'];
});

/** Saves the last seconds as a GIF. */
export const saveGif = (moments: Moments): Promise<void> => make(async () => [await (await encoders.load()).gif(moments, GifSeconds), 'gif']);

async function make(work: () => Promise<[Blob, string]>): Promise<void> {
  if (isMaking.value) {
    return;
  }
  isMaking.value = true;
  tell('It is being made…');
  try {
    const [blob, extension] = await work();
    save(blob, `${(current.value && gameName(current.value)) || 'game'}-clip.${extension}`);
    tell('It is saved.');
  } finally {
    isMaking.value = false;
  }
}

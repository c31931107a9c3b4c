import { current, gameName } from '../../api/gateway';
import { soundStream } from '../../api/sound';
import { save } from '../../ui/save';
import { Store } from '../../ui/store';
import { tell } from '../../ui/toast';
import { withDuration } from './webm-duration';

const Scale = 3;
const FrameRate = 60;
const BitRate = 4_000_000;
const PartMs = 1000;
const MaxBytes = 1_000_000_000;
const Types: [string, string][] = [['video/webm;codecs=vp9,opus', 'webm'], ['video/webm;codecs=vp8,opus', 'webm'], ['video/mp4', 'mp4']];

/** The video that is being made, or null. */
export const videoFile = new Store<VideoFile | null>(null);

/** A video of the pictures that are shown, with the sound if it is on, which is saved as a file when it ends. */
export class VideoFile {
  readonly #canvas = document.createElement('canvas');
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];
  #bytes = 0;
  #began = 0;

  private constructor(sound: MediaStream | null, [type, extension]: [string, string]) {
    const tracks = [...this.#canvas.captureStream(FrameRate).getTracks(), ...(sound?.getTracks() ?? [])];
    this.#recorder = new MediaRecorder(new MediaStream(tracks), { mimeType: type, videoBitsPerSecond: BitRate });
    this.#recorder.ondataavailable = ({ data }) => {
      this.#parts.push(data);
      this.#bytes += data.size;
      if (this.#bytes > MaxBytes) {
        this.end();
      }
    };
    this.#recorder.onstart = () => { this.#began = performance.now(); };
    this.#recorder.onstop = async () => {
      const status = current.value;
      const seconds = (performance.now() - this.#began) / 1000;
      save(await withDuration(new Blob(this.#parts, { type }), seconds), `${(status && gameName(status)) || 'game'}.${extension}`);
    };
  }

  /** Begins one. */
  static async begin(): Promise<void> {
    const type = typeof MediaRecorder === 'undefined' ? undefined : Types.find(([mime]) => MediaRecorder.isTypeSupported(mime));
    if (type === undefined) {
      tell('This browser cannot make videos.', true);
      return;
    }
    videoFile.value = new VideoFile(await soundStream(), type);
  }

  /** Adds a picture. The first one decides the size. */
  add(picture: HTMLCanvasElement): void {
    if (this.#recorder.state === 'inactive') {
      [this.#canvas.width, this.#canvas.height] = [picture.width * Scale, picture.height * Scale];
    }
    const target = this.#canvas.getContext('2d', { alpha: false })!;
    target.imageSmoothingEnabled = false;
    target.drawImage(picture, 0, 0, this.#canvas.width, this.#canvas.height);
    if (this.#recorder.state === 'inactive') {
      this.#recorder.start(PartMs);
    }
  }

  /** Ends it, and saves the file. */
  end(): void {
    videoFile.value = null;
    if (this.#recorder.state !== 'inactive') {
      this.#recorder.stop();
    }
  }
}

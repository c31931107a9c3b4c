import { GIFEncoder, applyPalette, quantize } from 'gifenc';
import { ArrayBufferTarget, Muxer } from 'webm-muxer';
import { FrameRate } from '../../api/frame-rate';
import type { Picture } from '../../api/socket';
import { SampleRate } from '../../api/sound-buffer';
import type { Moments } from './moments';

const Scale = 2; // VP8 has one colour for two by two pixels; from 640 pixels on, several threads encode it and wait for each other by spinning
const GifStep = 3; // frames between two pictures: 50 ms, which the format can say
const GifDelay = 50;
const BitRate = 6_000_000;
const KeyFrameEvery = 300;
const Ahead = 8; // pictures that are decoded while others are encoded
const SoundPart = 4800;

/** The last seconds as a WebM file, with the sound if it was on. */
export async function webm(moments: Moments, seconds: number): Promise<Blob> {
  const pictures = moments.pictures(seconds);
  const [from, to] = rangeOf(pictures);
  const at = (frame: number) => Math.round(((frame - from) * 1e6) / FrameRate);
  const sound = typeof AudioEncoder === 'undefined' ? null : moments.sound(from, to);
  let failure: Error | null = null;
  const error = (thrown: Error) => { failure ??= thrown; };
  let track: { muxer: Muxer<ArrayBufferTarget>; encoder: VideoEncoder } | null = null;
  let count = 0;
  await read(pictures, async (image, { frame }, next) => {
    const [width, height] = [image.width * Scale, image.height * Scale];
    if (track === null) {
      const muxer = new Muxer({
        target: new ArrayBufferTarget(), video: { codec: 'V_VP8', width, height, frameRate: FrameRate },
        ...(sound === null ? {} : { audio: { codec: 'A_OPUS', numberOfChannels: 2, sampleRate: SampleRate } }),
      });
      const encoder = new VideoEncoder({ output: (chunk, more) => muxer.addVideoChunk(chunk, more), error });
      encoder.configure({ codec: 'vp8', width, height, bitrate: BitRate, framerate: FrameRate });
      track = { muxer, encoder };
    }
    const { encoder } = track;
    const shown = new VideoFrame(yuv(image), { format: 'I420', codedWidth: width, codedHeight: height, timestamp: at(frame), duration: at(next?.frame ?? to) - at(frame), colorSpace: Colors });
    encoder.encode(shown, { keyFrame: count % KeyFrameEvery === 0 });
    shown.close();
    count += 1;
    while (encoder.encodeQueueSize > Ahead && failure === null) {
      await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
    }
    if (failure !== null) {
      throw failure;
    }
  });
  const { muxer, encoder } = track!;
  if (sound !== null) {
    await addSound(muxer, sound);
  }
  await encoder.flush();
  encoder.close();
  muxer.finalize();
  return new Blob([muxer.target.buffer], { type: 'video/webm' });
}

async function addSound(muxer: Muxer<ArrayBufferTarget>, sound: Int16Array): Promise<void> {
  let failure: Error | null = null;
  const encoder = new AudioEncoder({ output: (chunk, more) => muxer.addAudioChunk(chunk, more), error: (thrown) => { failure = thrown; } });
  encoder.configure({ codec: 'opus', sampleRate: SampleRate, numberOfChannels: 2, bitrate: 160_000 });
  for (let pair = 0; pair < sound.length / 2; pair += SoundPart) {
    const data = sound.slice(2 * pair, 2 * (pair + SoundPart));
    const part = new AudioData({ format: 's16', sampleRate: SampleRate, numberOfFrames: data.length / 2, numberOfChannels: 2, timestamp: Math.round((pair * 1e6) / SampleRate), data });
    encoder.encode(part);
    part.close();
  }
  await encoder.flush();
  encoder.close();
  if (failure !== null) {
    throw failure;
  }
}

/** The last seconds as a GIF. */
export async function gif(moments: Moments, seconds: number): Promise<Blob> {
  const pictures = moments.pictures(seconds);
  const last = rangeOf(pictures)[1] - 1;
  const encoder = GIFEncoder();
  await read(pictures.filter(({ frame }) => (last - frame) % GifStep === 0), async ({ data, width, height }, picture, next) => {
    const palette = quantize(data, 256);
    const frames = next === undefined ? GifStep : next.frame - picture.frame;
    encoder.writeFrame(enlarge(applyPalette(data, palette), width, height), width * Scale, height * Scale, { palette, delay: (frames / GifStep) * GifDelay });
  });
  encoder.finish();
  return new Blob([encoder.bytes()], { type: 'image/gif' });
}

// what players assume of VP8
const Colors: VideoColorSpaceInit = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false };

/** A picture in these colours, twice as large: brightness of each pixel, then two colours for each four. */
function yuv({ data, width, height }: ImageData): Uint8Array<ArrayBuffer> {
  const count = width * height;
  const bytes = new Uint8Array(6 * count);
  for (let index = 0; index < count; index += 1) {
    const [red, green, blue] = [data[4 * index]!, data[4 * index + 1]!, data[4 * index + 2]!];
    const at = 2 * (index + Math.floor(index / width) * width);
    const light = 16 + ((66 * red + 129 * green + 25 * blue + 128) >> 8);
    bytes[at] = light;
    bytes[at + 1] = light;
    bytes[at + 2 * width] = light;
    bytes[at + 2 * width + 1] = light;
    bytes[4 * count + index] = 128 + ((112 * blue - 38 * red - 74 * green + 128) >> 8);
    bytes[5 * count + index] = 128 + ((112 * red - 94 * green - 18 * blue + 128) >> 8);
  }
  return bytes;
}

function enlarge(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const enlarged = new Uint8Array(pixels.length * Scale ** 2);
  for (let y = 0; y < height * Scale; y += 1) {
    for (let x = 0; x < width * Scale; x += 1) {
      enlarged[y * width * Scale + x] = pixels[Math.floor(y / Scale) * width + Math.floor(x / Scale)]!;
    }
  }
  return enlarged;
}

// the frames that they show, and the first behind them
function rangeOf(pictures: readonly Picture[]): [number, number] {
  const [first, last] = [pictures[0], pictures.at(-1)];
  if (first === undefined || last === undefined) {
    throw new Error('There are no pictures yet.');
  }
  return [first.frame, last.frame + 1];
}

/** The pixels of one picture after the other, all in the size of the first. */
async function read(pictures: readonly Picture[], use: (image: ImageData, picture: Picture, next: Picture | undefined) => Promise<void>): Promise<void> {
  const decode = (picture: Picture | undefined) => picture && createImageBitmap(new Blob([picture.png], { type: 'image/png' }));
  const bitmaps = pictures.slice(0, Ahead).map(decode);
  let canvas: OffscreenCanvas | null = null;
  for (const [index, picture] of pictures.entries()) {
    bitmaps.push(decode(pictures[index + Ahead]));
    const bitmap = (await bitmaps.shift())!;
    canvas ??= new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    await use(context.getImageData(0, 0, canvas.width, canvas.height), picture, pictures[index + 1]);
  }
}

import { SoundBuffer } from './sound-buffer';

// what the scope of an AudioWorklet has beyond TypeScript's libraries
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

class GameSound extends AudioWorkletProcessor {
  readonly #buffer = new SoundBuffer();

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.#buffer.push(new Int16Array(data));
  }

  process(_: unknown, [output]: [Float32Array[]]): boolean {
    this.#buffer.pull(output[0]!, output[1]!);
    return true;
  }
}

registerProcessor('game-sound', GameSound);

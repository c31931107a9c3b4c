import { keptStore, Store } from '../ui/store';
import type { Endpoint, GameEvent, Socket } from './socket';
import { SampleRate, SoundBuffer } from './sound-buffer';
import type { Received, Wanted } from './sound-worker';
import SoundWorker from './sound-worker?worker';
import workletAddress from './sound-worklet?worker&url';

const ScriptBlock = 1024;
const SilentMs = 2000;

/** How loud the game is on this device, from 0 to 1. */
export const volume = keptStore('volume', 0.7);

/** Whether the person at this device wants sound. */
export const soundIsWanted = keptStore('sound', false);

/** Whether the sound of the game is played, and why nothing is heard. */
export const sound = new Store<{ isOn: boolean; error: string | null }>({ isOn: false, error: null });

/** The last samples that were received, with their frame. */
export const heard = new Store<GameEvent | null>(null);

type Output = { context: AudioContext; source: AudioNode; receive: (from: Endpoint | null) => void };

let output: Promise<Output> | null = null;
let leave: (() => void) | null = null;
let turn = 0;
let silent = 0;
let isHeard = false;

/** Plays the sound of this emulator until it is stopped. Browsers are silent until the first click or key on the page. */
export async function startSound(link: Socket): Promise<void> {
  stopSound();
  const mine = turn;
  sound.value = { isOn: true, error: null };
  try {
    output ??= open().catch((error: unknown) => {
      output = null; // the device may be there the next time
      throw new Error(`The browser cannot play sound: ${error instanceof Error ? error.message : error}`);
    });
    const { context, receive } = await output;
    if (mine !== turn) {
      return;
    }
    const follow = () => receive(link.state.value === 'open' && context.state === 'running' ? link.endpoint() : null);
    const leaveLink = link.state.follow(follow);
    context.addEventListener('statechange', follow);
    leave = () => {
      leaveLink();
      context.removeEventListener('statechange', follow);
      receive(null);
    };
    follow();
    wake(context);
    lookAt(context);
  } catch (error) {
    if (mine === turn) {
      refuse(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Ends it; nothing is sent any more. */
export function stopSound(): void {
  turn += 1;
  leave?.();
  [leave, isHeard] = [null, false];
  clearTimeout(silent);
  if (sound.value.isOn) { // the reason why it could not be started stays
    sound.value = { isOn: false, error: null };
  }
  void output?.then(({ context }) => context.suspend(), () => undefined);
}

/** The sound that is played, at full volume; null while it is off. */
export async function soundStream(): Promise<MediaStream | null> {
  if (output === null || !sound.value.isOn) {
    return null;
  }
  const { context, source } = await output;
  const target = context.createMediaStreamDestination();
  source.connect(target);
  return target.stream;
}

async function open(): Promise<Output> {
  const context = new AudioContext({ sampleRate: SampleRate, latencyHint: 'interactive' });
  context.onstatechange = () => lookAt(context);
  const gain = context.createGain();
  gain.connect(context.destination);
  const follow = () => {
    gain.gain.value = volume.value ** 2; // as loudness is heard
  };
  follow();
  volume.follow(follow);
  try {
    const player = context.audioWorklet ? await playInWorklet(context, gain) : playInPage(context, gain);
    const used = () => leave !== null && wake(context);
    addEventListener('pointerdown', used);
    addEventListener('keydown', used);
    return { context, ...player };
  } catch (error) {
    void context.close();
    throw error;
  }
}

const wake = (context: AudioContext): void => void context.resume().catch(() => undefined); // lookAt says so soon

/** Tells the person when the browser plays nothing although it should. */
function lookAt(context: AudioContext): void {
  clearTimeout(silent);
  if (context.state === 'running') {
    sound.value = { ...sound.value, error: null };
  } else if (sound.value.isOn) {
    silent = window.setTimeout(() => {
      const isWaiting = navigator.userActivation?.hasBeenActive === false;
      sound.value = { isOn: true, error: isWaiting ? 'Click or press a key: the browser plays no sound before.' : 'The browser plays no sound: see whether this device has a sound output.' };
    }, SilentMs);
  }
}

async function playInWorklet(context: AudioContext, target: AudioNode): Promise<Omit<Output, 'context'>> {
  await context.audioWorklet.addModule(workletAddress);
  const node = new AudioWorkletNode(context, 'game-sound', { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(target);
  return { source: node, receive: receiver(node.port) };
}

// browsers have worklets only with HTTPS or on this machine
function playInPage(context: AudioContext, target: AudioNode): Omit<Output, 'context'> {
  const buffer = new SoundBuffer();
  const node = context.createScriptProcessor(ScriptBlock, 0, 2);
  node.onaudioprocess = ({ outputBuffer }) => buffer.pull(outputBuffer.getChannelData(0), outputBuffer.getChannelData(1));
  node.connect(target);
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => buffer.push(new Int16Array(data));
  return { source: node, receive: receiver(port1) };
}

/** What a worker receives goes to this port without the page, whose drawing would hold it up. */
function receiver(port: MessagePort): Output['receive'] {
  const worker = new SoundWorker();
  worker.onmessage = ({ data: { turn: eventTurn, event, refusal } }: MessageEvent<Received>) => {
    if (eventTurn !== turn) {
      return; // of the emulator before
    }
    if (event) {
      isHeard = true;
      heard.value = event;
    } else if (refusal && !isHeard) {
      stopSound();
      refuse(refusal);
    }
  };
  worker.postMessage(port, [port]);
  return (from) => worker.postMessage({ from, turn } satisfies Wanted);
}

function refuse(error: string): void {
  soundIsWanted.value = false;
  sound.value = { isOn: false, error };
}

import { refusalOf } from '../../api/allowed';
import { FrameRate } from '../../api/frame-rate';
import { current, gameName, poll, type Status } from '../../api/gateway';
import { call, read } from '../../api/http';
import { RequestError } from '../../api/problem';
import type { Socket } from '../../api/socket';
import { slotName } from '../../api/state-names';
import { keptStore } from '../../ui/store';
import { save } from '../../ui/save';
import { tell } from '../../ui/toast';

const FastFactor = 4;
const Slots = 9;
const RewindEvery = 30; // frames between two states: half a second
const RewindPoints = 120;
const RewindMs = 150;

/** The slot of the hotkeys that save and load. */
export const slot = keptStore('slot', 1);

/** The emulator that is shown, when the gateway can pause it and change its speed. */
export function controllable(status: Status | null): Status | null {
  return status?.process && !status.process.window ? status : null;
}

/** Pauses or continues the game, or changes its speed. */
export async function setRun(body: { paused?: boolean; fps?: number }): Promise<void> {
  const status = controllable(current.value);
  if (status === null) {
    throw new RequestError({ status: 501, detail: 'Pause and speed of this emulator are set in its own window.' });
  }
  await call('put', '/v2/emulators/{id}/run', { path: { id: status.id }, body });
  await poll();
}

export async function togglePause(): Promise<void> {
  await poll(); // somebody else may have paused it
  await setRun({ paused: !current.value?.process?.paused });
}

/** Saves the picture as a file. */
export async function savePicture(): Promise<void> {
  const status = current.value;
  const response = await read('/v2/screen', { emulator: status?.id });
  save(await response.blob(), `${(status && gameName(status)) || 'game'}-${response.headers.get('Mgba-Frame') ?? ''}.png`);
}

/** Shows the game alone, or again with the page. */
export function toggleFullScreen(): void {
  void (document.fullscreenElement ? document.exitFullscreen() : document.querySelector('.play')?.requestFullscreen?.())?.catch(() => undefined); // a gamepad's button is not enough for some browsers
}

export async function saveSlot(): Promise<void> {
  const emulator = current.value?.id;
  await call('post', '/v2/states', { emulator, body: { name: (await slotOf(emulator)).name, replace: true } });
  tell(`Saved to slot ${slot.value}.`);
}

export async function loadSlot(): Promise<void> {
  const emulator = current.value?.id;
  const { name, title, platform } = await slotOf(emulator);
  try {
    const { kept } = await call('post', '/v2/states/{state}/load', { emulator, path: { state: name } });
    tell(`Loaded slot ${slot.value}.${newerSave(kept)}`, kept != null);
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
    await loadSlotOfAnotherBuild(emulator, title, platform);
  }
}

/** What a state brings along that has other save data than the game had, where that is not known yet. */
export function newerSave(kept: string | null | undefined): string {
  return kept == null ? '' : ` The game's next save replaces the save that it had before; ${kept}, in States, has that one.`;
}

/** A game that was built again has empty slots; those of its build before are used when the person wants that. */
async function loadSlotOfAnotherBuild(emulator: string | undefined, title: string, platform: string): Promise<void> {
  const end = ` slot ${slot.value}`;
  const { states } = await call('get', '/v2/states', {});
  const other = states.find((state) => state.kind === 'named' && state.title === title && state.platform === platform && state.name.endsWith(end));
  if (other === undefined) {
    throw new RequestError({ status: 404, detail: `Slot ${slot.value} of this game is empty.` });
  }
  if (confirm(`Slot ${slot.value} of this ROM is empty. Load that of another ROM with this title (CRC32 ${other.crc32}), such as an earlier build? The game may crash.`)) {
    const { warning } = await call('post', '/v2/states/{state}/load', { emulator, path: { state: other.name }, body: { anyRom: true } });
    tell(warning ?? `Loaded slot ${slot.value}.`, true);
  }
}

async function slotOf(emulator: string | undefined): Promise<{ name: string; title: string; platform: string }> {
  const { title, crc32, platform } = await call('get', '/v2/game', { emulator });
  return { name: slotName((current.value && gameName(current.value)) || '', crc32, slot.value), title, platform };
}

export function nextSlot(): void {
  slot.value = (slot.value % Slots) + 1;
  tell(`Slot ${slot.value}.`);
}

/**
 * Runs the game faster while a key, a button, or both ask for it. The gateway ends it with the page's connection, and knows the speed before: others may
 * ask for the same.
 */
export class FastForward {
  #asked = 0;

  constructor(private readonly link: () => Pick<Socket, 'request'> | null) {}

  press(): Promise<unknown> | undefined {
    this.#asked++;
    return this.#asked === 1 ? this.#hold() : undefined;
  }

  release(): Promise<unknown> | undefined {
    return this.#asked > 0 && --this.#asked === 0 ? this.link()?.request('speed.release') : undefined;
  }

  /** The connection is new: the gateway has ended what the one before held. */
  again(): Promise<unknown> | undefined {
    return this.#asked > 0 ? this.#hold() : undefined;
  }

  /** Ends it, whatever still asks for it. */
  end(): Promise<unknown> | undefined {
    this.#asked = Math.min(this.#asked, 1);
    return this.release();
  }

  #hold(): Promise<unknown> | undefined {
    return this.link()?.request('speed.hold', { fps: FastFactor * FrameRate });
  }
}

/** Whether the gateway keeps the last minute of a game that is played here, for rewinding and clips. */
export const rewindIsKept = keptStore('rewind', true);

/** Makes the gateway keep the last minute of a game that it has started, unless it does. A game without a speed limit is not slowed down for it. */
export async function keepLastMinute(status: Status): Promise<void> {
  const owned = controllable(status);
  if (!rewindIsKept.value || owned === null || owned.process?.targetFps === 0 || refusalOf('put', '/v2/rewind') !== undefined) {
    return;
  }
  try {
    await call('get', '/v2/rewind', { emulator: status.id });
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
    await beginToKeep(status.id);
  }
}

async function beginToKeep(emulator: string | undefined): Promise<void> {
  await call('put', '/v2/rewind', { emulator, body: { every: RewindEvery, points: RewindPoints } });
}

const isMissing = (error: unknown): boolean => error instanceof RequestError && error.status === 404;

/** Goes back through the states that the gateway keeps, until it is released. */
export class Rewinding {
  #isOn = false;

  async press(): Promise<void> {
    this.#isOn = true;
    const emulator = current.value?.id;
    while (this.#isOn) {
      try {
        if ((await call('post', '/v2/rewind', { emulator, body: { frames: RewindEvery } })).oldest) {
          tell('That is the oldest state that is kept.');
          return;
        }
      } catch (error) {
        if (!(error instanceof RequestError) || error.kind !== 'no-such-rewind') {
          throw error;
        }
        await beginToKeep(emulator);
        tell('The last minute is kept from now on; rewind again to go back.');
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RewindMs));
    }
  }

  release(): void {
    this.#isOn = false;
  }
}

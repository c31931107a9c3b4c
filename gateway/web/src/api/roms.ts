import { keptStore } from '../ui/store';
import { chosen, current, emulators, gameName, poll } from './gateway';
import { call } from './http';
import { RequestError } from './problem';
import { tell } from '../ui/toast';

/** A game that was played in this browser: its ROM on the gateway's machine, its name, and a picture of it as a data URL. */
export type RecentGame = { rom: string; name: string; picture: string };

export const LargestRom = 33554432;
export const RomFiles = '.gba,.gb,.gbc,.sgb,.agb,.mb,.zip';

const MaxRecent = 6;

/** The games played last, newest first. */
export const recentGames = keptStore<RecentGame[]>('recent-games', []);

/** Uploads the file of a ROM and shows its game: that of an emulator that runs it, or else of a new one. */
export async function playFile(file: File): Promise<void> {
  if (file.size > LargestRom && !file.name.toLowerCase().endsWith('.zip')) {
    throw new RequestError({ status: 413, detail: `${file.name} is larger than the largest cartridge, 32 MiB.` });
  }
  const { rom, emulator, leftOut } = await call('post', '/v2/roms', { query: { name: file.name.normalize() }, bytes: file });
  await show(emulator, rom);
  if (leftOut) {
    tell(`Of ${file.name} only the ROM is used, not ${leftOut.join(', ')}. Save data can be brought in States.`, true);
  }
}

/** The same for a ROM on the gateway's machine. */
export async function playRom(rom: string): Promise<void> {
  await poll();
  await show((emulators.value ?? []).find(({ process }) => process?.rom === rom)?.id, rom);
}

async function show(emulator: string | null | undefined, rom: string): Promise<void> {
  chosen.value = emulator ?? (await call('post', '/v2/emulators', { body: { rom } })).id;
  await poll();
  location.hash = '#/play';
}

/** Remembers the game that is shown, with its picture. */
export function rememberGame(canvas: HTMLCanvasElement): void {
  const status = current.value;
  if (status?.process && !status.process.window) {
    const { rom } = status.process;
    const game = { rom, name: gameName(status), picture: canvas.toDataURL('image/png') };
    recentGames.value = [game, ...recentGames.value.filter((other) => other.rom !== rom)].slice(0, MaxRecent);
  }
}

/** Forgets a game; nothing else happens to it. */
export function forgetGame(rom: string): void {
  recentGames.value = recentGames.value.filter((other) => other.rom !== rom);
}

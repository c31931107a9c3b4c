import type { Registers } from '../../api/debugger';
import type { components } from '../../api/schema';
import type { Socket } from '../../api/socket';
import { type Domain, parsePlace } from '../../api/memory';
import { hex } from '../../ui/format';

export type Instruction = components['schemas']['InstructionAnswer'];
export type Mode = 'arm' | 'thumb' | 'sm83';
export type Name = { name: string; address: number; bank: number | null; size: number };

/** Code as it is shown: instructions one after the other. */
export type Listing = { instructions: readonly Instruction[]; mode: Mode };

const Before = 16;
const Behind = 48;
const Thumb = 0x20;

export const sizeOf = ({ bytes }: Instruction): number => bytes.length / 2;

/** How the processor executes its instructions now. */
export const modeOf = (registers: Registers): Mode => ('cpsr' in registers ? (Math.floor(registers.cpsr! / Thumb) % 2 ? 'thumb' : 'arm') : 'sm83');

/** Whether code is of ARM: most of its instructions have the condition "always" in their highest four bits, which begin few pairs of those of Thumb. */
export const isArm = (words: readonly Instruction[]): boolean => words.filter(({ bytes }) => bytes[6] === 'e').length * 2 >= words.length;

/** A place in the code; the mode of its instructions if it is known. */
export type Place = { address: string; bank?: number | null | undefined; mode?: Mode | undefined };

/** The bank of an address that can be in several. */
const bankAt = (address: number, bank: number | null | undefined, platform: string): number | undefined => (platform === 'gb' && address >= 0x4000 && address < 0x8000 ? bank ?? undefined : undefined);

/** A place for the gateway: code in a bank of a cartridge means this bank only. */
export function locationOf({ address, bank }: Place, platform: string): string {
  const its = bankAt(Number(address), bank, platform);
  return its === undefined ? address : `cart0:0x${hex(its * 0x4000 + Number(address) % 0x4000, 4)}`;
}

const read = async (link: Socket, query: { address?: string; count: number; mode?: Mode; bank?: number | undefined }): Promise<Instruction[]> =>
  (await link.request<{ instructions: Instruction[] }>('debug.disassemble', query)).instructions;

/** The first address of the memory that an address belongs to. */
const floorOf = (address: number, platform: string): number => (platform === 'gb' ? address - address % 0x4000 : address - address % 0x1000000);

/** Those instructions before an address that lead to it. */
export async function readBefore(link: Socket, address: number, bank: number | null | undefined, mode: Mode, platform: string, count = Before): Promise<Instruction[]> {
  const start = Math.max(floorOf(address, platform), address - count * (mode === 'thumb' ? 2 : mode === 'arm' ? 4 : 3));
  if (start >= address) {
    return [];
  }
  const found = await read(link, { address: `0x${hex(start, 8)}`, count: count * 3, mode, bank: bankAt(start, bank, platform) });
  return found.filter((one) => Number(one.address) + sizeOf(one) <= address).slice(-count);
}

async function guessMode(link: Socket, address: string, platform: string): Promise<Mode> {
  if (platform === 'gb') {
    return 'sm83';
  }
  const isOdd = /^0x/i.test(address) && Number(address) % 2 === 1;
  return !isOdd && isArm(await read(link, { address, count: Before, mode: 'arm' })) ? 'arm' : 'thumb';
}

/** The code at a place, and some before it; without a place where the processor is. Code of a GBA whose mode is not known is shown as what it looks like. */
export async function readAround(link: Socket, { address, bank, mode: known }: { address?: string; bank?: number | null | undefined; mode?: Mode | undefined }, platform: string): Promise<Listing & { at: Instruction | null }> {
  const mode = known ?? await guessMode(link, address!, platform);
  const behind = await read(link, { count: Behind, mode, ...(address === undefined ? {} : { address, bank: bankAt(Number(address), bank, platform) }) });
  const at = behind[0] ?? null;
  const before = at === null ? [] : await readBefore(link, Number(at.address), at.bank, mode, platform);
  return { instructions: [...before, ...behind], mode, at };
}

/** More code at the end of a listing. */
export async function readMore(link: Socket, { instructions, mode }: Listing, platform: string): Promise<Instruction[]> {
  const end = instructions.at(-1)!;
  const next = Number(end.address) + sizeOf(end);
  return next % 0x4000 === 0 && platform === 'gb' ? [] : read(link, { address: `0x${hex(next, 8)}`, count: Behind, mode, bank: bankAt(next, end.bank, platform) });
}

/** The same code again, since it may have changed. */
export async function readAgain(link: Socket, { instructions, mode }: Listing, platform: string): Promise<Instruction[]> {
  const first = instructions[0]!;
  return read(link, { address: first.address, count: instructions.length, mode, bank: bankAt(Number(first.address), first.bank, platform) });
}

/** The text of an instruction, with the part that leads somewhere. */
export type Parts = { before: string; link: { text: string; address: number; bank: number | null; isData: boolean } | null; after: string };

/** Splits the text of an instruction at the place that it means; what the text does not contain stands behind it. */
export function partsOf({ text, kind, target }: Instruction): Parts {
  if (!target) {
    return { before: text, link: null, after: '' };
  }
  const isData = kind === 'data';
  const address = Number(target.value ?? target.address);
  const name = target.value ? target.valueSymbol : target.symbol;
  const link = { text: name ?? target.value ?? target.address, address, bank: target.value ? null : target.bank ?? null, isData };
  const digits = Number(target.address).toString(16);
  const found = target.value ? null : new RegExp(`(?:0x|\\$|#)0*${digits}(?![0-9a-f])`, 'i').exec(text);
  return found === null
    ? { before: `${text}  ${target.value ? '=' : '→'} `, link, after: '' }
    : { before: text.slice(0, found.index), link: { ...link, text: name ?? found[0] }, after: text.slice(found.index + found[0].length) };
}

// of a Game Boy: where the banks of a domain are mapped, and how long they are
const Banks: Record<string, { at: number; size: number }> = { cart0: { at: 0x4000, size: 0x4000 }, vram: { at: 0x8000, size: 0x2000 }, sram: { at: 0xa000, size: 0x2000 }, wram: { at: 0xd000, size: 0x1000 } };

/** The names of places, in the order of their addresses. */
export function namesOf(symbols: readonly { name: string; location?: string | null | undefined; size?: number | null | undefined }[], domains: readonly Domain[], platform: string): Name[] {
  return symbols.flatMap(({ name, location, size }) => {
    const place = location ? parsePlace(domains, location) : null;
    if (place === null) {
      return [];
    }
    const banks = platform === 'gb' && location!.includes(':') ? Banks[place.domain.id] : undefined;
    const [address, bank] = banks && place.offset >= banks.size ? [banks.at + place.offset % banks.size, Math.floor(place.offset / banks.size)] : [place.domain.base + place.offset, null];
    return [{ name, address, bank, size: size ?? 0 }];
  }).sort((one, other) => one.address - other.address);
}

const LongestFunction = 0x2000;

/** The name of an address, `update+0x4`, or null; `bank` is that of a Game Boy. */
export function nameAt(names: readonly Name[], address: number, bank: number | null = null): string | null {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]!.address <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (let index = low - 1; index >= 0 && address - names[index]!.address < LongestFunction; index -= 1) {
    const { name, address: first, bank: its, size } = names[index]!;
    if (its === null || bank === null || its === bank) {
      return size > 0 && address >= first + size ? null : address === first ? name : `${name}+0x${hex(address - first, 1)}`;
    }
  }
  return null;
}

/** Whether words of this value can lead to code. */
export const isCode = (address: number, platform: string): boolean => (platform === 'gb' ? address < 0x8000 : address >= 0x02000000 && address < 0x0e000000 && !(address >= 0x04000000 && address < 0x08000000));

import type { components } from './schema';
import type { Socket } from './socket';
import { call } from './http';
import { fromBase64, hex } from '../ui/format';

export type Domain = { id: string; name: string; base: number; size: number };
export type NumberType = 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
export const NumberTypes: NumberType[] = ['u8', 's8', 'u16', 's16', 'u32', 's32'];
export const isNumberType = (text: string): text is NumberType => (NumberTypes as string[]).includes(text);
export const bytesOf = (type: NumberType): number => Number(type.slice(1)) / 8;

type Reads = components['schemas']['ReadsAnswer'];

/** The named parts of the game's memory. */
export async function domains(emulator: string | undefined): Promise<Domain[]> {
  const answer = await call('get', '/v2/memory/domains', { emulator });
  return answer.domains.map(({ id, name, base, size }) => ({ id, name, base: Number(base), size }));
}

/** `wram:0x10`. */
export function locationIn(domain: Domain, offset: number): string {
  return `${domain.id}:0x${offset.toString(16).toUpperCase()}`;
}

/** How many digits the addresses of a domain have. */
export function addressDigits(domain: Domain): number {
  return domain.base + domain.size > 0x10000 ? 8 : 4;
}

/** The address of an offset for people. */
export function addressText(domain: Domain, offset: number): string {
  return hex(domain.base + offset, addressDigits(domain));
}

/** The address of a location for people, `0x02000010`; the location itself while its domain is not known. */
export function addressOf(all: readonly Domain[], location: string): string {
  const place = parsePlace(all, location);
  return place === null ? location : `0x${addressText(place.domain, place.offset)}`;
}

/** Reads a range. */
export async function readRange(link: Socket, location: string, length: number): Promise<{ frame: number; bytes: Uint8Array }> {
  const answer = await link.request<Reads>('memory.gather', { reads: [{ location, length }] });
  return { frame: answer.frame, bytes: fromBase64(answer.reads[0]!.bytes ?? '') };
}

/** Reads numbers, all in one frame. */
export async function readNumbers(link: Socket, reads: { location: string; type: NumberType }[]): Promise<{ frame: number; values: number[] }> {
  const answer = await link.request<Reads>('memory.gather', { reads });
  return { frame: answer.frame, values: answer.reads.map(({ value }, index) => signed(Number(value ?? 0), reads[index]!.type)) };
}

/** Responses have numbers without a sign. */
export function signed(value: number, type: NumberType): number {
  const limit = 2 ** (8 * bytesOf(type));
  return type.startsWith('s') && value >= limit / 2 ? value - limit : value;
}

/** A number from bytes, or null beyond their end. */
export function numberAt(bytes: Uint8Array, offset: number, type: NumberType, isBig = false): number | null {
  const size = bytesOf(type);
  if (offset + size > bytes.length) {
    return null;
  }
  let value = 0;
  for (let index = 0; index < size; index += 1) {
    value += bytes[offset + (isBig ? size - 1 - index : index)]! * 2 ** (8 * index);
  }
  return signed(value, type);
}

/** The bytes of a number, or null when the type cannot hold it. */
export function bytesOfNumber(value: number, type: NumberType, isBig = false): Uint8Array | null {
  const size = bytesOf(type);
  const limit = 2 ** (8 * size);
  if (!Number.isInteger(value) || value >= limit || value < -limit / 2) {
    return null;
  }
  const rest = value < 0 ? value + limit : value;
  const bytes = Uint8Array.from({ length: size }, (_, index) => Math.floor(rest / 2 ** (8 * index)) % 256);
  return isBig ? bytes.reverse() : bytes;
}

/** A number as people write it: `-5`, `0x1F` or `$1F`; null for anything else. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim().replaceAll('_', '').replace(/^(-?)\$/, '$10x');
  const match = /^(-?)(0x[0-9a-f]+|[0-9]+)$/i.exec(trimmed);
  return match === null ? null : (match[1] === '-' ? -1 : 1) * Number(match[2]);
}

/** Where a text points: an address, `wram:0x10`, or the name of a property or a symbol. */
export async function find(emulator: string | undefined, all: readonly Domain[], text: string): Promise<{ domain: Domain; offset: number }> {
  const place = parsePlace(all, text);
  if (place !== null) {
    return place;
  }
  const name = text.trim();
  let location: string | undefined;
  try {
    location = (await call('get', '/v2/values/{name}', { emulator, path: { name } })).location;
  } catch {
    const { symbols } = await call('get', '/v2/symbols', { emulator, query: { contains: name, limit: 50 } });
    location = (symbols.find((symbol) => symbol.name === name) ?? symbols[0])?.location;
  }
  const found = location === undefined ? null : parsePlace(all, location);
  if (found === null) {
    throw new Error(`"${name}" is not an address (0x02000000), an offset (wram:0x10) or a known name.`);
  }
  return found;
}

/** The place of an address or of `domain:offset`, or null. */
export function parsePlace(all: readonly Domain[], text: string): { domain: Domain; offset: number } | null {
  const [first, second] = text.trim().split(':', 2) as [string, string?];
  if (second !== undefined) {
    const domain = all.find(({ id }) => id === first.trim());
    const offset = parseNumber(second);
    return domain && offset !== null && offset >= 0 && offset < domain.size ? { domain, offset } : null;
  }
  const number = /^[0-9a-f]{8}$/i.test(first.trim()) ? Number.parseInt(first.trim(), 16) : parseNumber(first);
  // a cartridge with banks has more bytes than there are addresses before the next domain
  const domain = number === null ? undefined : all.findLast(({ base, size }) => number >= base && number < base + size);
  return domain ? { domain, offset: number! - domain.base } : null;
}

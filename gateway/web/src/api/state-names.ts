/** What the gateway accepts as the name of a state: letters with their marks and digits, of the characters that UTF-16 writes as one. */
export const NamePattern = /^(?!auto\.)(?!.*[\u{10000}-\u{10FFFF}])[\p{L}\p{Nd}](?:[\p{L}\p{Mn}\p{Mc}\p{Nd} ._-]{0,62}[\p{L}\p{Mn}\p{Mc}\p{Nd}._-])?$/iu;

const MaxName = 64;

/** The name of the state of a slot: each game has its own, also those of one title. */
export function slotName(game: string, crc32: string, number: number): string {
  const end = ` ${crc32.slice(2)} slot ${number}`;
  const name = game.normalize().replaceAll(/[^\p{L}\p{Mn}\p{Mc}\p{Nd} ._-]|[\u{10000}-\u{10FFFF}]/gu, '-').replace(/^[^\p{L}\p{Nd}]+/u, '').slice(0, MaxName - end.length);
  return `${/^auto\./i.test(name) || name === '' ? 'game' : name}${end}`;
}

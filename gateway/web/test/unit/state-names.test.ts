import { expect, test } from 'vitest';
import { NamePattern, slotName } from '../../src/api/state-names';

test.each([
  ['MGBABRIDGE', 'MGBABRIDGE 52258CD4 slot 3'], ['Pok\u00e9mon: Ro/t', 'Pok\u00e9mon- Ro-t 52258CD4 slot 3'], ['', 'game 52258CD4 slot 3'], ['(!)', 'game 52258CD4 slot 3'], ['auto.1', 'game 52258CD4 slot 3'], ['...x', 'x 52258CD4 slot 3'],
  ['a'.repeat(100), `${'a'.repeat(48)} 52258CD4 slot 3`],
])('the state of a slot of %s is %s', (game, wanted) => {
  expect(slotName(game, '0x52258CD4', 3)).toBe(wanted);
  expect(slotName(game, '0x52258CD4', 3)).toMatch(NamePattern);
});

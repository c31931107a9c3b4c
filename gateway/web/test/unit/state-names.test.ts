import { expect, test } from 'vitest';
import { NamePattern, slotName } from '../../src/api/state-names';

test.each([
  ['MGBABRIDGE', 'MGBABRIDGE slot 3'], ['Pok\u00e9mon: Ro/t', 'Pok\u00e9mon- Ro-t slot 3'], ['', 'game slot 3'], ['(!)', 'game slot 3'], ['auto.1', 'game slot 3'], ['...x', 'x slot 3'],
  ['a'.repeat(100), `${'a'.repeat(57)} slot 3`],
])('the state of a slot of %s is %s', (game, wanted) => {
  expect(slotName(game, 3)).toBe(wanted);
  expect(slotName(game, 3)).toMatch(NamePattern);
});

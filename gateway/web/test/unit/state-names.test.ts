import { expect, test } from 'vitest';
import { NamePattern, slotName } from '../../src/api/state-names';

test.each([
  ['MGBABRIDGE', 'MGBABRIDGE 52258CD4 slot 3'], ['Pok\u00e9mon: Ro/t', 'Pok\u00e9mon- Ro-t 52258CD4 slot 3'], ['', 'game 52258CD4 slot 3'], ['(!)', 'game 52258CD4 slot 3'], ['auto.1', 'game 52258CD4 slot 3'], ['...x', 'x 52258CD4 slot 3'],
  ['\u0939\u093f\u0928\u094d\u0926\u0940', '\u0939\u093f\u0928\u094d\u0926\u0940 52258CD4 slot 3'], ['Poke\u0301mon', 'Pok\u00e9mon 52258CD4 slot 3'], ['\u{1D518}x', 'x 52258CD4 slot 3'],
  ['a'.repeat(100), `${'a'.repeat(48)} 52258CD4 slot 3`],
])('the state of a slot of %s is %s', (game, wanted) => {
  expect(slotName(game, '0x52258CD4', 3)).toBe(wanted);
  expect(slotName(game, '0x52258CD4', 3)).toMatch(NamePattern);
});

test.each([['\u0939\u093f\u0928\u094d\u0926\u0940', true], ['\u0e44\u0e17\u0e22 1', true], ['x\u0301', true], ['\u0301x', false], ['\u{1D518}', false], ['a ', false], ['auto.1', false]])('%s is a name: %s', (name, wanted) => {
  expect(NamePattern.test(name)).toBe(wanted);
});

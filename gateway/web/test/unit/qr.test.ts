import { expect, test } from 'vitest';
import { qrPath } from '../../src/views/play/qr';

test('what no block covers is dark', () => {
  expect(qrPath(['█▀▄', '█ ▀'])).toBe('M1 1h1v1h-1zM2 0h1v1h-1zM1 2h1v1h-1z');
});

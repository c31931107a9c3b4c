import { h } from 'preact';
import { expect, test } from 'vitest';
import { escapeTexts } from '../../src/ui/escaped';

test('marks of direction are shown as their numbers, and values stay', () => {
  escapeTexts();
  const name = 'game\u202Eabg.exe';
  const option = h('option', { value: name, title: name }, ['The ', name]);
  expect(option.props).toMatchObject({ value: name, title: 'game\\u202Eabg.exe', children: ['The ', 'game\\u202Eabg.exe'] });
});

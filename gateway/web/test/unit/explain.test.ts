import { expect, test } from 'vitest';
import { explain, stateText, type Situation } from '../../src/api/explain';
import type { Status } from '../../src/api/gateway';

const status = (state: Status['state'], detail?: string) => ({ id: '1', state, since: '', ...(detail ? { detail } : {}) }) as Status;
const situation = (changes: Partial<Situation>): Situation =>
  ({ isAway: false, isLate: false, status: status('ready'), socket: 'open', leaseHolder: null, holder: 'web-1', isOutdated: false, ...changes });

test('nothing is said when nothing is wrong', () => {
  expect(explain(situation({}))).toBeNull();
  expect(explain(situation({ status: null }))).toBeNull();
  expect(explain(situation({ status: status('leased'), leaseHolder: 'web-1' }))).toBeNull();
});

test.each(['connecting', 'script-missing', 'wrong-version', 'other-program', 'refused', 'silent', 'paused', 'stopped', 'crashed', 'no-game'] as const)('%s is one sentence', (state) => {
  expect(explain(situation({ status: status(state) }))?.text).toMatch(/^[A-Z][^.]+\.$/);
});

test('a halt is said with its reason, and can be ended', () => {
  expect(explain(situation({ status: status('halted'), halt: 'Breakpoint 1: update.' }))).toEqual({ level: 'wait', text: 'Breakpoint 1: update.', canContinue: true });
  expect(explain(situation({ status: status('halted') }))?.text).toMatch(/^A debugger has halted the game/);
});

test('a game that was paused between the steps of a lease is paused', () => {
  expect(explain(situation({ status: { ...status('leased'), process: { paused: true } as NonNullable<Status['process']> }, leaseHolder: 'web-1' }))?.text).toBe('The game is paused, and its next step waits.');
});

test('a new build is offered also while the game does not run', () => {
  const process = { romCrc32: '0x1', newRomCrc32: '0x2' } as NonNullable<Status['process']>;
  const build = 'The ROM was built again (CRC32 0x2; 0x1 runs).';
  expect(explain(situation({ status: { ...status('ready'), process } }))).toEqual({ level: 'info', text: build, canRestart: true });
  expect(explain(situation({ status: { ...status('crashed'), process } }))).toEqual({ level: 'bad', text: `The game crashed: reset it or load an earlier state. ${build}`, canRestart: true });
  expect(explain(situation({ status: { ...status('leased'), process }, leaseHolder: 'bot' }))?.text).toMatch(/^bot has control/);
});

test('the worst is said first', () => {
  const all = { isAway: true, status: status('leased'), socket: 'waiting' as const, leaseHolder: 'bot', isOutdated: true, isLate: true };
  expect(explain(situation(all))?.text).toMatch(/^The gateway does not answer.*: mgba-bridge run$/);
  expect(explain(situation({ ...all, isAway: false }))?.text).toContain('all six connections');
  const answers = { ...all, isAway: false, isLate: false };
  expect(explain(situation(answers))).toMatchObject({ canReload: true });
  expect(explain(situation({ ...answers, isOutdated: false }))?.text).toContain('was cut');
  expect(explain(situation({ ...answers, isOutdated: false, socket: 'open' }))?.text).toMatch(/^bot has control/);
});

test('the gateway says which program has the port', () => {
  expect(explain(situation({ status: status('other-program', 'It answers like a web server.') }))?.text).toMatch(/port of the emulator\. It answers like a web server\.$/);
  expect(explain(situation({ status: status('wrong-version', 'It is script 0.0.9.') }))?.text).toBe('Script and gateway have different versions. It is script 0.0.9.');
});

test('a window of the gateway without the script is not called gone', () => {
  const of = (window: boolean, pid: number) =>
    explain(situation({ status: { ...status('script-missing'), process: { window, pid } as NonNullable<Status['process']> } }))?.text;
  expect(of(true, 42)).toBe('The window of mGBA is open, but the script is not loaded in it.');
  expect(of(true, 0)).toContain('The emulator is not connected');
});

test('a game that the gateway starts again is not said to need anything', () => {
  const of = (lastFault?: object) =>
    explain(situation({ status: { ...status('script-missing'), process: { window: false, pid: 0, lastFault } as NonNullable<Status['process']> } }))?.text;
  expect(of()).toBe('The emulator is starting.');
  expect(of({ reason: 'it was killed (SIGKILL)' })).toBe('The emulator ended: it was killed (SIGKILL). The gateway starts it again.');
  expect(of({ reason: 'it was killed (SIGKILL)', restartedAt: '2026-11-26T18:00:00Z' })).toBe('The emulator is starting.');
});

test('the state is said in words that need no manual', () => {
  const process = (window: boolean, pid: number) => ({ window, pid }) as NonNullable<Status['process']>;
  expect(stateText({ ...status('leased'), leaseHolder: 'web-1' }, false, 'web-1')).toBe('you have control');
  expect(stateText({ ...status('leased'), leaseHolder: 'bot' }, false, 'web-1')).toBe('another has control');
  expect(stateText(status('script-missing'), false, 'web-1')).toBe('not connected');
  expect(stateText({ ...status('script-missing'), process: process(true, 42) }, false, 'web-1')).toBe('script not loaded');
  expect(stateText({ ...status('script-missing'), process: process(false, 0) }, false, 'web-1')).toBe('starting');
  expect(stateText(status('no-game'), true, 'web-1')).toBe('no gateway');
});

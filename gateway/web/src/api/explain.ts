import { isRestarted, lacksScript, type Status } from './gateway';
import type { SocketState } from './socket';

/** What the page knows about its connection. */
export type Situation = {
  isAway: boolean;
  isLate: boolean;
  status: Status | null;
  socket: SocketState | null;
  leaseHolder: string | null;
  holder: string;
  isOutdated: boolean;
  /** Why a debugger has halted the game; null when that is not known, or said elsewhere. */
  halt?: string | null;
};

export type Notice = { level: 'bad' | 'wait' | 'info'; text: string; canReload?: boolean; canEndControl?: boolean; canRestart?: boolean; canContinue?: boolean };

const Sentences: Record<Exclude<Status['state'], 'ready' | 'leased'>, string> = {
  paused: 'The game is paused.',
  halted: 'A debugger has halted the game. It runs when the debugger continues or ends.',
  stopped: 'The game stopped its machine: reset it or load a state.',
  crashed: 'The game crashed: reset it or load an earlier state.',
  'no-game': 'No game is loaded.',
  silent: 'The emulator is connected, but no frame runs: continue the game, or close its menu or dialog.',
  'wrong-version': 'Script and gateway have different versions.',
  'other-program': 'Another program has the port of the emulator.',
  refused: 'The emulator refuses the gateway.',
  'script-missing': 'The emulator is not connected; the page continues when it is.',
  connecting: 'The gateway is connecting to the emulator.',
};

const Words: Record<Exclude<Status['state'], 'leased' | 'script-missing'>, string> = {
  ready: 'ready', paused: 'paused', halted: 'halted', stopped: 'stopped', crashed: 'crashed', 'no-game': 'no game', silent: 'no frame runs', 'wrong-version': 'other version',
  'other-program': 'other program', refused: 'refused', connecting: 'connecting',
};

/** The state in two or three words: `explain` says the rest. */
export function stateText(status: Status, isAway: boolean, holder: string): string {
  if (isAway) {
    return 'no gateway';
  }
  if (status.state === 'leased') {
    return status.leaseHolder === holder ? 'you have control' : 'another has control';
  }
  if (status.state === 'script-missing') {
    return isRestarted(status) ? 'starting' : lacksScript(status) ? 'script not loaded' : 'not connected';
  }
  return Words[status.state];
}

/** Why a game is not there that the gateway starts again. */
export function restartText({ process }: Status): string {
  const fault = process?.lastFault;
  return fault && !fault.restartedAt ? `The emulator ended: ${fault.reason}. The gateway starts it again.` : 'The emulator is starting.';
}

const WindowWithoutScript = 'The window of mGBA is open, but the script is not loaded in it.';

/** One sentence about what is wrong, or null. */
export function explain(situation: Situation): Notice | null {
  const { isAway, status, socket, leaseHolder, holder } = situation;
  if (isAway) {
    return { level: 'bad', text: 'The gateway does not answer; the page tries again. To start it: mgba-bridge run' };
  }
  if (situation.isLate) {
    return { level: 'wait', text: 'The gateway has not answered for 5 s. If other tabs show events or pictures of it, they may have taken all six connections that a browser opens: close some, or let them use the WebSocket.' };
  }
  if (situation.isOutdated) {
    return { level: 'info', text: 'The gateway was updated; reload the page to use its new version.', canReload: true };
  }
  if (status === null) {
    return null;
  }
  if (status.state === 'halted') {
    return { level: 'wait', text: situation.halt ?? Sentences.halted, canContinue: true };
  }
  if (status.state !== 'ready' && status.state !== 'leased') {
    const bad = ['wrong-version', 'other-program', 'refused', 'crashed'].includes(status.state);
    const detail = status.detail && ['wrong-version', 'other-program', 'refused'].includes(status.state) ? ` ${status.detail}` : '';
    const isAbsent = isRestarted(status) && ['connecting', 'script-missing'].includes(status.state);
    const notice: Notice = { level: bad ? 'bad' : 'wait', text: isAbsent ? restartText(status) : lacksScript(status) ? WindowWithoutScript : Sentences[status.state] + detail };
    const build = ['paused', 'stopped', 'crashed'].includes(status.state) ? newBuild(status) : null;
    return build === null ? notice : { ...build, level: notice.level, text: `${notice.text} ${build.text}` };
  }
  if (socket === 'waiting') {
    return { level: 'wait', text: 'The connection to the gateway was cut; the page reconnects.' };
  }
  if (status.state === 'leased' && status.process?.paused) {
    return { level: 'wait', text: `${Sentences.paused.slice(0, -1)}, and its next step waits.` };
  }
  if (status.saveProblem) {
    return { level: 'bad', text: `What the game saves is not on disk: ${status.saveProblem}.` };
  }
  // without a holder the lease has just ended, and the status is older
  if (status.state === 'leased' && leaseHolder !== null && leaseHolder !== holder) {
    return { level: 'info', text: `${leaseHolder} has control: the game runs only in its steps, and keys of others are refused.`, canEndControl: true };
  }
  return newBuild(status);
}

function newBuild({ process }: Status): Notice | null {
  return process?.newRomCrc32
    ? { level: 'info', text: `The ROM was built again (CRC32 ${process.newRomCrc32}; ${process.romCrc32 ?? 'another one'} runs).`, canRestart: true } : null;
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { useRole } from '../api/allowed';
import { explain, type Notice } from '../api/explain';
import { isAway } from '../api/away';
import { current, gameName, isLate, isOutdated, poll, socket } from '../api/gateway';
import { call, holder } from '../api/http';
import { useOpenSocket, useTopic } from '../api/hooks';
import { useAction, useStore } from '../ui/hooks';
import { sentence } from '../ui/format';
import { tell, toast } from '../ui/toast';
import { endControl, leaseHolder } from '../api/control';
import { debugged, haltText, resume } from '../api/debugger';
import { link as linkTo, route } from '../ui/router';

/** The sentence about what is wrong, or nothing. */
function useNotice(): Notice | null {
  const link = useStore(socket);
  const halted = useStore(debugged);
  const [cut, setCut] = useState(false);
  useEffect(() => {
    setCut(false);
    return link?.state.follow(() => setCut(link.state.value === 'waiting'));
  }, [link]);
  return explain({
    isAway: useStore(isAway), isLate: useStore(isLate), status: useStore(current), socket: link === null ? null : cut ? 'waiting' : 'open',
    halt: halted === null ? null : haltText(halted.now), leaseHolder: useStore(leaseHolder), holder: useStore(holder), isOutdated: useStore(isOutdated),
  });
}

export function NoticeBar() {
  const notice = useNotice();
  const role = useRole();
  const { view } = useStore(route);
  const open = useOpenSocket();
  const isSaidThere = view === 'debug' && notice?.canContinue === true; // the view Debug says it itself
  const restart = useAction();
  return (
    <div role="status" aria-live="polite" class="notice-place">
      {notice && !isSaidThere && (
        <p class={`notice ${notice.level}`}>
          <span>{notice.text}</span>
          {notice.canEndControl && role === 'owner' && <button type="button" onClick={() => void endControl().catch((error: unknown) => tell(sentence(error), true))}>End control</button>}
          {notice.canContinue && <a class="button" href={linkTo('debug')}>Debug</a>}
          {notice.canContinue && role === 'owner' && <button type="button" disabled={open === null} onClick={() => void resume(open!).catch((error: unknown) => tell(sentence(error), true))}>Continue</button>}
          {notice.canRestart && role === 'owner' && <button type="button" disabled={restart.isBusy} title="It saves its game, and starts with the new ROM" onClick={() => void restart.run(restartEmulator)}>Restart with it</button>}
          {notice.canReload && <button type="button" onClick={() => location.reload()}>Reload</button>}
        </p>
      )}
      {restart.error && <p class="error" role="alert">{restart.error}</p>}
    </div>
  );
}

async function restartEmulator(): Promise<void> {
  const id = current.value?.id;
  if (id !== undefined) {
    await call('post', '/v2/emulators/{id}/restart', { path: { id } });
    await poll();
  }
}

/** Tells when another game or another person changes what is seen. */
export function Announcer() {
  useOpenSocket();
  const opened = useRef('');
  useTopic('game', (name, event) => {
    const moment = `${event.epoch} ${event.frame}`;
    if (name === 'game.opened') {
      opened.current = moment;
      tell(`Another game was opened: ${event.title?.trim() || (current.value && gameName(current.value)) || 'unknown'}.`);
    } else if (name === 'game.reset' && moment !== opened.current) { // a game begins with a reset
      tell('The game was reset.');
    } else if (name === 'game.save') {
      tell(event.problem ? `The save file cannot be written: ${event.problem}.` : 'The save file is written again.', Boolean(event.problem));
    } else if (name === 'game.crashed') {
      tell('The game crashed.', true);
    }
  });
  useTopic('emulator', (name, event) => {
    if (name === 'emulator.lost') {
      tell(`The emulator was lost${event.reason ? `: ${event.reason}` : ''}.`, true);
    } else if (name === 'emulator.restarted') {
      tell('The emulator was restarted.');
    } else if (name === 'emulator.message' && event.reason) {
      tell(event.reason);
    }
  });
  const shown = useStore(toast);
  return (
    <div class="toast-place" role="status" aria-live="polite">
      {shown && <p class={shown.bad ? 'toast bad' : 'toast'}>{shown.text}</p>}
    </div>
  );
}

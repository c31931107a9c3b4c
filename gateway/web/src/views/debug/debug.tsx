import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useRefusal, useRole } from '../../api/allowed';
import { addPoint, back, debugged, type Debugger, halt, haltText, hasDebugger, type PointEntry, readPoints, removePoint, resume, step } from '../../api/debugger';
import { current, isConnected } from '../../api/gateway';
import { call } from '../../api/http';
import { useDomains, useOpenSocket } from '../../api/hooks';
import { hex, sentence } from '../../ui/format';
import { usePolling, useStore } from '../../ui/hooks';
import { Icon, type IconName } from '../../ui/icons';
import { route } from '../../ui/router';
import { Bytes } from './bytes';
import { locationOf, modeOf, type Name, namesOf, type Place } from './code';
import { Devices } from './devices';
import { Disassembly, pointAt } from './disassembly';
import { History } from './history';
import { type Command, commandOf, Shortcuts } from './keys';
import { Points } from './points';
import { RegisterCard } from './registers';
import { Stack } from './stack';

/** The debugger, or why there is none. */
export function Debug() {
  const status = useStore(current);
  if (status !== null && isConnected(status) && !hasDebugger(status)) {
    return (
      <>
        <h1 class="view-title">Debug</h1>
        {status.state === 'no-game'
          ? <section class="card empty"><b>No game is loaded</b>Load one in the emulator.</section>
          : <section class="card empty"><b>This game runs in a window of mGBA</b>A window has no debugger for scripts. Start the game without a window, under Emulators or with <code>mgba-bridge run game.gba</code>, to debug it here.</section>}
      </>
    );
  }
  return <Debugging key={`${status?.id} ${status?.epoch}`} />;
}

function Debugging() {
  const link = useOpenSocket();
  const status = useStore(current);
  const { parameters } = useStore(route);
  const { domains } = useDomains();
  const now = useStore(debugged)?.now ?? null;
  const refusal = useRefusal('post', '/v2/debug/halt');
  const role = useRole();
  const platform = status?.platform ?? 'gba';
  const [names, setNames] = useState<readonly Name[]>([]);
  const [points, setPoints] = useState<readonly PointEntry[]>([]);
  const [selected, setSelected] = useState<Place | null>(null);
  const [wanted, setWanted] = useState<{ place: Place | null }>({ place: null });
  const [bytes, setBytes] = useState({ text: 'sp' });
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const busy = useRef<Command | null>(null);
  const code = useRef<HTMLElement>(null);

  useEffect(() => {
    if (link !== null && domains.length > 0) {
      call('get', '/v2/symbols', { emulator: status?.id, query: { limit: 10_000 } }).then(({ symbols }) => setNames(namesOf(symbols, domains, platform)), () => setNames([]));
    }
  }, [link, domains]);
  const at = parameters.get('at');
  useEffect(() => {
    if (at !== null && link !== null) {
      setWanted({ place: { address: at } });
    }
  }, [at, link]);
  const list = async () => { link !== null && setPoints(await readPoints(link)); };
  usePolling(1000, list, [link, now?.halt]);

  const attempt = async (what: () => Promise<unknown>) => {
    try {
      setError(null);
      await what();
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  const toggle = (place: Place) => attempt(async () => {
    const point = pointAt(points, place);
    if (point) {
      await removePoint(link!, point.point);
    } else {
      await addPoint(link!, { kind: 'execute', location: locationOf(place, platform) });
    }
    await list();
  });
  const isHalted = now?.halted === true;
  const run = (command: Command) => {
    const why = refusal ?? (link === null ? 'The connection to the gateway is lost.' : undefined);
    if (why !== undefined) {
      setError(why);
    } else if (command === 'point') {
      if (selected !== null) {
        void toggle(selected);
      }
    } else if (command === 'run' && !isHalted) {
      void attempt(() => halt(link!));
    } else if (isHalted && busy.current === null && !(command === 'to' && selected === null)) {
      busy.current = command;
      void attempt(() => (command === 'run' ? resume(link!) : command === 'back' ? back(link!, 'step') : command === 'back-to-point' ? back(link!, 'point') : step(link!, command, command === 'to' ? locationOf(selected!, platform) : undefined))).finally(() => { busy.current = null; });
    }
  };
  const newest = useRef(run);
  newest.current = run;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const command = commandOf(event, target.matches('input, select, textarea') || target.closest('[aria-label^="Bytes of"]') !== null);
      if (command !== null && document.querySelector('dialog[open]') === null) {
        event.preventDefault();
        newest.current(command);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const showCode = useMemo(() => (place: Place) => {
    setWanted({ place });
    code.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const go = (event: Event) => {
    event.preventDefault();
    const register = now?.registers[text.trim().toLowerCase()];
    showCode({ address: register === undefined ? text.trim() : `0x${hex(register, 8)}` });
  };
  const showPoint = (point: PointEntry) => (point.kind === 'execute' || point.kind === 'interrupt' ? showCode({ address: point.first, bank: point.bank }) : setBytes({ text: point.first }));
  const isOff = refusal !== undefined || link === null;

  return (
    <div class="debug">
      <h1 class="view-title">Debug</h1>
      <div class="card debug-bar">
        <div class="debug-tools debug-steps" role="toolbar" aria-label="Debugger">
          <Tool command="run" icon={isHalted ? 'resume' : 'pause'} label={isHalted ? 'Continue' : 'Halt'} short={isHalted ? 'Continue' : 'Halt'} refusal={refusal} isOff={isOff} isPrimary onRun={run} />
          <Tool command="over" icon="over" label="Step over" short="Over" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
          <Tool command="into" icon="into" label="Step into" short="Into" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
          <Tool command="out" icon="out" label="Step out" short="Out" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
          <Tool command="to" icon="to" label="Run to here" short="To here" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
        </div>
        <div class="debug-tools" role="toolbar" aria-label="Back">
          <Tool command="back" icon="undo" label="Step back" short="Back" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
          <Tool command="back-to-point" icon="back" label="Back to the last point" short="Back to point" refusal={refusal} isOff={isOff || !isHalted} onRun={run} />
        </div>
        <p class={`debug-reason ${isHalted ? 'halted' : ''}`} role="status">{reasonText(link !== null, now)}</p>
        {role !== null && role !== 'owner' && <p class="quiet">Only an owner can halt the game, step and set breakpoints; your role is {role}.</p>}
        {error && <p class="error" role="alert">{error}</p>}
      </div>
      <div class="debug-columns">
        <div class="stack">
          <section class="card debug-code-card" aria-labelledby="code-title" ref={code}>
            <div class="card-head">
              <h2 id="code-title">Code</h2>
              <form class="group" onSubmit={go}>
                <input aria-label="Place in the code" placeholder="Address, name, register" list="debug-names" required value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
                <button type="submit">Go</button>
              </form>
              <button type="button" disabled={!isHalted} title="Show the instruction that is executed next" onClick={() => now?.pc && showCode({ address: now.pc, bank: now.bank, mode: modeOf(now.registers) })}>Current</button>
            </div>
            <Disassembly link={link} platform={platform} points={points} wanted={wanted} selected={selected} onSelect={({ address, bank }) => setSelected({ address, bank })} onToggle={(place) => (isOff ? run('point') : void toggle(place))}
              onCode={showCode} onData={(address) => setBytes({ text: `0x${hex(address, 8)}` })} />
            <p class="quiet key-hint"><kbd>F9</kbd> or <kbd>Space</kbd> sets a breakpoint in the selected row, <kbd>Enter</kbd> follows its link. Letters as in GDB: <kbd>C</kbd> <kbd>N</kbd> <kbd>S</kbd> <kbd>F</kbd> <kbd>U</kbd> <kbd>B</kbd> for continue, over, into, out, to here and breakpoint; <kbd>P</kbd> and <kbd>R</kbd> step back and go back to a point, while the history is kept.</p>
          </section>
          <Points link={link} points={points} names={names} onChange={list} onShow={showPoint} />
        </div>
        <div class="stack">
          <RegisterCard link={link} />
          <Stack link={link} platform={platform} names={names} onCode={(address) => showCode({ address: `0x${hex(address, 8)}`, bank: now?.bank })} />
          <Bytes link={link} emulator={status?.id} domains={domains} wanted={bytes} />
          <History link={link} wanted={parameters.get('writers')} onCode={(address, bank) => showCode({ address, bank })} />
          <Devices link={link} />
        </div>
      </div>
    </div>
  );
}

/** What the game does now, in a sentence. */
export function reasonText(isOpen: boolean, now: Debugger | null): string {
  if (!isOpen) {
    return 'The connection is lost. A game that this page has halted runs on; its breakpoints are set again with the connection.';
  }
  return now === null ? 'Asking the debugger…' : haltText(now) ?? 'The game runs.';
}

function Tool({ command, icon, label, short, refusal, isOff, isPrimary = false, onRun }: {
  command: Command; icon: IconName; label: string; short: string; refusal: string | undefined; isOff: boolean; isPrimary?: boolean; onRun: (command: Command) => void;
}) {
  const { text, letter } = Shortcuts[command];
  // a button that is disabled while the game runs for a moment would lose the focus
  return (
    <button type="button" class={isPrimary ? 'primary' : undefined} disabled={refusal !== undefined} aria-label={label} aria-disabled={isOff} aria-keyshortcuts={text} title={refusal ?? `${label} (${text} or ${letter.toUpperCase()})`}
      onClick={() => isOff || onRun(command)}>
      <Icon name={icon} />{short}<kbd>{text}</kbd>
    </button>
  );
}

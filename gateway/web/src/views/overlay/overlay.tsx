import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { current, gameName, isConnected, pinned } from '../../api/gateway';
import { isNumberType, readNumbers, type NumberType } from '../../api/memory';
import { RequestError } from '../../api/problem';
import type { Socket } from '../../api/socket';
import { follow, leaseHolder } from '../../api/control';
import { sound } from '../../api/sound';
import { route } from '../../ui/router';
import { numberText, sentence } from '../../ui/format';
import { useOpenSocket, useTopic } from '../../api/hooks';
import { usePolling, useStore } from '../../ui/hooks';
import { Screen } from '../play/screen';
import { useSound } from '../play/sound';
import { Pad } from './pad';
import { Votes } from './votes';
import { clock, parse, type Entry, type Options } from './options';

const ValuesEvery = 200;
const PlayersEvery = 500;

type HeldBy = { holder: string; keys: string[] };

/** What OBS lays over a picture: transparent, without navigation, and empty while there is no game. */
export function Overlay() {
  const { parameters } = useStore(route);
  const options = useMemo(() => parse(parameters), [parameters]);
  const emulator = typeof options === 'string' ? null : options.emulator;
  useTopic('lease', (_, event) => follow(event.holder));
  useEffect(() => {
    pinned.value = emulator;
    document.documentElement.dataset.overlay = '';
    document.title = 'Overlay · mGBA-bridge';
    return () => {
      pinned.value = null;
      delete document.documentElement.dataset.overlay;
    };
  }, [emulator]);
  return typeof options === 'string'
    ? <main class="overlay"><h1 class="visually-hidden">Overlay</h1><p class="overlay-panel overlay-error" role="alert">{options}</p></main>
    : <main class={`overlay at-${options.at}`} style={{ fontSize: `${options.size}%` }}><h1 class="visually-hidden">Overlay</h1><Panels options={options} /></main>;
}

/** The panels of an overlay. */
export function Panels({ options }: { options: Options }) {
  const link = useOpenSocket();
  const status = useStore(current);
  const keys = useKeys(link);
  const isOn = link !== null && status !== null && isConnected(status) && (options.emulator === null || status.id === options.emulator);
  if (!isOn) {
    return null;
  }
  const shows = (part: string) => options.show.some((one) => one === part);
  return (
    <>
      {shows('screen') && (
        <div class="overlay-screen" style={{ width: `${240 * options.scale}px`, height: `${160 * options.scale}px` }}>
          <Screen link={link} title={gameName(status) || 'the game'} onPicture={() => undefined} />
        </div>
      )}
      {shows('sound') && <Sound link={link} />}
      {shows('keys') && <Pad down={keys} />}
      {shows('watch') && <Values link={link} entries={options.watch} />}
      {shows('players') && <Players link={link} keys={keys} />}
      {shows('votes') && <Votes link={link} />}
      {shows('timer') && <Timer link={link} from={options.from} />}
      {shows('frame') && <Frame link={link} />}
    </>
  );
}

function Sound({ link }: { link: Socket }) {
  useSound(link, true);
  const { error } = useStore(sound);
  return error === null ? null : <p class="overlay-panel overlay-error" role="alert">{error}</p>;
}

function useKeys(link: Socket | null): readonly string[] {
  const [down, setDown] = useState<readonly string[]>([]);
  useTopic('keys/1', (_, event) => setDown(event.keys ?? []));
  useEffect(() => {
    link?.request<{ keys: string[] }>('keys.get').then((answer) => setDown(answer.keys), () => undefined);
  }, [link]);
  return down;
}

function Values({ link, entries }: { link: Socket; entries: readonly Entry[] }) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<string | null>(null);
  const names = entries.filter(({ source }) => !source.includes('/')).map(({ source }) => source);
  const reads = entries.filter(({ source }) => source.includes('/')).map(({ source }) => {
    const [location, type] = source.split('/', 2) as [string, string];
    return { source, location, type };
  });
  usePolling(ValuesEvery, async () => {
    const found = new Map<string, string>();
    const wrong = reads.find(({ type }) => !isNumberType(type));
    if (wrong) {
      setError(`${wrong.source}: the type is u8, s8, u16, s16, u32 or s32.`);
      return;
    }
    try {
      if (names.length > 0) {
        const answer = await link.request<{ values: { value: unknown }[] }>('values.readMany', { names });
        names.forEach((name, index) => { found.set(name, text(answer.values[index]?.value)); });
      }
      if (reads.length > 0) {
        const answer = await readNumbers(link, reads.map(({ location, type }) => ({ location, type: type as NumberType })));
        reads.forEach(({ source }, index) => { found.set(source, numberText(answer.values[index]!)); });
      }
      setValues(found);
      setError(null);
    } catch (thrown) {
      // a wrong name or place is a mistake in the address; anything else passes
      setError(thrown instanceof RequestError && [400, 404].includes(thrown.status) ? sentence(thrown) : null);
    }
  }, [link, entries]);
  if (entries.length === 0) {
    return <p class="overlay-panel overlay-error" role="alert">watch names no values: watch=score,HP=0x02000024/u16</p>;
  }
  return (
    <>
      {error !== null && <p class="overlay-panel overlay-error" role="alert">{error}</p>}
      <dl class="overlay-panel overlay-values">
        {entries.map(({ label, source }) => <div key={source}><dt>{label}</dt><dd data-value={source}>{values.get(source) ?? '–'}</dd></div>)}
      </dl>
    </>
  );
}

function text(value: unknown): string {
  return typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function Players({ link, keys }: { link: Socket; keys: readonly string[] }) {
  const leasedBy = useStore(leaseHolder);
  const [holders, setHolders] = useState<HeldBy[]>([]);
  const isStale = useRef(true);
  useEffect(() => {
    isStale.current = true;
  }, [keys, link]);
  usePolling(PlayersEvery, async () => {
    if (isStale.current) {
      isStale.current = false;
      setHolders((await link.request<{ holders: HeldBy[] }>('keys.get')).holders);
    }
  }, [link]);
  const names = [...new Set([...(leasedBy === null ? [] : [leasedBy]), ...holders.map(({ holder }) => holder)])];
  if (names.length === 0) {
    return null;
  }
  return (
    <ul class="overlay-panel overlay-players plain-list">
      {names.map((name) => <li key={name} class={name === leasedBy ? 'in-control' : ''}>{name}{name === leasedBy && <span class="visually-hidden"> has control</span>}</li>)}
    </ul>
  );
}

function Frame({ link }: { link: Socket }) {
  const [sample, setSample] = useState<{ frame: number; fps: number } | null>(null);
  const last = useRef<{ frame: number; at: number } | null>(null);
  usePolling(500, async () => {
    const { frame } = await link.request<{ frame: number }>('ping');
    const at = performance.now();
    const before = last.current;
    last.current = { frame, at };
    setSample({ frame, fps: before === null || frame < before.frame ? 0 : ((frame - before.frame) * 1000) / (at - before.at) });
  }, [link]);
  return sample === null ? null : <p class="overlay-panel overlay-frame"><b data-overlay-frame>{numberText(sample.frame)}</b><span>{sample.fps.toFixed(0)} fps</span></p>;
}

function Timer({ link, from }: { link: Socket; from: number }) {
  const [frame, setFrame] = useState<number | null>(null);
  usePolling(250, async () => setFrame((await link.request<{ frame: number }>('ping')).frame), [link]);
  return frame === null ? null : <p class="overlay-panel overlay-timer" data-overlay-timer>{clock(frame - from)}</p>;
}

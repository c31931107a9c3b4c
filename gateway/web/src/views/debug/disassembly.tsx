import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRefusal } from '../../api/allowed';
import { debugged, type PointEntry } from '../../api/debugger';
import type { Socket } from '../../api/socket';
import { hex, sentence } from '../../ui/format';
import { useStore } from '../../ui/hooks';
import { type Instruction, type Listing, type Mode, modeOf, partsOf, type Place, readAgain, readAround, readBefore, readMore } from './code';

const MostRows = 1024;
const RowsAbove = 5; // the one that is shown

/** The point in front of an instruction. */
export const pointAt = (points: readonly PointEntry[], { address, bank }: Place): PointEntry | undefined =>
  points.find((point) => point.kind === 'execute' && Number(point.first) <= Number(address) && Number(address) <= Number(point.last) && (typeof point.bank !== 'number' || typeof bank !== 'number' || point.bank === bank));

/** The code around the instruction that is executed next, or around the place that was asked for. */
export function Disassembly({ link, platform, points, wanted, selected, onSelect, onToggle, onCode, onData }: {
  link: Socket | null; platform: string; points: readonly PointEntry[]; wanted: { place: Place | null }; selected: Place | null;
  onSelect: (place: Place) => void; onToggle: (place: Place) => void; onCode: (place: Place) => void; onData: (address: number) => void;
}) {
  const now = useStore(debugged)?.now ?? null;
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<string | null>(null);
  const refusal = useRefusal('post', '/v2/debug/points');
  const box = useRef<HTMLDivElement>(null);
  const reveal = useRef<string | null>(null);
  const turns = useRef({ begun: 0, shown: 0 });
  const isFocused = useRef(false);
  const current = now?.halted ? now.pc ?? null : null;
  const isAt = (one: Instruction, place: Place | null) => place !== null && Number(one.address) === Number(place.address) && (typeof place.bank !== 'number' || typeof one.bank !== 'number' || place.bank === one.bank);

  /** Shows what a reading finds, unless that of a later one is shown. */
  const show = (reading: () => Promise<Listing & { at?: Instruction | null; seen?: string }>) => {
    turns.current.begun += 1;
    const mine = turns.current.begun;
    setError(null);
    reading().then((found) => {
      if (mine > turns.current.shown) {
        turns.current.shown = mine;
        reveal.current = found.seen ?? found.at?.address ?? null;
        setListing({ instructions: found.instructions, mode: found.mode });
        if (found.at) {
          onSelect(found.at);
        }
      }
    }, (thrown: unknown) => setError(sentence(thrown)));
  };
  const key = `${now?.halted ? now.halt : 'runs'} ${current}`;
  const isKnown = now !== null;
  useEffect(() => {
    if (link === null || now === null || (!now.halted && listing !== null)) {
      return; // of a game that runs, what was shown stays
    }
    const mode = modeOf(now.registers);
    const row = listing?.mode === mode ? listing.instructions.findIndex((one) => isAt(one, { address: current ?? '', bank: now.bank })) : -1;
    if (current === null) {
      show(() => readAround(link, { mode }, platform));
      return;
    }
    onSelect({ address: current, bank: now.bank }); // now: until the code is read another row may be selected
    show(async () => {
      const { instructions } = row >= 0 && row < listing!.instructions.length - 4
        ? { instructions: await readAgain(link, listing!, platform) } : await readAround(link, { address: current, bank: now.bank, mode }, platform);
      return { instructions, mode, seen: current };
    });
  }, [link, key, isKnown]);
  useEffect(() => {
    if (link !== null && wanted.place !== null) {
      const { place } = wanted;
      show(() => readAround(link, place, platform));
    }
  }, [wanted, isKnown]);
  const earlier = () => {
    const first = listing!.instructions[0]!;
    show(async () => {
      const before = await readBefore(link!, Number(first.address), first.bank, listing!.mode, platform, 32);
      return { instructions: [...before, ...listing!.instructions].slice(0, MostRows), mode: listing!.mode, seen: first.address };
    });
  };
  const later = () => show(async () => ({ instructions: [...listing!.instructions, ...await readMore(link!, listing!, platform)].slice(-MostRows), mode: listing!.mode }));
  useLayoutEffect(() => {
    const place = box.current;
    const all = [...(place?.querySelectorAll<HTMLElement>('.debug-row') ?? [])];
    const index = all.findIndex((one) => one.dataset.address === reveal.current);
    reveal.current = null;
    if (place && index >= 0) {
      const { offsetTop, offsetHeight } = all[index]!;
      if (offsetTop < place.scrollTop + offsetHeight || offsetTop + 4 * offsetHeight > place.scrollTop + place.clientHeight) {
        place.scrollTop = all[Math.max(0, index - RowsAbove)]!.offsetTop;
      }
    }
  }, [listing]);
  const rows = listing?.instructions ?? [];
  const cursor = rows.findIndex((one) => isAt(one, selected));
  useEffect(() => {
    if (isFocused.current) {
      const row = box.current?.querySelector<HTMLElement>('[tabindex="0"]');
      row?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: 'nearest' });
    }
  }, [cursor]);
  const move = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -16, PageDown: 16, Home: -rows.length, End: rows.length }[event.key];
    const row = rows[Math.max(0, cursor)];
    if (by !== undefined && rows.length > 0) {
      event.preventDefault();
      onSelect(rows[Math.max(0, Math.min(rows.length - 1, cursor + by))]!);
    } else if ((event.target as HTMLElement).matches('button')) {
      // it does what it says
    } else if (event.key === ' ' && row) {
      event.preventDefault();
      onToggle(row);
    } else if (event.key === 'Enter' && row) {
      const { link: to } = partsOf(row);
      if (to) {
        event.preventDefault();
        follow(to);
      }
    }
  };
  const follow = (to: { address: number; bank: number | null; isData: boolean }) => (to.isData ? onData(to.address) : onCode({ address: `0x${hex(to.address, 8)}`, bank: to.bank, mode: listing?.mode }));
  if (listing === null) {
    return error ? <p class="error" role="alert">{error}</p> : <p class="quiet">Reading the code…</p>;
  }
  const focusable = Math.max(0, cursor);
  return (
    <>
      {error && <p class="error" role="alert">{error}</p>}
      <div class="debug-code" ref={box}>
        <button type="button" class="small debug-more" disabled={link === null} onClick={earlier}>Earlier</button>
        <div role="grid" aria-label="Code" aria-rowcount={-1} onKeyDown={move} onFocusIn={() => { isFocused.current = true; }} onFocusOut={() => { isFocused.current = false; }}>
          {rows.map((one, index) => {
            const point = pointAt(points, one);
            const isCurrent = current !== null && isAt(one, { address: current, bank: now?.bank });
            const label = one.symbol && (index === 0 || !one.symbol.includes('+')) ? one.symbol : null;
            const parts = partsOf(one);
            return (
              <div key={`${one.bank ?? ''} ${one.address}`} role="row" class={`debug-row${isCurrent ? ' current' : ''}`} data-address={one.address} aria-selected={index === cursor} aria-current={isCurrent ? 'step' : undefined}
                tabIndex={index === focusable ? 0 : -1} onMouseDown={() => onSelect(one)} onFocus={() => index !== cursor && onSelect(one)}>
                {label && <span role="gridcell" class="debug-label">{label}:</span>}
                <span role="gridcell" class="debug-gutter">
                  <button type="button" tabIndex={-1} class={point ? (point.halts ? 'set' : 'set reports') : undefined} aria-label={`Breakpoint at ${one.address}`} aria-pressed={point !== undefined}
                    title={refusal ?? (point ? `Remove point ${point.point}` : 'Set a breakpoint')} disabled={link === null || refusal !== undefined} onClick={() => onToggle(one)} />
                </span>
                <span role="gridcell" class="debug-address">{addressText(one, platform)}</span>
                <span role="gridcell" class="debug-bytes wide" aria-hidden="true">{one.bytes}</span>
                <span role="gridcell" class="debug-text">
                  {parts.before}
                  {parts.link && <button type="button" tabIndex={-1} class="link" title={`${parts.link.isData ? 'Show in memory' : 'Show the code'}: 0x${hex(parts.link.address, 8)}`} onClick={() => follow(parts.link!)}>{parts.link.text}</button>}
                  {parts.after}
                </span>
              </div>
            );
          })}
        </div>
        <button type="button" class="small debug-more" disabled={link === null} onClick={later}>Later</button>
      </div>
      {platform === 'gba' && (
        <label class="check debug-mode"><span class="quiet">Instructions of</span>
          <select value={listing.mode} disabled={link === null || selected === null} onChange={(event) => selected && onCode({ ...selected, mode: event.currentTarget.value as Mode })}>
            <option value="arm">ARM</option><option value="thumb">Thumb</option>
          </select>
        </label>
      )}
    </>
  );
}

const addressText = ({ address, bank }: Instruction, platform: string): string => (platform === 'gb' ? `${hex(bank ?? 0, 2)}:${hex(Number(address), 4)}` : hex(Number(address), 8));


import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addressDigits, addressText, type Domain, locationIn, readRange } from '../../api/memory';
import type { Socket } from '../../api/socket';
import { hex } from '../../ui/format';
import { usePolling } from '../../ui/hooks';

const RowHeight = 22;
const MostRows = 100;
const HighestScroll = 8_000_000;
const ChangedFor = 1000;
const Interval = 100;

type Props = {
  link: Socket | null;
  domain: Domain;
  columns: number;
  selected: number;
  isLive: boolean;
  onSelect: (offset: number) => void;
  onWrite: (offset: number, value: number) => void;
  onBytes: (first: number, bytes: Uint8Array) => void;
};

/** The bytes of a domain: rows are drawn as they come into view, and bytes that have just changed are marked. */
export function HexGrid({ link, domain, columns, selected, isLive, onSelect, onWrite, onBytes }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState(20);
  const [top, setTop] = useState(Math.floor(selected / columns));
  const [view, setView] = useState<{ first: number; bytes: Uint8Array }>({ first: 0, bytes: new Uint8Array(0) });
  const changed = useRef(new Map<number, number>());
  const [typed, setTyped] = useState<string | null>(null);
  // keys may come faster than the grid is drawn
  const now = useRef({ offset: selected, typed: null as string | null });
  const isFocused = useRef(false);

  const total = Math.ceil(domain.size / columns);
  const highest = Math.max(0, total - rows + 1);
  const height = Math.min(total * RowHeight, HighestScroll);
  const perRow = total > rows ? (height - rows * RowHeight) / Math.max(1, highest) : RowHeight;

  const goTo = (row: number) => {
    const to = Math.max(0, Math.min(highest, row));
    setTop(to);
    if (place.current && Math.round(place.current.scrollTop / perRow) !== to) {
      place.current.scrollTop = to * perRow;
    }
  };
  const reveal = (offset: number) => {
    const row = Math.floor(offset / columns);
    if (row < top || row >= top + rows - 1) {
      goTo(row - Math.floor(rows / 3));
    }
  };

  useLayoutEffect(() => {
    const measure = () => setRows(Math.min(MostRows, Math.max(4, Math.ceil(place.current!.clientHeight / RowHeight))));
    const observer = new ResizeObserver(measure);
    observer.observe(place.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    changed.current.clear();
    setView({ first: 0, bytes: new Uint8Array(0) });
  }, [domain]);
  useEffect(() => reveal(selected), [selected, domain, columns]);
  useEffect(() => {
    if (now.current.offset !== selected) {
      now.current = { offset: selected, typed: null };
    }
    setTyped(now.current.typed);
    if (isFocused.current) {
      place.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    }
  }, [selected, top]);

  usePolling(isLive ? Interval : 1000, async () => {
    const first = top * columns;
    const length = Math.min(rows * columns, domain.size - first);
    if (link === null || length <= 0) {
      return;
    }
    const { bytes } = await readRange(link, locationIn(domain, first), length);
    const now = performance.now();
    setView((before) => {
      bytes.forEach((value, index) => {
        const old = first + index - before.first;
        if (old >= 0 && old < before.bytes.length && before.bytes[old] !== value) {
          changed.current.set(first + index, now);
        }
      });
      return { first, bytes };
    });
    onBytes(first, bytes);
  }, [link, domain, top, rows, columns, isLive]);

  const select = (offset: number) => {
    now.current = { offset, typed: null };
    setTyped(null);
    onSelect(offset);
  };
  const type = (event: KeyboardEvent) => {
    const { offset, typed: first } = now.current;
    const moves: Record<string, number> = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -columns * (rows - 1), PageDown: columns * (rows - 1),
      Home: event.ctrlKey ? -offset : -(offset % columns), End: event.ctrlKey ? domain.size - 1 - offset : columns - 1 - (offset % columns),
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      select(Math.max(0, Math.min(domain.size - 1, offset + move)));
    } else if (/^[0-9a-f]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (first === null) {
        now.current.typed = event.key.toUpperCase();
        setTyped(now.current.typed);
      } else {
        onWrite(offset, Number.parseInt(first + event.key, 16));
        select(Math.min(domain.size - 1, offset + 1));
      }
    } else if (event.key === 'Escape') {
      select(offset);
    }
  };

  const time = performance.now();
  const at = (offset: number) => view.bytes[offset - view.first];
  const focus = Math.floor(selected / columns) >= top && Math.floor(selected / columns) < top + rows ? selected : top * columns;
  return (
    <div class="hex" ref={place} onScroll={(event) => setTop(Math.max(0, Math.min(highest, Math.round(event.currentTarget.scrollTop / perRow))))}>
      <div style={{ height: `${height}px` }}>
        <div class="hex-rows" role="grid" aria-label={`Bytes of ${domain.name}`} aria-rowcount={total} aria-colcount={columns + 1} onKeyDown={type}
          onFocusIn={() => { isFocused.current = true; }} onFocusOut={() => { isFocused.current = false; }}>
          {Array.from({ length: Math.min(rows, total - top) }, (_, index) => {
            const row = top + index;
            const first = row * columns;
            const offsets = Array.from({ length: Math.min(columns, domain.size - first) }, (__, column) => first + column);
            return (
              <div role="row" class="hex-row" key={index} aria-rowindex={row + 1}>
                <span role="rowheader" class="hex-address">{addressText(domain, first)}</span>
                {offsets.map((offset) => {
                  const value = at(offset);
                  const isSelected = offset === selected;
                  const isChanged = time - (changed.current.get(offset) ?? -ChangedFor) < ChangedFor;
                  const text = isSelected && typed !== null ? `${typed}_` : value === undefined ? '··' : hex(value, 2);
                  return (
                    <span role="gridcell" key={offset} tabIndex={offset === focus ? 0 : -1} aria-selected={isSelected}
                      class={`hex-cell${isChanged ? ' changed' : ''}${value === 0 ? ' zero' : ''}`} onMouseDown={() => select(offset)} onFocus={() => offset !== now.current.offset && select(offset)}>
                      {text}
                    </span>
                  );
                })}
                <span class="hex-text" aria-hidden="true">{offsets.map((offset) => printable(at(offset))).join('')}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The width of the grid in characters, to choose how many columns fit. */
export function columnsFor(width: number, domain: Domain): number {
  const character = 8.1;
  return [16, 8].find((columns) => (addressDigits(domain) + 1 + columns * 3 + columns + 3) * character < width) ?? 4;
}

function printable(value: number | undefined): string {
  return value !== undefined && value >= 32 && value < 127 ? String.fromCharCode(value) : '.';
}

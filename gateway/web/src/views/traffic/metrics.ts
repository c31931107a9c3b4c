/** The durations of one command's requests with one outcome since the gateway started: cumulative counts below each bound. */
type Series = { command: string; outcome: string; counts: number[] };
export type Scrape = { at: number; bounds: number[]; series: Series[] };

const Name = 'mgba_client_operation_duration_seconds_bucket{';
const Bounded = 61;

/** The durations of an emulator's requests in the text of `/metrics`. */
export function parse(text: string, emulator: string, at: number): Scrape {
  const found = new Map<string, { command: string; outcome: string; counts: Map<number, number> }>();
  const bounds = new Set<number>();
  for (const line of text.split('\n')) {
    if (!line.startsWith(Name)) {
      continue;
    }
    const end = line.lastIndexOf('}');
    const labels = new Map([...line.slice(Name.length, end).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key!, value!]));
    if (labels.get('mgba_emulator') !== emulator) {
      continue;
    }
    const bound = labels.get('le') === '+Inf' ? Infinity : Number(labels.get('le'));
    const [command, outcome] = [labels.get('mgba_command') ?? '', labels.get('mgba_outcome') ?? ''];
    const key = `${command} ${outcome}`;
    const series = found.get(key) ?? { command, outcome, counts: new Map() };
    found.set(key, series);
    bounds.add(bound);
    series.counts.set(bound, Number(line.slice(end + 1)));
  }
  const sorted = [...bounds].sort((one, other) => one - other);
  return { at, bounds: sorted, series: [...found.values()].map(({ command, outcome, counts }) => ({ command, outcome, counts: sorted.map((bound) => counts.get(bound) ?? 0) })) };
}

/** Requests in a time: how many ended below each bound, not cumulative, and how many failed. */
export type Share = { seconds: number; bounds: number[]; counts: number[]; requests: number; failures: number };

/** What was added between two scrapes, of all commands or of one. */
export function between(first: Scrape, last: Scrape, command?: string): Share {
  const counts = last.bounds.map(() => 0);
  let failures = 0;
  for (const series of last.series) {
    if (command !== undefined && series.command !== command) {
      continue;
    }
    const before = first.series.find((one) => one.command === series.command && one.outcome === series.outcome)?.counts;
    const added = series.counts.map((count, index) => count - (before?.[index] ?? 0));
    added.forEach((count, index) => { counts[index]! += count - (added[index - 1] ?? 0); });
    failures += series.outcome === 'ok' || series.outcome === 'left' ? 0 : added.at(-1) ?? 0;
  }
  return { seconds: (last.at - first.at) / 1000, bounds: last.bounds, counts, requests: counts.reduce((sum, count) => sum + count, 0), failures };
}

/** The time in seconds below which this part of the requests ended, within its bucket in proportion; null without requests. */
export function quantile({ bounds, counts, requests }: Share, part: number): number | null {
  if (requests === 0) {
    return null;
  }
  let below = 0;
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index]!;
    if (count > 0 && below + count >= part * requests) {
      const lower = bounds[index - 1] ?? 0;
      const upper = bounds[index]!;
      return upper === Infinity ? lower : lower + ((upper - lower) * (part * requests - below)) / count;
    }
    below += count;
  }
  return null;
}

/** The scrapes of the last minute. After a restart of the gateway its counts are lower, and the others are of no use. */
export function keep(scrapes: readonly Scrape[], next: Scrape): Scrape[] {
  const total = (scrape: Scrape) => scrape.series.reduce((sum, { counts }) => sum + (counts.at(-1) ?? 0), 0);
  const last = scrapes.at(-1);
  return last !== undefined && total(next) < total(last) ? [next] : [...scrapes, next].slice(-Bounded);
}

/** Whether they reach back a minute: those of a view that was just opened do not. */
export const isFull = (scrapes: readonly Scrape[]): boolean => scrapes.length === Bounded;

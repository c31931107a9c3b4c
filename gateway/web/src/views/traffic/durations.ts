import type { components } from '../../api/schema';

type Answer = components['schemas']['TrafficAnswer'];

/** How long requests took, as the gateway had counted them at a time: for each command and outcome, how many ended within each bound. */
export type Sample = Pick<Answer, 'boundsMs' | 'durations'> & { at: number };

const Kept = 61;

/** Requests in a time: how many ended within each bound, and how many failed. The last count is of those beyond all bounds. */
export type Share = { seconds: number; boundsMs: number[]; counts: number[]; requests: number; failures: number };

/** Whether a request failed; one that its caller left did not. */
export const isFailure = (outcome: string): boolean => outcome !== 'ok' && outcome !== 'left';
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** What was added between two samples, of all commands or of one. */
export function between(first: Sample, last: Sample, command?: string): Share {
  const counts = [...last.boundsMs, Infinity].map(() => 0);
  let failures = 0;
  for (const one of last.durations) {
    if (command !== undefined && one.command !== command) {
      continue;
    }
    const before = first.durations.find((other) => other.command === one.command && other.outcome === one.outcome)?.counts;
    const added = one.counts.map((count, index) => count - (before?.[index] ?? 0));
    added.forEach((count, index) => { counts[index]! += count; });
    failures += isFailure(one.outcome) ? sum(added) : 0;
  }
  return { seconds: (last.at - first.at) / 1000, boundsMs: last.boundsMs, counts, requests: sum(counts), failures };
}

/** The milliseconds within which this part of the requests ended, in proportion between two bounds; null without requests. */
export function quantile({ boundsMs, counts, requests }: Share, part: number): number | null {
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= part * requests) {
      const lower = boundsMs[index - 1] ?? 0;
      return lower + (((boundsMs[index] ?? lower) - lower) * (part * requests - below)) / count;
    }
    below += count;
  }
  return null;
}

/** The samples of the last minute. After the gateway began to count again the earlier ones are of no use. */
export function keep(samples: readonly Sample[], next: Sample): Sample[] {
  const total = ({ durations }: Sample) => durations.reduce((all, { counts }) => all + sum(counts), 0);
  const last = samples.at(-1);
  return last !== undefined && total(next) < total(last) ? [next] : [...samples, next].slice(-Kept);
}

/** Whether they reach back a minute: those of a view that was just opened do not. */
export const isFull = (samples: readonly Sample[]): boolean => samples.length === Kept;

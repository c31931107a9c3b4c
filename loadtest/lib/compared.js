// A run beside the one before it.
import { table } from './report.js';

const before = previous();

// k6 opens files only at its start, when the report of the last run is still there; which one it is, is known when this one is named.
function previous() {
  if (!__ENV.RESULTS || !__ENV.QUESTION) {
    return undefined;
  }
  try {
    return JSON.parse(open(`${__ENV.RESULTS}/${__ENV.QUESTION}.json`));
  } catch {
    return undefined; // the first run
  }
}

export function previousOf(result) {
  return before && before.name === result.name ? before : undefined;
}

export function compared(result, last) {
  const pairs = last ? result.rows.map((row) => [row, last.rows.find((other) => other.label === row.label && other.seconds === row.seconds)]).filter(([, other]) => other) : [];
  if (pairs.length === 0) {
    return [];
  }
  const rows = pairs.map(([row, other]) => [row.label, change(row.real, other.real), change(row.p50, other.p50), change(row.p99, other.p99), change(row.success, other.success), change(row.fps, other.fps)]);
  return ['', `Against the last run (${last.when.slice(0, 16).replace('T', ' ')} UTC), as a factor:`, '', table(['', 'real/s', 'p50', 'p99', 'success', 'fps'], rows)];
}

const change = (now, then) => (Number.isFinite(now) && then ? `${(now / then).toFixed(2)}x` : '-');

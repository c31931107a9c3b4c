// Compares a run with the previous one.
import { table } from './table.js';

const previous = readPrevious();

// k6 opens files only at its start, before the name of the report is known: QUESTION predicts it.
function readPrevious() {
  if (!__ENV.RESULTS || !__ENV.QUESTION) {
    return undefined;
  }
  try {
    return JSON.parse(open(`${__ENV.RESULTS}/${__ENV.QUESTION}.json`));
  } catch {
    return undefined; // the first run
  }
}

// The lines of the report that compare `result` with the previous run of the same name; none without one.
export function comparison(result) {
  if (!previous || previous.name !== result.name) {
    return [];
  }
  const pairs = result.rows.map((row) => [row, previous.rows.find((other) => other.label === row.label && other.seconds === row.seconds)]).filter(([, other]) => other);
  if (pairs.length === 0) {
    return [];
  }
  const rows = pairs.map(([row, other]) => [row.label, factor(row.rate, other.rate), factor(row.p50, other.p50), factor(row.p99, other.p99), factor(row.success, other.success), factor(row.fps, other.fps)]);
  return ['', `Compared with the previous run (${previous.when.slice(0, 16).replace('T', ' ')} UTC), as a factor:`, '', table(['', 'sent/s', 'p50', 'p99', 'success', 'fps'], rows)];
}

const factor = (now, then) => (Number.isFinite(now) && then ? `${(now / then).toFixed(2)}x` : '-');

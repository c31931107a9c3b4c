// What the original load test published, and how a ladder stands beside it.
import { table } from './report.js';

const published = { real: 'about 280', p99: 'about 40 ms', drops: 'beyond 300 to 400 a second' };

export function besideTheOriginal({ rows }) {
  // The last answers of a step may come in the pause behind it.
  const isWhole = (row) => row.success === 1 && row.dropped === 0 && row.requests >= 0.98 * row.asked * row.seconds;
  const broken = rows.find((row) => !isWhole(row));
  const best = rows.filter(isWhole).pop();
  return [
    table(
      ['', 'the original', 'this run'],
      [
        ['most real requests a second with all answered', published.real, best ? best.real.toFixed(0) : 'none'],
        ['p99 there', published.p99, best ? `${best.p99.toFixed(2)} ms` : '-'],
        ['first request dropped, late or failed', published.drops, broken ? `at ${broken.asked} a second` : `none up to ${rows[rows.length - 1].asked} a second`],
      ],
    ),
  ];
}

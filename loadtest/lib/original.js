// Compares a ladder with what the original load test published.
import { table } from './table.js';

const published = { rate: 'about 280', p99: 'about 40 ms', failure: 'beyond 300 to 400 a second' };

export function compareWithOriginal({ rows }) {
  // The last answers of a step may arrive in the pause after it.
  const isComplete = (row) => row.success === 1 && row.dropped === 0 && row.requests >= 0.98 * row.scheduled * row.seconds;
  const failed = rows.find((row) => !isComplete(row));
  const best = rows.filter(isComplete).pop();
  return [
    table(
      ['', 'the original', 'this run'],
      [
        ['highest rate with all requests answered', published.rate, best ? best.rate.toFixed(0) : 'none'],
        ['p99 at that rate', published.p99, best ? `${best.p99.toFixed(2)} ms` : '-'],
        ['first request dropped, late or failed', published.failure, failed ? `at ${failed.scheduled} a second` : `none up to ${rows[rows.length - 1].scheduled} a second`],
      ],
    ),
  ];
}

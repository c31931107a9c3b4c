import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { link } from '../../ui/router';
import { address, numberText, sentence } from '../../ui/format';

type Answer = components['schemas']['ComparisonAnswer'];

const ShownRuns = 8;

/** Where two states differ. */
export function Comparison({ first, second }: { first: string; second: string }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setAnswer(null);
    setError(null);
    call('get', '/v2/states/{state}/compare', { path: { state: first }, query: { with: second } }).then(setAnswer, (thrown: unknown) => setError(sentence(thrown)));
  }, [first, second]);
  return (
    <section class="card" aria-labelledby="compare-title">
      <h2 id="compare-title">{first} compared with {second}</h2>
      {error && <p class="error" role="alert">{error}</p>}
      {answer !== null && (
        <div class="table-place" tabIndex={0} role="region" aria-label="Differences">
          <p>{answer.bytes === 0 ? 'The states are the same.' : `${numberText(answer.bytes)} bytes differ.`}</p>
          {answer.bytes > 0 && (
            <table>
              <thead><tr><th>Region</th><th class="number">Bytes</th><th>Where</th></tr></thead>
              <tbody>
                {answer.regions.filter(({ bytes }) => bytes > 0).map(({ name, bytes, address: base, runs, moreRuns }) => (
                  <tr key={name}>
                    <td>{name}</td><td class="number">{numberText(bytes)}</td>
                    <td class="mono runs">
                      {runs.slice(0, ShownRuns).map(({ offset, length }) => {
                        const where = base ? address(Number(base) + offset) : `+0x${offset.toString(16).toUpperCase()}`;
                        const text = length > 1 ? `${where} (${length})` : where;
                        return base ? <a key={offset} href={link('memory', { at: where })}>{text}</a> : <span key={offset}>{text}</span>;
                      })}
                      {runs.length + moreRuns > ShownRuns && <span class="quiet">and {numberText(runs.length + moreRuns - ShownRuns)} more</span>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </section>
  );
}

import type { components } from '../../api/schema';
import { numberText } from '../../ui/format';

export type Replayed = { name: string; answer: components['schemas']['ReplayAnswer'] };

/** How a replay ended: the same, or where it differed. */
export function Outcome({ replayed: { name, answer } }: { replayed: Replayed }) {
  const { divergence } = answer;
  return (
    <section class="card" aria-labelledby="outcome-title">
      <div class="card-head">
        <h2 id="outcome-title">Replay of {name}</h2>
        <span class={`chip ${answer.same ? 'good' : 'bad'}`}>{answer.same ? 'Same' : 'Different'}</span>
      </div>
      {divergence ? (
        <p class="outcome-text">The game did something else: {divergence.after === 0
          ? 'memory differs in the first frame.'
          : `the first hash that differs is ${numberText(divergence.after)} frames after the start, frame ${numberText(divergence.frame)} of the recording.`}</p>
      ) : <p class="outcome-text">Memory was the same at each of {numberText(answer.hashes)} hashes. The game continues from the end of the recording.</p>}
      <dl class="facts">
        <div><dt>Frames</dt><dd>{numberText(answer.frames)}</dd></div>
        <div><dt>Key changes</dt><dd>{numberText(answer.inputs)}</dd></div>
        <div><dt>Same hashes</dt><dd>{numberText(answer.hashes)}</dd></div>
        {divergence && <div><dt>Hash of the recording</dt><dd class="mono">{divergence.expected}</dd></div>}
        {divergence && <div><dt>Hash of the replay</dt><dd class="mono">{divergence.found}</dd></div>}
      </dl>
      {divergence?.places && (
        <div class="table-place" tabIndex={0} role="region" aria-label="Places that differ">
          <table>
            <thead><tr><th>Place</th><th>Recording</th><th>Replay</th></tr></thead>
            <tbody>
              {divergence.places.map(({ location, name, expected, found }) => (
                <tr key={location}><td class="mono" title={location}>{name ?? location}</td><td class="mono">{expected}</td><td class="mono">{found}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {divergence && <p class="quiet outcome-hint">Usual causes: memory was written or a state was loaded while recording, or the game reads the clock. Record again with a hash at every frame to find the exact one.</p>}
    </section>
  );
}

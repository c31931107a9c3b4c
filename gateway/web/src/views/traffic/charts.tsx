import { msText, numberText } from '../../ui/format';
import { between, type Sample, type Share } from './durations';

const Width = 600;
const Height = 140;
const Seconds = 60;

/** Requests a second, a bar for each second; failures are at its foot. */
export function Rates({ samples }: { samples: readonly Sample[] }) {
  const bars = samples.slice(1).map((sample, index) => {
    const share = between(samples[index]!, sample);
    return { rate: share.requests / share.seconds, failed: share.failures / share.seconds };
  });
  const peak = Math.max(0, ...bars.map(({ rate }) => rate));
  const most = Math.max(1, peak);
  const step = Width / Seconds;
  const offset = Width - bars.length * step;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${Width} ${Height}`} preserveAspectRatio="none" role="img" aria-label={`Requests per second, at most ${peak.toFixed(0)}`}>
        {bars.map(({ rate, failed }, index) => (
          <g key={index}>
            <rect class="bar" x={offset + index * step} y={Height - (rate / most) * Height} width={step - 2} height={(rate / most) * Height} />
            {failed > 0 && <rect class="bar-bad" x={offset + index * step} y={Height - (failed / most) * Height} width={step - 2} height={(failed / most) * Height} />}
          </g>
        ))}
      </svg>
      <figcaption><span>a minute ago</span><span>most: {bars.length === 0 ? '–' : `${peak.toFixed(0)} / s`}</span><span>now</span></figcaption>
    </figure>
  );
}

/** How many requests ended within which time. */
export function Histogram({ share }: { share: Share }) {
  const most = Math.max(1, ...share.counts);
  const first = Math.max(0, share.counts.findIndex((count) => count > 0) - 1);
  const last = Math.max(first + 5, share.counts.findLastIndex((count) => count > 0) + 1);
  return (
    <ol class="histogram plain-list">
      {share.counts.slice(first, last + 1).map((count, index) => {
        const bound = share.boundsMs[first + index];
        return (
          <li key={bound}>
            <span class="histogram-label">{bound === undefined ? `over ${msText(share.boundsMs.at(-1) ?? 0)}` : `to ${msText(bound)}`}</span>
            <span class="histogram-place"><span class="histogram-bar" style={{ width: `${(count / most) * 100}%` }} /></span>
            <span class="histogram-count">{numberText(count)}</span>
          </li>
        );
      })}
    </ol>
  );
}

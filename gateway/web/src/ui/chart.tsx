import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The colour of a token as the canvas understands it: it does not resolve light-dark(). */
function resolved(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value || colour(name);
}

/** A line without axes: how a number changed. */
export function Sparkline({ times, values, label }: { times: readonly number[]; values: readonly (number | null)[]; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const build = () => {
      chart.current?.destroy();
      const line = resolved('--accent');
      chart.current = new uPlot({
        width: place.current!.clientWidth || 160, height: 36, padding: [3, 1, 3, 1], legend: { show: false }, cursor: { show: false },
        axes: [{ show: false }, { show: false }], scales: { x: { time: false } },
        series: [{}, { stroke: line, width: 1.5, fill: line.replace('rgb(', 'rgba(').replace(')', ', 0.12)'), points: { show: false } }],
      }, [[], []], place.current!);
    };
    build();
    scheme.addEventListener('change', build);
    const observer = new ResizeObserver(() => chart.current?.setSize({ width: place.current!.clientWidth, height: 36 }));
    observer.observe(place.current!);
    return () => {
      scheme.removeEventListener('change', build);
      observer.disconnect();
      chart.current?.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData([[...times], [...values]]), [times, values]);
  return <div class="sparkline" ref={place} role="img" aria-label={label} />;
}

/** Bars of counts, such as a histogram. */
export function Bars({ labels, values, label }: { labels: readonly string[]; values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  return (
    <div class="bars" role="img" aria-label={`${label}: ${labels.map((one, index) => `${one} ${values[index]}`).join(', ')}`}>
      {labels.map((one, index) => (
        <div key={one} class="bar"><span class="bar-count">{values[index] || ''}</span><span class="bar-fill" style={{ height: `${(100 * values[index]!) / highest}%` }} /><span class="bar-label">{one}</span></div>
      ))}
    </div>
  );
}

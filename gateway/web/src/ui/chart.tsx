import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** The colour of a token as the canvas understands it: it does not resolve light-dark(). */
function resolved(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** A line without axes: how a number changed. */
export function Sparkline({ times, values, label }: { times: readonly number[]; values: readonly (number | null)[]; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const room = place.current!; // the observer may still report after the chart is gone
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const build = () => {
      chart.current?.destroy();
      const line = resolved('--accent');
      chart.current = new uPlot({
        width: room.clientWidth || 160, height: 36, padding: [3, 1, 3, 1], legend: { show: false }, cursor: { show: false },
        axes: [{ show: false }, { show: false }], scales: { x: { time: false } },
        series: [{}, { stroke: line, width: 1.5, fill: line.replace('rgb(', 'rgba(').replace(')', ', 0.12)'), points: { show: false } }],
      }, [[], []], room);
    };
    build();
    scheme.addEventListener('change', build);
    const observer = new ResizeObserver(() => chart.current?.setSize({ width: room.clientWidth, height: 36 }));
    observer.observe(room);
    return () => {
      scheme.removeEventListener('change', build);
      observer.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.setData([[...times], [...values]]), [times, values]);
  return <div class="sparkline" ref={place} role="img" aria-label={label} />;
}

// Tables from what k6 measured.

const columns = [
  ['asked/s', (m) => m.asked],
  ['real/s', (m) => m.real.toFixed(1)],
  ['avg ms', (m) => m.times.avg.toFixed(2)],
  ['p50 ms', (m) => m.times.med.toFixed(2)],
  ['p99 ms', (m) => m.times['p(99)'].toFixed(2)],
  ['max ms', (m) => m.times.max.toFixed(2)],
  ['success', (m) => `${cut(100 * m.success)} %`],
  ['dropped', (m) => m.dropped],
  ['game fps', (m) => m.fps],
];

// Not rounded up: 100 % means all.
function cut(percent) {
  return (Math.floor(percent * 100) / 100).toString();
}

// The figures of one step; a step that was cut off before it began has none.
export function figures(data, step, asked, duration) {
  const values = (metric) => (data.metrics[`${metric}{step:${step}}`] || {}).values || {};
  const done = values('http_reqs').count || 0;
  const fps = values('emulator_fps').value;
  return {
    asked,
    requests: done,
    real: done / duration,
    times: done ? values('http_req_duration') : { avg: NaN, med: NaN, 'p(99)': NaN, max: NaN },
    success: done ? values('checks').rate : 0,
    dropped: values('dropped_iterations').count || 0,
    fps: fps ? fps.toFixed(2) : '-',
  };
}

export function table(rows) {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, text]) => String(text(row))))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const lines = cells.map((line) => `| ${line.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`);
  return lines.join('\n');
}

// What k6 measured, as people read it: a table, pictures, and the same as JSON for the next run to compare with.
import { compared, previousOf } from './compared.js';
import { lineChart } from './picture.js';
import { droppedOf } from './steps.js';

// title, text, and whether the row has it
const columns = [
  ['real/s', (m) => m.real.toFixed(1), (test) => !test.inAll],
  ['requests', (m) => m.requests, (test) => test.inAll],
  ['avg ms', (m) => fixed(m.avg, 2)],
  ['p50 ms', (m) => fixed(m.p50, 2)],
  ['p99 ms', (m) => fixed(m.p99, 2)],
  ['max ms', (m) => fixed(m.max, 2)],
  ['success', (m) => `${cut(100 * m.success)} %`],
  ['dropped', (m) => m.dropped],
  ['game fps', (m) => fixed(m.fps, 2)],
  ['gateway CPU', (m) => fixed(m.cpu, 2)],
  ['gateway MB', (m) => fixed(m.memory, 0)],
  ['retries', (m) => m.retries],
];

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

// Not rounded up: 100 % means all.
const cut = (percent) => (Math.floor(percent * 100) / 100).toString();

// handleSummary() of every test: { name, title, first (the head of the first column), steps, gates, inAll, notes, also }.
export function report(data, test) {
  const rows = test.steps.map((step) => figures(data, step)).filter((row) => row.requests + row.dropped > 0);
  if (rows.length === 0) {
    return {};
  }
  const result = {
    name: test.name,
    title: test.title,
    when: new Date().toISOString(),
    machine: __ENV.MACHINE || '',
    rest: data.setup_data ? data.setup_data.rest : undefined,
    ended: rows.length === test.steps.length ? 'whole' : 'early',
    rows,
    gates: test.gates.map((gate) => verdict(data, gate)),
  };
  result.verdict = result.gates.every((gate) => gate.ok) ? 'met' : 'not met';
  return files(result, test, markdown(result, test));
}

// The figures of one step; a step that was cut off before it began has none.
function figures(data, step) {
  const whole = (metric) => (data.metrics[metric] || {}).values || {};
  const values = (metric) => whole(`${metric}{step:${step.name}}`);
  const done = values('http_reqs').count || 0;
  const times = done ? values('http_req_duration') : {};
  return {
    label: step.label,
    x: step.x,
    asked: step.asked,
    seconds: step.seconds,
    requests: done,
    real: done / step.seconds,
    avg: times.avg,
    p50: times.med,
    p99: times['p(99)'],
    max: times.max,
    success: values('succeeded').rate || 0,
    dropped: droppedOf(step).reduce((all, metric) => all + (whole(metric).count || 0), 0),
    bytes: values('data_received').count || 0,
    fps: seen(values('emulator_fps').value),
    cpu: seen(values('gateway_cpu').value),
    memory: seen(values('gateway_memory').value),
    retries: values('gateway_retries').count || 0,
  };
}

// A gauge that was never set is 0.
const seen = (value) => value || undefined;

function verdict(data, { metric, rule, reason }) {
  const thresholds = (data.metrics[metric] || {}).thresholds || {};
  return { metric, rule, reason, ok: (thresholds[rule] || { ok: true }).ok };
}

function markdown(result, test) {
  const lines = [
    `# ${result.title}`,
    '',
    `${result.when.slice(0, 16).replace('T', ' ')} UTC. ${result.machine}`.trim(),
    `Without load the game runs at ${fixed(result.rest, 2)} frames a second.`,
    ...(result.ended === 'early' ? ['The run ended before its last step.'] : []),
    '',
    table([test.first, ...shown(test).map(([title]) => title)], result.rows.map((row) => [row.label, ...shown(test).map(([, text]) => text(row))])),
    ...(test.also ? ['', ...test.also(result)] : []),
    ...compared(result, previousOf(result)),
    '',
    ...sentences(result.gates),
  ];
  return `${lines.join('\n')}\n`;
}

// Gates of one reason are one sentence.
function sentences(gates) {
  const reasons = [...new Set(gates.map((gate) => gate.reason))];
  return reasons.map((reason) => {
    const failed = gates.filter((gate) => gate.reason === reason && !gate.ok);
    return failed.length === 0 ? `Met: ${reason}.` : `**Not met**: ${reason} (${failed.map((gate) => `${gate.metric} ${gate.rule}`).join(', ')}).`;
  }).map((sentence) => `- ${sentence}`);
}

const shown = (test) => columns.filter(([, , has]) => !has || has(test));

export function table(titles, rows) {
  const cells = [titles, ...rows].map((line) => line.map(String));
  const widths = titles.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const lines = cells.map((line) => `| ${line.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`);
  return lines.join('\n');
}

// RESULTS=folder (absolute): where the files go; without it there is only the table.
function files(result, test, text) {
  const out = { stdout: `\n${text}` };
  if (__ENV.RESULTS) {
    const base = `${__ENV.RESULTS}/${result.name}`;
    out[`${base}.json`] = JSON.stringify(result, null, 2);
    out[`${base}.md`] = `${text}\n${pictures(result, test).map(([kind, svg]) => {
      out[`${base}-${kind}.svg`] = svg;
      return `![${kind}](${result.name}-${kind}.svg)`;
    }).join('\n')}\n`;
  }
  return out;
}

function pictures(result, test) {
  const points = (value) => result.rows.filter((row) => Number.isFinite(value(row))).map((row) => [row.x, value(row)]);
  const x = { label: test.axis || test.first, ticks: result.rows.map((row) => row.x) };
  if (result.rows.some((row) => !/^[\d-]+$/.test(row.label))) {
    x.texts = result.rows.map((row) => row.label);
  }
  const about = result.title;
  return [
    ['latency', lineChart({
      title: 'Time to the answer', about, x, y: { label: 'ms', log: true },
      series: [{ name: 'p50', points: points((row) => row.p50) }, { name: 'p99', points: points((row) => row.p99) }, { name: 'max', points: points((row) => row.max) }],
    })],
    ['success', lineChart({
      title: 'Answered rightly, and asked at all', about, x, y: { label: '%', from: 0, to: 100 },
      series: [
        { name: 'success', points: points((row) => 100 * row.success) },
        { name: 'asked', points: points((row) => (100 * row.requests) / Math.max(1, row.requests + row.dropped)) },
      ],
    })],
    ['fps', lineChart({
      title: "The game's frames a second", about, x, y: { label: 'fps', from: 0, to: Math.max(65, 1.1 * (result.rest || 60)) },
      series: [{ name: 'under load', points: points((row) => row.fps) }, { name: 'without', points: points(() => result.rest), dashed: true }],
    })],
  ];
}

// The report of a test: a Markdown table, and the figures as JSON.
import { comparison } from './comparison.js';
import { droppedOf } from './steps.js';
import { table } from './table.js';

// title, text, and in which tests the column is shown
const columns = [
  ['sent/s', (m) => m.rate.toFixed(1), (test) => !test.isTotal],
  ['requests', (m) => m.requests, (test) => test.isTotal],
  ['avg ms', (m) => fixed(m.avg, 2)],
  ['p50 ms', (m) => fixed(m.p50, 2)],
  ['p99 ms', (m) => fixed(m.p99, 2)],
  ['max ms', (m) => fixed(m.max, 2)],
  ['success', (m) => `${floor(100 * m.success)} %`],
  ['dropped', (m) => m.dropped],
  ['game fps', (m) => fixed(m.fps, 2)],
  ['gateway CPU', (m) => fixed(m.cpu, 2)],
  ['gateway MB', (m) => fixed(m.memory, 0)],
  ['retries', (m) => m.retries],
];

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

// Rounded down: 100 % means all.
const floor = (percent) => (Math.floor(percent * 100) / 100).toString();

// For handleSummary(). test: { name, title, first (title of the first column), steps, gates,
// isTotal (the steps count requests in total instead of a second), also (function that returns more lines) }.
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
    idleFps: data.setup_data ? data.setup_data.idleFps : undefined,
    ended: rows.length === test.steps.length ? 'complete' : 'early',
    rows,
    gates: test.gates.map((gate) => verdict(data, gate)),
  };
  result.verdict = result.gates.every((gate) => gate.ok) ? 'met' : 'not met';
  return files(result, test, markdown(result, test));
}

// The figures of one step; all zero if the run ended before it.
function figures(data, step) {
  const total = (metric) => (data.metrics[metric] || {}).values || {};
  const values = (metric) => total(`${metric}{step:${step.name}}`);
  const done = values('http_reqs').count || 0;
  const times = done ? values('http_req_duration') : {};
  return {
    label: step.label,
    scheduled: step.scheduled,
    seconds: step.seconds,
    requests: done,
    rate: done / step.seconds,
    avg: times.avg,
    p50: times.med,
    p99: times['p(99)'],
    max: times.max,
    success: values('succeeded').rate || 0,
    dropped: droppedOf(step).reduce((all, metric) => all + (total(metric).count || 0), 0),
    bytes: values('data_received').count || 0,
    fps: orUndefined(values('emulator_fps').value),
    cpu: orUndefined(values('gateway_cpu').value),
    memory: orUndefined(values('gateway_memory').value),
    retries: values('gateway_retries').count || 0,
  };
}

// k6 reports 0 for a gauge that was never set.
const orUndefined = (value) => value || undefined;

function verdict(data, { metric, rule, reason }) {
  const thresholds = (data.metrics[metric] || {}).thresholds || {};
  return { metric, rule, reason, ok: (thresholds[rule] || { ok: true }).ok };
}

function markdown(result, test) {
  const lines = [
    `# ${result.title}`,
    '',
    `${result.when.slice(0, 16).replace('T', ' ')} UTC. ${result.machine}`.trim(),
    `Without load the game runs at ${fixed(result.idleFps, 2)} frames a second.`,
    ...(result.ended === 'early' ? ['The run ended before its last step.'] : []),
    '',
    table([test.first, ...shown(test).map(([title]) => title)], result.rows.map((row) => [row.label, ...shown(test).map(([, text]) => text(row))])),
    ...(test.also ? ['', ...test.also(result)] : []),
    ...comparison(result),
    '',
    ...sentences(result.gates),
  ];
  return `${lines.join('\n')}\n`;
}

// One sentence for all gates with the same reason.
function sentences(gates) {
  const reasons = [...new Set(gates.map((gate) => gate.reason))];
  return reasons.map((reason) => {
    const failed = gates.filter((gate) => gate.reason === reason && !gate.ok);
    return failed.length === 0 ? `Met: ${reason}.` : `**Not met**: ${reason} (${failed.map((gate) => `${gate.metric} ${gate.rule}`).join(', ')}).`;
  }).map((sentence) => `- ${sentence}`);
}

const shown = (test) => columns.filter(([, , has]) => !has || has(test));

// RESULTS=folder (absolute path): where the files go. Without it only the table is printed.
function files(result, test, text) {
  const out = { stdout: `\n${text}` };
  if (__ENV.RESULTS) {
    const base = `${__ENV.RESULTS}/${result.name}`;
    out[`${base}.json`] = JSON.stringify(result, null, 2);
    out[`${base}.md`] = text;
  }
  return out;
}

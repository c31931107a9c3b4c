// The charts of a report, as descriptions that scripts/lib/charts.py draws; the format is described there.
export function charts(result, axis) {
  const points = (value) => result.rows.filter((row) => Number.isFinite(value(row))).map((row) => [row.x, value(row)]);
  const common = { type: 'line', subtitle: result.title, x: axis };
  if (result.rows.some((row) => !/^[\d-]+$/.test(row.label))) {
    common.ticks = result.rows.map((row) => [row.x, row.label]);
  }
  return [
    {
      ...common, file: `${result.name}-latency.svg`, title: 'Latency', y: 'ms', log: true,
      series: [{ name: 'p50', points: points((row) => row.p50) }, { name: 'p99', points: points((row) => row.p99) }, { name: 'max', points: points((row) => row.max) }],
    },
    {
      ...common, file: `${result.name}-success.svg`, title: 'Correct answers, and requests sent on schedule', y: '%', from: 0, to: 100,
      series: [
        { name: 'correct', points: points((row) => 100 * row.success) },
        { name: 'sent', points: points((row) => (100 * row.requests) / Math.max(1, row.requests + row.dropped)) },
      ],
    },
    {
      ...common, file: `${result.name}-fps.svg`, title: 'Frames a second of the game', y: 'fps', from: 0, to: Math.max(65, 1.1 * (result.idleFps || 60)),
      series: [{ name: 'under load', points: points((row) => row.fps) }, { name: 'without', points: points(() => result.idleFps), dashed: true }],
    },
  ];
}

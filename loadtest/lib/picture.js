// A line chart as SVG text.

const width = 760;
const height = 420;
const box = { left: 64, right: 96, top: 76, bottom: 52 };
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
const ink = '#333333';
const grid = '#dddddd';

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const short = (n) => (n >= 1000 && n % 100 === 0 ? `${n / 1000}k` : String(Number(n.toPrecision(3))));

// { title, about, x: { label, ticks, texts }, y: { label, log, from, to }, series: [{ name, points: [[x, y]], dashed }] }
export function lineChart({ title, about, x, y, series }) {
  const drawn = series.map((one) => ({ ...one, points: one.points.filter((point) => point[1] > 0 || !y.log) })).filter((one) => one.points.length > 0);
  const across = scale(x.ticks, box.left, width - box.right, wide(x.ticks));
  const ys = drawn.flatMap((one) => one.points.map((point) => point[1])).filter((value) => value > 0);
  const marks = y.log ? powers(ys) : steps(y.from, y.to);
  const up = scale(marks, height - box.bottom, box.top, y.log);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="bold">${escape(title)}</text>`,
    `<text x="16" y="44">${escape(about)}</text>`,
    ...marks.map((value) => horizontal(up(value), value)),
    ...roomy(x.ticks, across).map((value) => `<text x="${across(value)}" y="${height - box.bottom + 18}" text-anchor="middle">${escape(x.texts ? x.texts[x.ticks.indexOf(value)] : short(value))}</text>`),
    `<text x="${(box.left + width - box.right) / 2}" y="${height - 12}" text-anchor="middle">${escape(x.label)}</text>`,
    `<text x="${box.left - 8}" y="${box.top - 10}" text-anchor="end">${escape(y.label)}</text>`,
    ...drawn.map((one, i) => line(one, colours[i % colours.length], across, up)),
    ...names(drawn, across, up),
    '</svg>',
    '',
  ].join('\n');
}

const wide = (values) => Math.min(...values) > 0 && Math.max(...values) > 20 * Math.min(...values);

function scale(values, from, to, isLog) {
  const place = isLog ? Math.log10 : (value) => value;
  const low = place(Math.min(...values));
  const high = place(Math.max(...values));
  return (value) => Number((high > low ? from + ((place(value) - low) / (high - low)) * (to - from) : (from + to) / 2).toFixed(1));
}

// 0.1, 1, 10 … around the values
function powers(values) {
  const low = Math.floor(Math.log10(Math.min(...values, 1)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values, 1))), low + 1);
  return Array.from({ length: high - low + 1 }, (_, i) => Number((10 ** (low + i)).toPrecision(3)));
}

function steps(from, to) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000].find((size) => (to - from) / size <= 7) || to - from;
  return Array.from({ length: Math.ceil((to - from) / step) + 1 }, (_, i) => from + i * step);
}

// The ticks whose texts do not touch.
function roomy(ticks, across) {
  let last = -Infinity;
  return [...new Set(ticks)].sort((a, b) => a - b).filter((value) => {
    const fits = across(value) - last >= 34;
    last = fits ? across(value) : last;
    return fits;
  });
}

function horizontal(y, value) {
  return `<line x1="${box.left}" x2="${width - box.right}" y1="${y}" y2="${y}" stroke="${grid}"/><text x="${box.left - 8}" y="${y + 4}" text-anchor="end">${short(value)}</text>`;
}

function line({ points, dashed }, colour, across, up) {
  const places = points.map(([x, y]) => [across(x), up(y)]);
  const dots = dashed ? [] : places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`);
  return `<polyline fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''} points="${places.map((place) => place.join(',')).join(' ')}"/>${dots.join('')}`;
}

// Each line's name behind its last point, moved apart where two would touch.
function names(series, across, up) {
  const places = series.map((one, i) => {
    const [x, y] = one.points[one.points.length - 1];
    return { x: across(x) + 8, y: up(y), name: one.name, colour: colours[i % colours.length] };
  });
  places.sort((a, b) => a.y - b.y).forEach((place, i) => {
    place.y = i > 0 ? Math.max(place.y, places[i - 1].y + 15) : place.y;
  });
  return places.map(({ x, y, name, colour }) => `<text x="${x}" y="${y + 4}" fill="${colour}" font-weight="bold">${escape(name)}</text>`);
}

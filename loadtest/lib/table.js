// A Markdown table with aligned columns.
export function table(titles, rows) {
  const cells = [titles, ...rows].map((line) => line.map(String));
  const widths = titles.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const lines = cells.map((line) => `| ${line.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`);
  return lines.join('\n');
}

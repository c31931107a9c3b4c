const Light: Record<string, [top: boolean, bottom: boolean]> = { '█': [true, true], '▀': [true, false], '▄': [false, true] };

/** The dark squares of a QR code as the path of an SVG, from lines of block characters, which are light: one square wide and two high. */
export function qrPath(lines: readonly string[]): string {
  const size = lines[0]?.length ?? 0;
  const squares: string[] = [];
  lines.forEach((line, row) => {
    [...line].forEach((block, column) => {
      const light = Light[block] ?? [false, false];
      light.forEach((isLight, half) => {
        const y = 2 * row + half;
        if (!isLight && y < size) { // the last line of an odd number has a lower half of nothing
          squares.push(`M${column} ${y}h1v1h-1z`);
        }
      });
    });
  });
  return squares.join('');
}

const Round: [string, number, number][] = [['B', 113, 46], ['A', 141, 36]];
const Wide: [string, number, number, number][] = [['L', 6, 3, 46], ['R', 108, 3, 46], ['Select', 62, 38, 16], ['Start', 82, 38, 16]];
const Cross: [string, string][] = [
  ['Up', 'M24 20h12v12l-6 6l-6-6z'], ['Down', 'M24 62h12V50l-6-6l-6 6z'], ['Left', 'M9 35v12h12l6-6l-6-6z'], ['Right', 'M51 35v12H39l-6-6l6-6z'],
];

/** The keys of the game as a pad: what is down is lit. */
export function Pad({ down }: { down: readonly string[] }) {
  const lit = (key: string) => (down.includes(key) ? 'down' : undefined);
  return (
    <svg class="overlay-panel overlay-pad" viewBox="0 0 160 68" role="img" aria-label={down.length > 0 ? `Keys: ${down.join(', ')}` : 'No keys'}>
      {Wide.map(([key, x, y, width]) => <rect key={key} data-key={key} class={lit(key)} x={x} y={y} width={width} height={key.length > 1 ? 7 : 9} rx="3.5" />)}
      {Cross.map(([key, path]) => <path key={key} data-key={key} class={lit(key)} d={path} />)}
      {Round.map(([key, x, y]) => <g key={key} data-key={key} class={lit(key)}><circle cx={x} cy={y} r="11" /><text x={x} y={y + 4}>{key}</text></g>)}
    </svg>
  );
}

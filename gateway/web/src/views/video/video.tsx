import { useState } from 'preact/hooks';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { link, route } from '../../ui/router';
import { numberText, sentence } from '../../ui/format';
import { useEmulator } from '../../api/hooks';
import { usePolling, useStore } from '../../ui/hooks';
import { LivePicture } from './live-picture';

type Sprite = components['schemas']['SpriteAnswer'];
type Background = components['schemas']['MapAnswer'];
type Palette = components['schemas']['PaletteAnswer'];
type PartProps = { emulator: string | undefined; every: number | null };

const Every = 500;
const Never = 1 << 30;
const Parts = { backgrounds: ['Backgrounds', Backgrounds], sprites: ['Sprites', Sprites], tiles: ['Tiles', Tiles], palettes: ['Palettes', Palettes] } as const;

/** What the console draws from: backgrounds, sprites, tiles and palettes of one frame. */
export function Video() {
  const emulator = useEmulator();
  const { parameters } = useStore(route);
  const [isLive, setLive] = useState(true);
  const name = parameters.get('part') ?? 'backgrounds';
  const [, Part] = Parts[name as keyof typeof Parts] ?? Parts.backgrounds;
  return (
    <>
      <div class="view-title">
        <h1>Video</h1>
        <nav class="tabs" aria-label="Parts of video memory">
          {Object.entries(Parts).map(([part, [title]]) => <a key={part} href={link('video', { part })} aria-current={part === name ? 'page' : undefined}>{title}</a>)}
        </nav>
        <span class="spacer" />
        <label class="check"><input type="checkbox" checked={isLive} onChange={(event) => setLive(event.currentTarget.checked)} /><span>Live</span></label>
      </div>
      <Part emulator={emulator} every={isLive ? Every : null} />
    </>
  );
}

function useAnswer<T>(every: number | null, fetch: () => Promise<T>, inputs: readonly unknown[]): { answer: T | null; error: string | null } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  usePolling(every ?? Never, async () => {
    try {
      setAnswer(await fetch());
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, inputs);
  return { answer, error };
}

function Backgrounds({ emulator, every }: PartProps) {
  const [isScreen, setScreen] = useState(false);
  const { answer, error } = useAnswer(every, () => call('get', '/v2/video/maps', { emulator }), [emulator]);
  const maps = (answer?.maps ?? []).filter(({ kind }) => kind !== 'none'); // what this video mode has
  return (
    <div class="stack">
      {error && <p class="error" role="alert">{error}</p>}
      {answer && (
        <div class="row middle">
          <span class="chip">Mode {answer.mode}</span>{!answer.on && <span class="chip warn">The screen is off</span>}
          <span class="spacer" />
          <span class="group" role="group" aria-label="Area">
            <button type="button" class="small" aria-pressed={!isScreen} onClick={() => setScreen(false)}>Whole</button>
            <button type="button" class="small" aria-pressed={isScreen} onClick={() => setScreen(true)}>On the screen</button>
          </span>
        </div>
      )}
      {answer && maps.length === 0 && <p class="empty">This video mode has no backgrounds.</p>}
      <div class="video-cards">
        {maps.map((map) => <BackgroundCard key={map.number} map={map} isScreen={isScreen} emulator={emulator} every={every} />)}
      </div>
    </div>
  );
}

function BackgroundCard({ map, isScreen, emulator, every }: PartProps & { map: Background; isScreen: boolean }) {
  const facts: [string, string][] = [
    ['Size', `${map.width} × ${map.height}`], ['Scroll', map.kind === 'affine' || map.kind === 'bitmap' ? `${(map.x / 256).toFixed(1)}, ${(map.y / 256).toFixed(1)}` : `${map.x}, ${map.y}`],
    ['Priority', String(map.priority)], ...(map.tileBase ? [[map.kind === 'bitmap' ? 'Pixels' : 'Tiles', map.tileBase] as [string, string]] : []), ...(map.mapBase ? [['Map', map.mapBase] as [string, string]] : []),
  ];
  return (
    <section class="card" aria-labelledby={`background-${map.number}`}>
      <div class="card-head"><h2 id={`background-${map.number}`}>Background {map.number}</h2><span class="chip">{map.kind}</span><span class={`chip ${map.enabled ? 'good' : ''}`}>{map.enabled ? 'Shown' : 'Hidden'}</span></div>
      <LivePicture path="/v2/video/maps/{map}/picture" emulator={emulator} every={every} parameters={{ map: map.number }} query={{ part: isScreen ? 'screen' : 'whole' }} alt={`Background ${map.number}`} />
      <dl class="facts">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd class={value.startsWith('0x') ? 'mono' : ''}>{value}</dd></div>)}</dl>
    </section>
  );
}

function Sprites({ emulator, every }: PartProps) {
  const [withHidden, setWithHidden] = useState(false);
  const { answer, error } = useAnswer(every, () => call('get', '/v2/video/sprites', { emulator }), [emulator]);
  const shown = (answer?.sprites ?? []).filter(({ onScreen }) => withHidden || onScreen);
  return (
    <div class="video-columns">
      <section class="card" aria-labelledby="sprites-screen">
        <h2 id="sprites-screen">On the screen</h2>
        <LivePicture path="/v2/video/sprites/picture" emulator={emulator} every={every} query={{ scale: 2 }} alt="All sprites at their positions" />
      </section>
      <section class="card" aria-labelledby="sprites-list">
        <div class="card-head">
          <h2 id="sprites-list">{shown.length === 1 ? '1 sprite' : `${shown.length} sprites`}</h2>
          <label class="check"><input type="checkbox" checked={withHidden} onChange={(event) => setWithHidden(event.currentTarget.checked)} /><span>Hidden ones too</span></label>
        </div>
        {error && <p class="error" role="alert">{error}</p>}
        {answer && shown.length === 0 && <p class="quiet">No sprite is on the screen.</p>}
        {shown.length > 0 && (
          <div class="table-place video-sprites" tabIndex={0} role="region" aria-label="Sprites">
            <table>
              <thead><tr><th>No.</th><th>Picture</th><th class="number">X</th><th class="number">Y</th><th>Size</th><th class="number">Tile</th><th class="number">Palette</th><th class="number">Priority</th></tr></thead>
              <tbody>{shown.map((sprite) => <SpriteRow key={sprite.number} sprite={sprite} emulator={emulator} />)}</tbody>
            </table>
          </div>
        )}
      </section>
    </div>
  );
}

function SpriteRow({ sprite, emulator }: { sprite: Sprite; emulator: string | undefined }) {
  const { number, x, y, width, height, tile, palette, priority, flipX, flipY, onScreen } = sprite;
  // another picture is fetched when the sprite is another
  const version = [tile, palette, width, height, flipX, flipY].join();
  return (
    <tr>
      <td>{number}</td>
      <td>{onScreen && width > 0 && <LivePicture key={version} path="/v2/video/sprites/{sprite}/picture" emulator={emulator} every={null} parameters={{ sprite: number }} alt={`Sprite ${number}`} />}</td>
      <td class="number">{x}</td><td class="number">{y}</td><td>{width} × {height}</td><td class="number">{numberText(tile)}</td><td class="number">{palette}</td><td class="number">{priority}</td>
    </tr>
  );
}

function Tiles({ emulator, every }: PartProps) {
  const { answer, error } = useAnswer(null, () => call('get', '/v2/video/palettes', { emulator }), [emulator]);
  const [bits, setBits] = useState<number | null>(null);
  const [palette, setPalette] = useState(0);
  const isAdvance = answer?.platform === 'gba';
  const shownBits = bits ?? (isAdvance ? 4 : 2);
  return (
    <section class="card" aria-labelledby="tiles-title">
      <div class="card-head">
        <h2 id="tiles-title">Tiles</h2>
        {isAdvance && (
          <select aria-label="Bits of a pixel" value={shownBits} onChange={(event) => setBits(Number(event.currentTarget.value))}><option value={4}>4 bits, 16 colours</option><option value={8}>8 bits, 256 colours</option></select>
        )}
        {shownBits !== 8 && (
          <select aria-label="Palette" value={palette} onChange={(event) => setPalette(Number(event.currentTarget.value))}>
            {(answer?.palettes ?? []).map(({ number, sprites }) => <option key={number} value={number}>Palette {number}{sprites ? ', sprites' : ''}</option>)}
          </select>
        )}
      </div>
      {error && <p class="error" role="alert">{error}</p>}
      {answer && (
        <div class="video-tiles" tabIndex={0} role="region" aria-label="All tiles">
          <LivePicture path="/v2/video/tiles/picture" emulator={emulator} every={every} query={{ bits: shownBits, scale: 2, columns: 32, ...(shownBits === 8 ? {} : { palette }) }} alt="All tiles of video memory" />
        </div>
      )}
    </section>
  );
}

function Palettes({ emulator, every }: PartProps) {
  const { answer, error } = useAnswer(every, () => call('get', '/v2/video/palettes', { emulator }), [emulator]);
  const of = (sprites: boolean) => (answer?.palettes ?? []).filter((palette) => palette.sprites === sprites);
  return (
    <>
      {error && <p class="error" role="alert">{error}</p>}
      {answer && (
        <div class="video-columns even">
          <section class="card" aria-labelledby="palettes-backgrounds"><h2 id="palettes-backgrounds">Backgrounds</h2><Swatches palettes={of(false)} /></section>
          <section class="card" aria-labelledby="palettes-sprites"><h2 id="palettes-sprites">Sprites</h2><Swatches palettes={of(true)} /></section>
        </div>
      )}
    </>
  );
}

function Swatches({ palettes }: { palettes: readonly Palette[] }) {
  return (
    <ul class="plain-list swatches">
      {palettes.map(({ number, colors }) => (
        <li key={number}>
          <span class="swatch-number">{number}</span>
          <span class="swatch-row" role="img" aria-label={`Palette ${number}: ${colors.join(' ')}`}>
            {colors.map((color, index) => <span key={index} class="swatch" title={`${index}: ${color}`} style={{ background: color }} />)}
          </span>
        </li>
      ))}
    </ul>
  );
}

import { useOpenSocket } from '../../api/hooks';
import { ClockCard } from './clock';
import { type Cartridge, sensorsOf, useCartridge } from './cartridge';
import { Sensors } from './sensors';

const Names: [keyof Cartridge, string][] = [['model', 'Console'], ['saveType', 'Save memory'], ['hardware', 'Hardware'], ['mbc', 'Controller'], ['idleLoop', 'Idle loop'], ['bios', 'BIOS']];
const Origins: Record<string, string> = {
  option: 'an option of this emulator', table: 'mGBA’s table of games', guess: 'a guess by the ROM', detected: 'found while the game runs', state: 'a state that was loaded', default: 'the default',
};

/** The cartridge and the console: what they are, their clock and their sensors. */
export function Machine() {
  const link = useOpenSocket();
  const cartridge = useCartridge();
  const sensors = sensorsOf(cartridge);
  return (
    <>
      <h1 class="view-title">Machine</h1>
      <div class="stack">
        {cartridge && (
          <section class="card" aria-labelledby="cartridge-title">
            <h2 id="cartridge-title">Cartridge and console</h2>
            <dl class="facts columns">
              {Names.flatMap(([key, name]) => cartridge[key] ? [<div key={key}><dt>{name}</dt><dd>{cartridge[key].value} <span class="quiet">{Origins[cartridge[key].origin] ?? cartridge[key].origin}</span></dd></div>] : [])}
            </dl>
            <p class="quiet">They are set when a game is started: <code>mgba-bridge run game.gba --save-type flash1m --hardware rtc</code></p>
          </section>
        )}
        <ClockCard />
        {sensors.length > 0 && <Sensors link={link} sensors={sensors} />}
      </div>
    </>
  );
}

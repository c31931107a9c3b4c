import { isAway } from '../../api/away';
import { meta } from '../../api/gateway';
import { forgetGame, playFile, playRom, recentGames, RomFiles } from '../../api/roms';
import { useAction, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

/** Brings a game: a file that is chosen here (or dropped anywhere on the page), or one that was played before. Nothing where no emulator could play it. */
export function RomPicker() {
  const recent = useStore(recentGames);
  const isLost = useStore(isAway);
  const action = useAction();
  const isOff = isLost || action.isBusy;
  if (meta('headless') === 'no') {
    return null;
  }
  const bring = (file: File | undefined) => file && void action.run(async () => playFile(file));
  return (
    <section class="card rom-picker" aria-labelledby="rom-title">
      <h2 id="rom-title">Play a game</h2>
      <label class="rom-drop">
        <Icon name="upload" />
        <span>{action.isBusy ? 'Starting…' : <><b>Drop a ROM here</b>, or choose a file</>}</span>
        <span class="quiet">GBA, GB or GBC, up to 32 MiB, also alone in a zip archive. It is kept on the gateway's machine.</span>
        <input type="file" class="visually-hidden" accept={RomFiles} disabled={isOff} onChange={(event) => { bring(event.currentTarget.files?.[0]); event.currentTarget.value = ''; }} />
      </label>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {recent.length > 0 && (
        <ul class="rom-tiles plain-list" aria-label="Played before">
          {recent.map(({ rom, name, picture }) => (
            <li key={rom}>
              <button type="button" class="rom-tile" disabled={isOff} title={rom} onClick={() => void action.run(() => playRom(rom))}>
                <img src={picture} alt="" width="240" height="160" />
                <span class="ellipsis">{name}</span>
              </button>
              <button type="button" class="icon-button small" aria-label={`Forget ${name}`} title="Forget" onClick={() => forgetGame(rom)}><Icon name="close" /></button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { emulators, lacksScript, meta } from '../../api/gateway';
import { useStore } from '../../ui/hooks';

/** The steps to connect an emulator, while none is connected. */
export function FirstContact() {
  const all = useStore(emulators) ?? [];
  const waiting = all.filter(({ detail }) => detail);
  const isOpen = all.some(lacksScript);
  return (
    <section class="card first-contact" aria-labelledby="steps-title">
      <h2 id="steps-title">{meta('headless') === 'no' ? 'Three' : 'Or three'} steps to a game in mGBA's window</h2>
      <ol class="steps">
        <li>
          {isOpen ? <>In the window that is open, <b>pause the game</b></> : <>Start mGBA, open a game and <b>pause it</b></>} (Ctrl+P):
          mGBA 0.10.1 may crash when a script is loaded while the game runs.
        </li>
        <li>
          Load the script:
          <dl>
            <dt>mGBA 0.10</dt>
            <dd>
              <b>Tools &gt; Scripting…</b>, then <b>File &gt; Load script…</b>, and choose
              <code id="script">{meta('script')}</code>
            </dd>
            <dt>mGBA 0.11</dt>
            <dd>{isOpen ? 'the window loads it by itself' : <>the same, or start it with the script: <code>{meta('start')}</code></>}</dd>
          </dl>
        </li>
        <li>Continue the game: this page shows it as soon as it is connected.</li>
      </ol>
      {meta('headless') !== 'no' && <p>In a terminal, <code>mgba-bridge run game.gba</code> starts a game without a window and prints the address of its page.</p>}
      <p class="quiet">If nothing appears, run <code>mgba-bridge doctor</code>: it names the next step.</p>
      {waiting.length > 0 && (
        <details>
          <summary>What the gateway found</summary>
          <ul>{waiting.map(({ id, detail }) => <li key={id}>Emulator {id}: {detail}</li>)}</ul>
        </details>
      )}
    </section>
  );
}

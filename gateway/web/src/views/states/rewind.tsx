import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { tell } from '../../ui/toast';
import { BlobImage } from '../../api/blob-image';
import { bytesText, numberText } from '../../ui/format';
import { useAction, usePolling } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

type Ring = components['schemas']['RewindAnswer'];

const Every = 60;
const Points = 60;

/** The states that the gateway keeps while the game runs: drag to look, and continue from there. */
export function Rewind({ emulator, title }: { emulator: string | undefined; title: string }) {
  const [ring, setRing] = useState<Ring | null>(null);
  const [frame, setFrame] = useState<number | null>(null);
  const action = useAction();
  const refresh = async () => {
    try {
      setRing(await call('get', '/v2/rewind', { emulator }));
    } catch {
      setRing(null);
    }
  };
  usePolling(ring === null ? null : 1000, refresh, [emulator]);
  const start = () => void action.run(async () => setRing(await call('put', '/v2/rewind', { emulator, body: { every: Every, points: Points } })));
  const stop = () => void action.run(async () => {
    await call('delete', '/v2/rewind', { emulator });
    setRing(null);
  });
  const points = ring?.points ?? [];
  const isRunning = ring !== null;
  const index = frame === null ? points.length - 1 : Math.max(0, points.findLastIndex((point) => point.frame <= frame));
  const point = points[index];
  const rewind = () => point && void action.run(async () => {
    await call('post', '/v2/rewind/{frame}', { emulator, path: { frame: point.frame } });
    tell(`Continued from frame ${numberText(point.frame)}.`);
    setFrame(null);
  });
  return (
    <section class="card" aria-labelledby="rewind-title">
      <div class="card-head">
        <h2 id="rewind-title">Rewind</h2>
        {isRunning
          ? <><span class="chip">{points.length} of {ring.most} states, every {ring.every} frames, {bytesText(ring.bytes)}</span><Allowed method="delete" path="/v2/rewind"><button type="button" class="small" onClick={stop}>Stop keeping</button></Allowed></>
          : <Allowed method="put" path="/v2/rewind"><button type="button" class="small" disabled={action.isBusy} onClick={start}>Keep the last minute</button></Allowed>}
      </div>
      {!isRunning && <p class="quiet">The gateway then keeps a state every second, and you can return to any of them.</p>}
      {isRunning && point === undefined && <p class="quiet">The first state comes after {ring.every} frames.</p>}
      {isRunning && point !== undefined && (
        <div class="rewind">
          <BlobImage path="/v2/rewind/{frame}/screen" emulator={emulator} parameters={{ frame: point.frame }} alt={`${title} at frame ${point.frame}`} />
          <div class="rewind-bar">
            <input type="range" aria-label="State to return to" min={0} max={points.length - 1} value={index} aria-valuetext={`frame ${point.frame}`}
              onInput={(event) => setFrame(points[Number(event.currentTarget.value)]?.frame ?? null)} />
            <div class="row middle">
              <span class="mono">Frame {numberText(point.frame)}</span>
              <span class="spacer" />
              {frame !== null && <button type="button" class="small" onClick={() => setFrame(null)}>Newest</button>}
              <Allowed method="post" path="/v2/rewind/{frame}"><button type="button" class="primary" disabled={action.isBusy} onClick={rewind}><Icon name="back" />Continue from here</button></Allowed>
            </div>
          </div>
        </div>
      )}
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </section>
  );
}

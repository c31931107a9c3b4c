import { useLayoutEffect, useState } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { call } from '../api/http';
import { useAction, useStore } from '../ui/hooks';
import { Part } from '../ui/part';

/** A view with a file of its own. */
export function lazy(read: () => Promise<ComponentType>): ComponentType {
  const part = new Part(read);
  return () => {
    const View = useStore(part.content);
    const [isMissing, setMissing] = useState(false);
    useLayoutEffect(() => void part.load().catch(() => setMissing(true)), []);
    return View !== null ? <View /> : isMissing ? <Missing /> : <p class="quiet pad">Loading…</p>;
  };
}

function Missing() {
  const action = useAction();
  // Firefox does not ask again for a file that has failed, and an updated gateway has others: the page is loaded again, once there is one
  const retry = () => void action.run(async () => {
    await call('get', '/v2/emulators', {});
    location.reload();
  });
  return (
    <>
      <h1 class="view-title">This view could not be loaded</h1>
      <div class="stack">
        <section class="card">
          <p>The gateway did not answer, or was updated.</p>
          <div class="row"><button type="button" class="primary" disabled={action.isBusy} onClick={retry}>Try again</button></div>
          {action.error && <p class="error" role="alert">{action.error}</p>}
        </section>
      </div>
    </>
  );
}

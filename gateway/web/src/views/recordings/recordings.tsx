import { useRef, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { FrameRate } from '../../api/frame-rate';
import { call, read, send } from '../../api/http';
import type { components } from '../../api/schema';
import { current, gameName } from '../../api/gateway';
import { tell } from '../../ui/toast';
import { ConfirmButton } from '../../ui/confirm';
import { numberText } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { save } from '../../ui/save';
import { Outcome, type Replayed } from './outcome';

type Recording = components['schemas']['RecordingAnswer'];

const Intervals: [number, string][] = [[1, 'every frame'], [10, 'every 10 frames'], [60, 'every 60 frames'], [600, 'every 600 frames']];
const Reasons: Record<string, string> = {
  stopped: 'Complete', full: 'Full', 'game.reset': 'The game was reset', 'game.closed': 'The game was closed', 'game.opened': 'Another game was opened', 'game.crashed': 'The game crashed',
  'game.stopped': 'The game stopped its machine', freeze: 'A value was frozen', cheat: 'The cheats were changed', 'script.lost': 'The emulator was lost', 'epoch-changed': 'The game was changed',
};

type Running = { title: string; about: string; stopped: string };

/** Recordings of the keys: record, replay, and where a replay differed. */
export function Recordings() {
  const status = useStore(current);
  const emulator = status?.id;
  const [list, setList] = useState<Recording[] | null>(null);
  const [hashEvery, setHashEvery] = useState(60);
  const [replayed, setReplayed] = useState<Replayed | null>(null);
  const [running, setRunning] = useState<Running | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const action = useAction();
  const refresh = async () => setList((await call('get', '/v2/recordings', { emulator })).recordings);
  usePolling(1000, refresh, [emulator]);

  const attempt = (what: () => Promise<unknown>) => void action.run(async () => {
    await what();
    await refresh();
  });
  const start = () => attempt(() => call('post', '/v2/recordings', { emulator, body: { hashEvery } }));
  const stop = ({ id }: Recording) => attempt(() => call('post', '/v2/recordings/{recording}/stop', { emulator, path: { recording: id } }));
  const remove = ({ id }: Recording) => attempt(() => call('delete', '/v2/recordings/{recording}', { emulator, path: { recording: id } }));
  const linesOf = async ({ id }: Recording) => (await read('/v2/recordings/{recording}', { emulator, path: { recording: id } })).blob();
  const download = (one: Recording) => attempt(async () => save(await linesOf(one), `${(status && gameName(status)) || 'game'}-${one.id}.jsonl`));
  const run = (what: Running, work: (signal: AbortSignal) => Promise<void>) => void action.run(async () => {
    const abort = new AbortController();
    leaving.current = abort;
    setRunning(what);
    try {
      await work(abort.signal);
    } catch (thrown) {
      if (!abort.signal.aborted) {
        throw thrown;
      }
      tell(what.stopped);
    } finally {
      leaving.current = null;
      setRunning(null);
    }
  });
  const replay = (name: string, lines: () => Promise<Blob>) => {
    setReplayed(null);
    run({ title: `Replaying ${name}.`, about: 'The replay has control of the game; keys of others are refused until it ends.', stopped: 'The replay was stopped.' }, async (signal) => {
      const answer = await send('post', '/v2/replay', { emulator, bytes: await lines(), signal });
      setReplayed({ name, answer: await answer.json() as Replayed['answer'] });
    });
  };
  const makeVideo = ({ id, last, frame }: Recording) => run(
    { title: `Making a video of ${id}, ${lengthText(last - frame)}.`, about: 'Another emulator plays the recording; you can play on.', stopped: 'The video was given up.' },
    async (signal) => {
      const video = await send('post', '/v2/recordings/{recording}/video', { emulator, path: { recording: id }, signal });
      save(await video.blob(), `${(status && gameName(status)) || 'game'}-${id}.mp4`);
    },
  );
  const running_ = (list ?? []).filter(({ ended }) => !ended);
  const isRecording = running_.length > 0;
  const isBusy = action.isBusy;
  return (
    <>
      <h1 class="view-title">Recordings</h1>
      <p class="view-lead">A recording has the state at its start and the keys of every frame, of all players. Its replay shows whether the game does the same again.</p>
      <div class="stack">
        <section class="card" aria-labelledby="recordings-title">
          <div class="card-head">
            <h2 id="recordings-title">Recordings in the gateway</h2>
            <Allowed method="post" path="/v2/replay">
              <label class="button upload">
                <Icon name="upload" /><span>Replay a file</span>
                <input type="file" class="visually-hidden" accept=".jsonl" disabled={isBusy}
                  onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    event.currentTarget.value = '';
                    if (file) {
                      replay(file.name, () => Promise.resolve(file));
                    }
                  }} />
              </label>
            </Allowed>
            <Allowed method="post" path="/v2/recordings">
              <select aria-label="Compare memory" value={hashEvery} disabled={isRecording} onChange={(event) => setHashEvery(Number(event.currentTarget.value))}>
                {Intervals.map(([frames, text]) => <option key={frames} value={frames}>Hash {text}</option>)}
              </select>
              <button type="button" class="primary" disabled={isBusy || isRecording || list === null} onClick={start}><Icon name="recordings" />Record</button>
            </Allowed>
          </div>
          {action.error && <p class="error" role="alert">{action.error}</p>}
          {list !== null && list.length === 0 && <p class="empty"><b>No recordings</b>Press Record, play, and stop; the recording stays in the gateway until it is deleted or the gateway ends.</p>}
          {list !== null && list.length > 0 && (
            <div class="table-place" tabIndex={0} role="region" aria-label="Recordings">
              <table class="recordings">
                <thead><tr><th>Recording</th><th>State</th><th class="number wide">From frame</th><th class="number">Length</th><th class="number wide">Key changes</th><th class="number wide">Hashes</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
                <tbody>
                  {[...list].reverse().map((one) => (
                    <tr key={one.id}>
                      <td class="mono">{one.id}</td>
                      <td>{one.ended ? <span class={`chip ${one.ended === 'stopped' ? 'good' : 'warn'}`}>{Reasons[one.ended] ?? one.ended}</span> : <span class="chip bad recording-now">Recording</span>}</td>
                      <td class="number wide">{numberText(one.frame)}</td>
                      <td class="number" title={`${numberText(one.last - one.frame)} frames`}>{lengthText(one.last - one.frame)}</td>
                      <td class="number wide">{numberText(one.inputs)}</td>
                      <td class="number wide">{numberText(one.hashes)}</td>
                      <td class="actions">
                        {one.ended ? (
                          <Allowed method="post" path="/v2/replay">
                            <button type="button" class="small" disabled={isBusy || isRecording} aria-label={`Replay ${one.id}`} onClick={() => replay(one.id, () => linesOf(one))}><Icon name="resume" /><span class="wide">Replay</span></button>
                          </Allowed>
                        ) : (
                          <Allowed method="post" path="/v2/recordings/{recording}/stop">
                            <button type="button" class="small danger" disabled={isBusy} aria-label={`Stop ${one.id}`} onClick={() => stop(one)}><Icon name="stop" /><span class="wide">Stop</span></button>
                          </Allowed>
                        )}
                        {one.ended && (
                          <Allowed method="post" path="/v2/recordings/{recording}/video">
                            <button type="button" class="icon-button small" disabled={isBusy || !status?.process} aria-label={`Make a video of ${one.id}`}
                              title={status?.process ? 'Make a video, with sound' : 'Videos are made of games that the gateway has started'} onClick={() => makeVideo(one)}><Icon name="film" /></button>
                          </Allowed>
                        )}
                        <Allowed method="get" path="/v2/recordings/{recording}">
                          <button type="button" class="icon-button small" aria-label={`Download ${one.id}`} title="Download" onClick={() => download(one)}><Icon name="download" /></button>
                        </Allowed>
                        <Allowed method="delete" path="/v2/recordings/{recording}">
                          <ConfirmButton label={`Delete ${one.id}`} title={`Delete the recording ${one.id}?`} question="It cannot be restored." action="Delete"
                            isDisabled={isBusy} onConfirm={() => remove(one)}><Icon name="trash" /></ConfirmButton>
                        </Allowed>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
        {running !== null && (
          <section class="card replay-running" aria-label="Progress" role="status">
            <span class="spinner" aria-hidden="true" />
            <p><b>{running.title}</b> <span class="quiet">{running.about}</span></p>
            <button type="button" onClick={() => leaving.current?.abort()}>Stop</button>
          </section>
        )}
        {replayed !== null && <Outcome replayed={replayed} />}
      </div>
    </>
  );
}

function lengthText(frames: number): string {
  const seconds = frames / FrameRate;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { ConfirmButton } from '../../ui/confirm';
import { durationText, numberText, sentence } from '../../ui/format';
import { useAction, usePolling } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

type Status = components['schemas']['FleetStatusAnswer'];
type Host = components['schemas']['FleetHost'];
type Session = components['schemas']['FleetSession'];
type View = { status: Status; hosts: Host[]; sessions: Session[] };

const Every = 2000;
const Limit = 100;
const States = ['pending', 'placed', 'running', 'deleting'] as const;
const Kinds: Record<string, string> = { running: 'good', ready: 'good', placed: 'warn', pending: 'warn', draining: 'warn' };

/** The fleet: its hosts, its sessions and why some wait; create and delete sessions. */
export function Fleet() {
  const [view, setView] = useState<View | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [state, setState] = useState<(typeof States)[number] | ''>('');
  const [after, setAfter] = useState<readonly string[]>([]);
  const refresh = async () => {
    try {
      const [status, { hosts }, { sessions }] = await Promise.all([
        call('get', '/v2/fleet', {}), call('get', '/v2/fleet/hosts', {}),
        call('get', '/v2/fleet/sessions', { query: { limit: Limit, ...(state ? { state } : {}), ...(after.length > 0 ? { after: after.at(-1)! } : {}) } }),
      ]);
      setView({ status, hosts, sessions });
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  usePolling(Every, refresh, [state, after]);
  return (
    <>
      <h1 class="view-title">Fleet</h1>
      {error && <p class="error" role="alert">{error}</p>}
      {view && (
        <div class="stack">
          <Figures status={view.status} />
          <Allowed method="post" path="/v2/fleet/sessions"><CreateForm onChange={refresh} /></Allowed>
          <Hosts hosts={view.hosts} />
          <Sessions sessions={view.sessions} state={state} isFirst={after.length === 0} onChange={refresh}
            onState={(name) => { setState(States.find((known) => known === name) ?? ''); setAfter([]); }}
            onNext={() => setAfter([...after, view.sessions.at(-1)!.id])} onBack={() => setAfter(after.slice(0, -1))} />
        </div>
      )}
    </>
  );
}

function Figures({ status }: { status: Status }) {
  const facts: [string, string][] = [
    ['Running', numberText(status.running)], ['Starting', numberText(status.placed)], ['Waiting', numberText(status.pending)],
    ['Hosts', `${numberText(status.hosts)} for ${numberText(status.capacity)}`],
  ];
  return <dl class="figures">{facts.map(([name, value]) => <div key={name} class="card"><dt>{name}</dt><dd data-figure={name}>{value}</dd></div>)}</dl>;
}

function Hosts({ hosts }: { hosts: readonly Host[] }) {
  const living = hosts.filter(({ state }) => state !== 'gone');
  return (
    <section class="card" aria-labelledby="hosts-title">
      <h2 id="hosts-title">Hosts</h2>
      {living.length === 0 ? <p class="quiet">No host runs. An engine starts one for each session; without one, start <code>mgba-bridge node</code>.</p> : (
        <div class="table-place" tabIndex={0} role="region" aria-label="Hosts of the fleet">
          <table class="fleet-table">
            <thead><tr><th>Host</th><th>State</th><th class="number">Sessions</th><th class="number">Lease</th><th>Version</th><th>Id</th></tr></thead>
            <tbody>
              {living.map((host) => (
                <tr key={host.id} data-host={host.id}>
                  <td>{host.name}</td><td><span class={`chip ${Kinds[host.state] ?? 'bad'}`}>{host.state}</span></td>
                  <td class="number" data-label="Sessions">{host.sessions} of {host.capacity}</td>
                  <td class="number" data-label="Lease">{host.leaseSeconds > 0 ? `${host.leaseSeconds.toFixed(0)} s` : <span class="chip bad">ended</span>}</td>
                  <td data-label="Version">{host.version.split('+')[0]}</td><td class="mono quiet" data-label="Id">{host.id.slice(0, 8)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

type SessionsOptions = {
  sessions: readonly Session[]; state: string; isFirst: boolean;
  onChange: () => Promise<void>; onState: (name: string) => void; onNext: () => void; onBack: () => void;
};

function Sessions({ sessions, state, isFirst, onChange, onState, onNext, onBack }: SessionsOptions) {
  const action = useAction();
  const remove = (session: string) => void action.run(async () => {
    await call('delete', '/v2/fleet/sessions/{session}', { path: { session } });
    await onChange();
  });
  return (
    <section class="card" aria-labelledby="sessions-title">
      <div class="card-head">
        <h2 id="sessions-title">Sessions</h2>
        <select aria-label="State of the sessions" value={state} onChange={(event) => onState(event.currentTarget.value)}>
          <option value="">all</option>
          {States.map((name) => <option key={name}>{name}</option>)}
        </select>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {sessions.length === 0 ? <p class="quiet">{state ? `No session is ${state}.` : 'The fleet has no sessions.'}</p> : (
        <div class="table-place" tabIndex={0} role="region" aria-label="Sessions of the fleet">
          <table class="fleet-table">
            <thead><tr><th>Session</th><th>State</th><th>Host</th><th>Job</th><th class="number">Saved</th><th>ROM</th><th>Owner</th><th>Detail</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>
              {sessions.map((session) => (
                <tr key={session.id} data-session={session.id}>
                  <td class="mono">{session.id}</td><td><span class={`chip ${Kinds[session.state] ?? ''}`}>{session.state}</span></td>
                  <td data-label="Host">{session.host}</td><td class="mono" data-label="Job">{session.job}</td>
                  <td class="number" data-label="Saved" title="Age of the newest stored state">{session.stateSeconds == null ? null : `${durationText(session.stateSeconds)} ago`}</td>
                  <td data-label="ROM">{session.rom}</td><td data-label="Owner">{session.owner}</td>
                  <td class="fleet-detail">{session.detail}</td>
                  <td class="fleet-actions">
                    <Allowed method="delete" path="/v2/fleet/sessions/{session}">
                      <ConfirmButton label={`Delete ${session.id}`} title="Delete the session?" question="Its game ends, and its states are deleted." action="Delete"
                        isDisabled={action.isBusy || session.state === 'deleting'} onConfirm={() => remove(session.id)}><Icon name="trash" /></ConfirmButton>
                    </Allowed>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(!isFirst || sessions.length === Limit) && (
        <div class="row middle card-foot">
          <Allowed method="get" path="/v2/fleet/sessions">
            <button type="button" disabled={isFirst} onClick={onBack}>Previous</button>
            <button type="button" disabled={sessions.length < Limit} onClick={onNext}>Next</button>
          </Allowed>
        </div>
      )}
    </section>
  );
}

function CreateForm({ onChange }: { onChange: () => Promise<void> }) {
  const [rom, setRom] = useState('');
  const [count, setCount] = useState('1'); // text: what is being typed need not be a number
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await call('post', '/v2/fleet/sessions', { body: { rom, count: Number(count) } });
      await onChange();
    });
  };
  return (
    <form class="card" onSubmit={submit} aria-labelledby="create-sessions">
      <h2 id="create-sessions">Create sessions</h2>
      <div class="row">
        <label class="field grow long"><span>ROM</span><input value={rom} required maxLength={255} placeholder="A file below Owned:RomFolders of the hosts" onInput={(event) => setRom(event.currentTarget.value)} /></label>
        <label class="field short"><span>How many</span><input type="number" value={count} min={1} max={1000} required onInput={(event) => setCount(event.currentTarget.value)} /></label>
        <button type="submit" class="primary" disabled={action.isBusy || rom === ''}>Create</button>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}

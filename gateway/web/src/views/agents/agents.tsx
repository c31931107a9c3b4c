import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { current } from '../../api/gateway';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { leaseHolder } from '../../api/control';
import { agoText, numberText, sentence } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

type Agent = components['schemas']['AgentAnswer'];

const Every = 1000;
const ShownCalls = 12;
const Kinds: Record<Agent['recent'][number]['outcome'], string> = { done: 'good', failed: 'bad', cancelled: 'warn', paused: 'warn' };

/** Who plays through MCP, what each did, and a way to pause it. */
export function Agents() {
  const [agents, setAgents] = useState<Agent[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const refresh = async () => {
    try {
      setAgents((await call('get', '/v2/agents', {})).agents);
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  usePolling(Every, refresh, []);
  return (
    <>
      <h1 class="view-title">Agents</h1>
      <p class="view-lead">Programs with a language model that play through MCP. A paused agent cannot press keys, and its keys and its control are released.</p>
      {error && <p class="error" role="alert">{error}</p>}
      {agents !== null && agents.length === 0 && <NoAgents />}
      <div class="stack">{(agents ?? []).map((agent) => <AgentCard key={agent.id} agent={agent} name={distinctName(agent, agents!)} onChange={refresh} />)}</div>
    </>
  );
}

/** The name of an agent, with its id when another one has the same. */
function distinctName({ id, name }: Agent, agents: readonly Agent[]): string {
  return agents.some((other) => other.name === name && other.id !== id) ? `${name} (${id})` : name;
}

function NoAgents() {
  const address = new URL('mcp', document.baseURI).href;
  return (
    <section class="card first-contact" aria-labelledby="no-agents">
      <h2 id="no-agents">No agent has connected yet</h2>
      <p>Connect one in either of two ways:</p>
      <dl class="agent-ways">
        <dt>Over HTTP</dt><dd><code>{address}</code></dd>
        <dt>As a program</dt><dd><code>mgba-bridge mcp</code></dd>
      </dl>
      <p class="quiet">For example: <code>claude mcp add --transport http mgba {address}</code></p>
    </section>
  );
}

function AgentCard({ agent, name, onChange }: { agent: Agent; name: string; onChange: () => Promise<void> }) {
  const action = useAction();
  const status = useStore(current);
  const hasControl = useStore(leaseHolder) === agent.holder && status?.state === 'leased';
  const pause = () => void action.run(async () => {
    await call('put', '/v2/agents/{agent}', { path: { agent: agent.id }, body: { paused: !agent.paused } });
    await onChange();
  });
  const calls = [...agent.recent].reverse().slice(0, ShownCalls);
  const facts: [string, string][] = [
    ['Calls', numberText(agent.calls)], ['Failed', numberText(agent.failed)], ['Key presses', numberText(agent.presses)], ['Last seen', agoText(agent.lastSeen)],
  ];
  return (
    <section class="card agent" aria-labelledby={`agent-${agent.id}`}>
      <div class="card-head">
        <h2 id={`agent-${agent.id}`}>{name}{agent.version && <span class="quiet"> {agent.version}</span>}</h2>
        {hasControl && <span class="chip strong">has control</span>}
        <span class={`chip ${agent.paused ? 'warn' : 'good'}`}>{agent.paused ? 'Paused' : 'Connected'}</span>
        <Allowed method="put" path="/v2/agents/{agent}">
          <button type="button" disabled={action.isBusy} aria-label={`${agent.paused ? 'Continue' : 'Pause'} ${name}`} onClick={pause}>
            <Icon name={agent.paused ? 'resume' : 'pause'} />{agent.paused ? 'Continue' : 'Pause'}
          </button>
        </Allowed>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      <dl class="agent-facts">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {calls.length === 0 ? <p class="quiet">It has made no call yet.</p> : (
        <div class="table-place" tabIndex={0} role="region" aria-label={`Calls of ${name}`}>
          <table class="agent-calls">
            <thead><tr><th>When</th><th>Tool</th><th>What</th><th class="number wide">Took</th><th>Outcome</th></tr></thead>
            <tbody>
              {calls.map((one, index) => (
                <tr key={`${one.at}-${index}`}>
                  <td class="quiet">{agoText(one.at)}</td><td class="mono">{one.tool}</td><td class="agent-detail">{one.detail ?? ''}</td>
                  <td class="number wide">{one.milliseconds < 10 ? one.milliseconds.toFixed(1) : numberText(Math.round(one.milliseconds))} ms</td>
                  <td><span class={`chip ${Kinds[one.outcome]}`}>{one.outcome}</span></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="quiet agent-foot">Holder {agent.holder}{agent.caller ? `, from ${agent.caller}` : ''}, MCP {agent.protocol}, first seen {agoText(agent.since)}</p>
    </section>
  );
}

import { api, equal, eventually } from './tools.mjs';

/** A client of /mcp as agents are. */
async function connect(base) {
  let session = null;
  let id = 0;
  const post = async (body) => {
    const response = await fetch(new URL('mcp', base), {
      method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...(session ? { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' } : {}) },
    });
    session ??= response.headers.get('Mcp-Session-Id');
    const text = await response.text();
    const line = text.split('\n').findLast((one) => one.startsWith('data:')) ?? `data:${text || 'null'}`;
    return JSON.parse(line.slice('data:'.length));
  };
  const request = (method, params) => post({ id: ++id, method, params });
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test-agent', version: '1.2.3' } });
  await post({ method: 'notifications/initialized' });
  return { call: (name, parameters = {}) => request('tools/call', { name, arguments: parameters }) };
}

/** The list explains itself when it is empty; an agent appears with its calls, and is paused and continued. */
export async function agents({ base, open, audit, auditLooks }) {
  const page = await open('agents');
  await page.getByText('No agent has connected yet').waitFor();
  await audit(page, 'agents-none');
  const agent = await connect(base);
  await agent.call('status');
  const card = page.locator('.agent', { hasText: 'test-agent' });
  await card.locator('tr', { hasText: 'status' }).waitFor();
  await card.getByText('Connected').waitFor();
  await page.getByRole('button', { name: 'Pause test-agent' }).click();
  await card.getByText('Paused', { exact: true }).waitFor();
  const refused = await agent.call('status');
  equal(refused.result?.isError ?? refused.error !== undefined, true, 'a call of a paused agent is an error');
  await audit(page, 'agents-paused');
  await page.getByRole('button', { name: 'Continue test-agent' }).click();
  await eventually('the agent continues', async () => !(await api(base, 'GET', 'v2/agents')).agents[0].paused);
  await agent.call('status');
  await agent.call('press', { keys: 'A 2, wait 3, B', picture: 'none' });
  await agent.call('read', { places: ['0x02000008 u32', 'nowhere:0x0 u8'] });
  await agent.call('save', { name: 'before-the-boss' });
  const namesake = await connect(base);
  await namesake.call('status');
  await page.getByRole('region', { name: /^Calls of test-agent \(/ }).nth(1).waitFor();
  await auditLooks('agents', (one) => one.locator('.agent tr', { hasText: 'status' }).first().waitFor());
}

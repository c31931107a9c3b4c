// A typed client: every path, body and answer is checked against docs/openapi.json when this is compiled.
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './bridge.js';

type Problem = components['schemas']['Problem'];

// A failure says in one sentence what went wrong and what to do about it.
const failures: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) {
      const problem = (await response.clone().json()) as Problem;
      throw new Error(problem.detail);
    }
  },
};

export function connect(baseUrl: string, holder: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'Mgba-Holder': holder } });
  client.use(failures);
  return client;
}

import type { Client } from '../client/client.ts';
import { endpointOfAddress } from '../journal/endpoints.ts';
import { EngineError } from '../shared/engine-error.ts';
import { visible } from '../shared/visible.ts';
import { createdId, type Digest, mayCreate } from './digest.ts';

/** The sign for an object that a run has created, in place of its ID. */
const created = 'new';

/**
 * Wraps the client of an approved run: only requests that the rehearsal contained are sent. The service may differ from the
 * copy, so a command might otherwise do more than what was approved.
 *
 * @param parts those of the rehearsal
 */
export function approvedClient(parts: Digest['parts']): (client: Client) => Client {
  const approved = approvedCalls(parts);
  const ids = new Set<string>();
  const plainId = (id: string) => (ids.has(id) ? created : id);
  const plainPath = (path: string) => path.replaceAll(/[^/?#]+/g, plainId);
  const keep = (method: string, answer: unknown, addressParts: readonly string[]) => {
    const id = mayCreate(method) ? createdId(answer, addressParts) : undefined;
    if (id !== undefined) ids.add(id);
  };
  return (client) => {
    const call: Client['call'] = async (endpoint, input) => {
      const { method, name, path } = endpoint;
      if (method === 'GET' || input.unrecorded) return client.call(endpoint, input);
      const params: Record<string, string> = { ...input.params };
      const plain = Object.fromEntries(Object.entries(params).map(([param, value]) => [param, plainId(value)]));
      if (!(await approved).has(callKey(name, plain))) throw notRehearsed(method, path, plain);
      const answer = await client.call(endpoint, input);
      keep(method, answer, Object.values(params));
      return answer;
    };
    const request: Client['request'] = async (method, path, input) => {
      if (/^(?:GET|HEAD|OPTIONS)$/i.test(method) || input?.unrecorded) return client.request(method, path, input);
      const addressed = await endpointOfAddress(method, plainPath(path));
      const key = addressed ? callKey(addressed.endpoint.name, addressed.params) : pathKey(method, plainPath(path));
      if (!(await approved).has(key)) throw notRehearsed(method, path);
      const answer = await client.request(method, path, input);
      keep(method.toUpperCase(), answer.body, path.split(/[/?#]/));
      return answer;
    };
    return { ...client, call, request };
  };
}

const callKey = (endpoint: string, params: Readonly<Record<string, string>>): string =>
  JSON.stringify([endpoint, Object.entries(params).toSorted(([one], [other]) => (one < other ? -1 : 1))]);

/** For addresses that no endpoint has. */
const pathKey = (method: string, path: string): string => `${method.toUpperCase()} ${path.split(/[?#]/, 1)[0]}`;

async function approvedCalls(parts: Digest['parts']): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const [name, hash] of parts) {
    const [, method, path] = /^([A-Z]+) (\/\S*) -> \w+$/.exec(name) ?? [];
    if (hash !== '' || method === undefined || path === undefined) continue;
    const addressed = await endpointOfAddress(method, path);
    keys.add(addressed ? callKey(addressed.endpoint.name, addressed.params) : pathKey(method, path));
  }
  return keys;
}

function notRehearsed(method: string, path: string, params: Readonly<Record<string, string>> = {}): EngineError {
  const address = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  return new EngineError(
    'refused',
    `The rehearsal did not contain this request, so it was not sent: ${method.toUpperCase()} ${visible(address)}.`,
    { hint: 'The service differs from the copy on which the proposal was rehearsed. Propose the rest again.' },
  );
}

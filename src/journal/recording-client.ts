import type { Client } from '../client/client.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { RunJournal } from './run-journal.ts';

/** So many answers are kept for the titles of the objects that a change is about. */
const maxRead = 100;

/** A client whose changes are recorded in the journal. The journal is loaded with the first change. */
export function recordingClient(client: Client, load: () => Promise<RunJournal>): Client {
  const read: [Endpoint, unknown][] = [];
  const open = async (): Promise<RunJournal> => {
    const journal = await load();
    for (const [endpoint, answer] of read.splice(0)) journal.learn(endpoint, answer);
    return journal;
  };
  const call: Client['call'] = async (endpoint, input) => {
    const send = () => client.call(endpoint, input);
    if (endpoint.method !== 'GET' && !input.unrecorded) return (await open()).call(endpoint, input, send);
    const answer = await send();
    if (endpoint.path.endsWith('}') && read.push([endpoint, answer]) > maxRead) read.shift();
    return answer;
  };
  const request: Client['request'] = async (method, path, input) =>
    /^(?:GET|HEAD|OPTIONS)$/i.test(method) || input?.unrecorded
      ? client.request(method, path, input)
      : (await open()).request(method, path, input);
  return { ...client, call, request };
}

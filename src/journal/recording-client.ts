import type { Client } from '../client/client.ts';
import type { RunJournal } from './run-journal.ts';

/** A client whose changes are recorded in the journal. The journal is loaded with the first change. */
export function recordingClient(client: Client, open: () => Promise<RunJournal>): Client {
  const call: Client['call'] = async (endpoint, input) => {
    const send = () => client.call(endpoint, input);
    return endpoint.method === 'GET' || input.unrecorded ? send() : (await open()).call(endpoint, input, send);
  };
  const request: Client['request'] = async (method, path, input) =>
    /^(?:GET|HEAD|OPTIONS)$/i.test(method)
      ? client.request(method, path, input)
      : (await open()).request(method, path, input);
  return { ...client, call, request };
}

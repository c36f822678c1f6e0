import type { Client, RawInput } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { messageOf } from '../shared/error-text.ts';
import { endpointOfAddress } from './endpoints.ts';

/** One request that changes something, and what became of it. */
export interface SentChange {
  method: string;
  /** With `{name}` for path parameters, where the contract has the endpoint. */
  path: string;
  /** Its name in the contract; absent for an address that the contract does not have. */
  endpoint?: string;
  params: Record<string, string>;
  query?: unknown;
  body?: unknown;
  /** When it was sent, as ISO 8601. */
  started: string;
  /** What it changes, as it was before and after; only what an undo needs. */
  before?: unknown;
  after?: unknown;
  /** Id of what it made. */
  id?: string;
  /** Status of the answer; absent where none came. */
  status?: number;
  /** Why it failed. */
  error?: string;
  /** It was sent as a person wrote it, by "docsctl api": no other request goes with it. */
  alone?: true;
}

/** Is told of each request that changes something, before it is sent and when its answer is there. */
export interface Recorder {
  /** @param current what it changes, where it was just read */
  sending(change: SentChange, endpoint: Endpoint | undefined, current?: object): Promise<void>;
  sent(change: SentChange, endpoint: Endpoint | undefined, answer: unknown): Promise<void>;
}

/** Whether the request certainly changed nothing. */
export const wasRefused = ({ status }: SentChange): boolean => status !== undefined && status >= 400;

const isFields = (value: unknown): value is Record<string, string> => typeof value === 'object' && value !== null;

export interface ChangeInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  current?: object | undefined;
}

/** Sends a call of an endpoint that changes something, and tells the recorder. */
export async function recordCall<Answer>(
  recorder: Recorder,
  endpoint: Endpoint,
  { params, query, body, current }: ChangeInput,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { method, path, name } = endpoint;
  const change = {
    method,
    path,
    endpoint: name,
    params: isFields(params) ? params : {},
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    started: new Date().toISOString(),
  };
  const status = endpoint.status ?? 200;
  return recorded(recorder, { change, endpoint, current, status, send, bodyOf: (answer) => answer });
}

/** The same for a request to any address. */
export async function recordRequest(
  recorder: Recorder,
  client: Client,
  method: string,
  address: string,
  input: RawInput,
): Promise<Awaited<ReturnType<Client['request']>>> {
  const found = await endpointOfAddress(method, address);
  const body = input.body instanceof Uint8Array ? { bytes: input.body.length } : parsed(input.body);
  const change = {
    method: method.toUpperCase(),
    path: found?.endpoint.path ?? address,
    ...(found && { endpoint: found.endpoint.name }),
    params: found?.params ?? {},
    ...(input.query !== undefined && { query: input.query }),
    alone: true as const,
    ...(body !== undefined && { body }),
    started: new Date().toISOString(),
  };
  const send = () => client.request(method, address, input);
  return recorded(recorder, { change, endpoint: found?.endpoint, send, bodyOf: (answer) => answer.body });
}

interface Sending<Answer> {
  change: SentChange;
  endpoint: Endpoint | undefined;
  current?: object | undefined;
  /** Of the answer, where the answer does not have it. */
  status?: number;
  send(): Promise<Answer>;
  bodyOf(answer: Answer): unknown;
}

async function recorded<Answer>(
  recorder: Recorder,
  { change, endpoint, current, status, send, bodyOf }: Sending<Answer>,
): Promise<Answer> {
  await recorder.sending(change, endpoint, current);
  let answer: Answer;
  try {
    answer = await send();
  } catch (error) {
    if (error instanceof HttpError) change.status = error.status;
    change.error = messageOf(error);
    await recorder.sent(change, endpoint, undefined);
    throw error;
  }
  change.status = status ?? statusOf(answer);
  await recorder.sent(change, endpoint, bodyOf(answer));
  return answer;
}

const statusOf = (answer: unknown): number => (isFields(answer) ? Number(answer['status']) : 200);

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

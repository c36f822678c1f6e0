import { appendFileSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Client, RawInput } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';
import { NotSent, notSent } from '../client/errors/not-sent.ts';
import { createRedactor, type Redactor } from '../client/secrets.ts';
import { markUnchanged } from '../client/unchanged.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { invites } from '../contract/invites.ts';
import { choiceOf } from '../contract/object-titles.ts';
import { paramNames } from '../contract/path.ts';
import { users } from '../contract/users.ts';
import { messageOf } from '../shared/error-text.ts';
import { fileReason } from '../shared/file-reason.ts';
import { isObject } from '../shared/is-object.ts';
import { version } from '../shared/version.ts';
import { changedNothing } from './describe-change.ts';
import { commandWithoutSecrets, hiddenText, withoutLinkIds, withoutSecrets } from './hide.ts';
import { endpointOfAddress } from './endpoints.ts';
import { type ChangeCall, Reader } from './inverse/inverse.ts';
import { inverses, isIrreversible, madeId } from './inverse/inverses.ts';
import { keepUser, knownUser } from './known-user.ts';
import { Titles } from './titles.ts';
import {
  adoptEnded,
  appendEntry,
  type JournalEntry,
  type NewEntry,
  openFolder,
  readRunning,
  runningFile,
  type SentChange,
  wasRefused,
} from './journal-files.ts';

export interface JournalOptions {
  folder: string;
  profile: string | undefined;
  url: string;
  command: readonly string[];
  /** The entry that the command undoes. */
  undoes: number | undefined;
  /** Equal keys belong to the same user. */
  callerKey: string;
  /** The token, which must not be written anywhere. */
  secrets: readonly string[];
  /** Called if the journal cannot be written. */
  warn(text: string): Promise<void>;
}

/** How a command ended. */
export interface Outcome {
  status: number;
  message: string | undefined;
}

/** Larger values are not recorded, such as pages and specifications. The limit is lower for values that no undo needs. */
export const maxBytes = { undoable: 256 * 1024, others: 16 * 1024 };

/** Beyond this, changes are recorded without values, so that a single command cannot fill the disk. */
const maxBytesOfCommand = 16 * 1024 * 1024;

/** What the journal can record of one command. Only bodies count, so that a plan knows it before anything is sent. */
export class JournalRoom {
  readonly #used = { undoable: 0, others: 0 };

  /** Whether the values of the next request with this body are recorded. */
  takes(endpoint: string | undefined, body: unknown): boolean {
    const kind = isUndoable(endpoint) ? 'undoable' : 'others';
    const isFull = this.#used[kind] > maxBytesOfCommand;
    const bytes = sizeOf(body);
    this.#used[kind] += Math.min(bytes, maxBytes[kind]);
    return !isFull && bytes <= maxBytes[kind];
  }
}

function isUndoable(endpoint: string | undefined): boolean {
  const inverse = endpoint === undefined ? undefined : inverses[endpoint];
  return inverse !== undefined && !isIrreversible(inverse);
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

interface ChangeInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  current?: object | undefined;
}

interface Sending<Answer> {
  endpoint: Endpoint | undefined;
  /** The object that the request changes, if it was just read. */
  current?: object | undefined;
  send(): Promise<Answer>;
  resultOf(answer: Answer): { status: number; body: unknown };
}

/** Records the changes of one command in the journal. */
export class RunJournal {
  readonly #options: JournalOptions;
  readonly #client: Client;
  readonly #reader: Reader;
  readonly #titles: Titles;
  readonly #redactor: Redactor;
  readonly #file: string;
  readonly #indexes = new Map<SentChange, number>();
  readonly #room = new JournalRoom();
  readonly #withoutValues = new Set<SentChange>();
  /** Opened with the first change; false if it cannot be written. */
  #opened: Promise<boolean> | undefined;

  /** @param client does not record requests */
  constructor(client: Client, options: JournalOptions) {
    this.#client = client;
    this.#options = options;
    this.#titles = new Titles(client);
    this.#reader = new Reader(learning(client, this.#titles));
    this.#redactor = createRedactor(options.secrets);
    this.#file = runningFile(options.folder, randomBytes(6).toString('hex'));
  }

  /** Remembers the titles in an answer that the command read. */
  learn(endpoint: Endpoint, answer: unknown): void {
    this.#titles.learn(answer, objectParam(endpoint));
  }

  /** Sends a call of an endpoint that changes something. */
  call<Answer>(
    endpoint: Endpoint,
    { params, query, body, current }: ChangeInput,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { method, path, name, status = 200 } = endpoint;
    const change = {
      method,
      path,
      endpoint: name,
      params: isParams(params) ? params : {},
      query,
      body,
      started: now(),
    };
    return this.#record(change, { endpoint, current, send, resultOf: (answer) => ({ status, body: answer }) });
  }

  /** Sends a request to any address. */
  async request(method: string, address: string, input: RawInput = {}): ReturnType<Client['request']> {
    const { endpoint, params = {} } = (await endpointOfAddress(method, address)) ?? {};
    const change: SentChange = {
      method: method.toUpperCase(),
      path: endpoint?.path ?? withoutLinkIds(address),
      endpoint: endpoint?.name,
      params,
      query: input.query,
      alone: true,
      body: input.body instanceof Uint8Array ? { bytes: input.body.length } : parsed(input.body),
      started: now(),
    };
    const send = () => this.#client.request(method, address, input);
    return this.#record(change, { endpoint, send, resultOf: (answer) => answer });
  }

  async #record<Answer>(change: SentChange, { endpoint, current, send, resultOf }: Sending<Answer>): Promise<Answer> {
    await this.#sending(change, endpoint, current).catch((error: unknown) => {
      throw notSent(error);
    });
    try {
      const answer = await send();
      const { status, body } = resultOf(answer);
      change.status = status;
      await this.#sent(change, endpoint, body);
      if (isObject(answer) && changedNothing(change)) markUnchanged(answer);
      return answer;
    } catch (error) {
      if (change.status !== undefined) throw error;
      if (error instanceof HttpError) change.status = error.status;
      if (error instanceof NotSent) change.unsent = true;
      change.error = messageOf(error);
      await this.#sent(change, endpoint, undefined);
      throw error;
    }
  }

  async #sending(change: SentChange, endpoint: Endpoint | undefined, current?: object): Promise<void> {
    const [isOpen, before] = await Promise.all([
      (this.#opened ??= this.#open(change)),
      this.#before(change, endpoint, current),
    ]);
    if (before !== undefined) change.before = before;
    if (!isOpen) return;
    // What was read for the previous values has most of the titles.
    const titles = endpoint && !change.alone ? await this.#titles.of(endpoint, change.params, change.body) : {};
    if (Object.keys(titles).length > 0) change.titles = titles;
    this.#indexes.set(change, this.#indexes.size);
    if (!this.#room.takes(endpoint?.name, change.body)) this.#withoutValues.add(change);
    await this.#keep(change, endpoint);
  }

  async #sent(change: SentChange, endpoint: Endpoint | undefined, answer: unknown): Promise<void> {
    this.#reader.forget();
    if (endpoint && !wasRefused(change) && change.error === undefined) {
      const id = madeId(endpoint.name, answer);
      if (id !== undefined) change.id = id;
      if (id !== undefined) this.#titles.learn(answer);
      const title = id === undefined ? undefined : choiceOf(answer, '').title;
      if (id !== undefined && title && title !== id) change.titles = { ...change.titles, [id]: title };
      const after = change.alone ? undefined : await this.#after(change, endpoint, answer);
      if (after !== undefined) change.after = after;
    }
    if (this.#indexes.has(change)) await this.#keep(change, endpoint);
  }

  async #before(change: SentChange, endpoint: Endpoint | undefined, current?: object): Promise<unknown> {
    const read = endpoint && readsBefore(change, endpoint);
    if (!read) return undefined;
    try {
      return await read(this.#reader, { ...callOf(change, endpoint), ...(current && { current }) });
    } catch (error) {
      // The change itself will report the problem. Without a response, waiting a second time would be pointless.
      if (error instanceof HttpError) return undefined;
      throw error;
    }
  }

  async #after(change: SentChange, endpoint: Endpoint, answer: unknown): Promise<unknown> {
    const inverse = inverses[endpoint.name];
    if (!inverse) return undefined;
    if (isIrreversible(inverse)) return inverse.after?.(answer);
    const call = callOf(change, endpoint);
    const state = inverse.after?.(answer, call);
    if (state !== undefined) return state;
    const before = isObject(change.before) ? change.before : undefined;
    const made = { ...call, before, after: undefined, id: change.id, started: change.started };
    try {
      return await inverse.now(this.#reader, made);
    } catch {
      // The change succeeded. The next read will report the problem.
      return undefined;
    }
  }

  async #open({ alone }: SentChange): Promise<boolean> {
    const { folder, profile, url, command, callerKey } = this.#options;
    // A request of "docsctl api" is sent alone.
    const known = knownUser(folder, callerKey);
    const user = known ?? (alone ? undefined : await this.#user());
    try {
      openFolder(folder);
      if (user && !known) await keepUser(folder, callerKey, user);
      this.#write({
        time: now(),
        version,
        profile,
        url: String(withoutSecrets(url)),
        user,
        ...accountOfMachine(),
        command: commandWithoutSecrets(command),
      });
      return true;
    } catch (error) {
      await this.#warn(error);
      return false;
    }
  }

  async #user(): Promise<JournalEntry['user']> {
    try {
      const { id, email, displayName } = await this.#client.call(users.current, {});
      return { id, email, displayName };
    } catch (error) {
      // The entry is useful without the user. Without a response, waiting a second time would be pointless.
      if (error instanceof HttpError) return undefined;
      this.#opened = undefined;
      throw error;
    }
  }

  async #keep(change: SentChange, endpoint: Endpoint | undefined): Promise<void> {
    try {
      const kept = keptChange(change, endpoint);
      const isFull = this.#withoutValues.has(change);
      this.#write({ index: this.#indexes.get(change), change: isFull ? withoutValues(kept) : kept });
    } catch (error) {
      await this.#warn(error);
    }
  }

  #write(line: object): void {
    const text = `${this.#redactor.text(JSON.stringify(line))}\n`;
    appendFileSync(this.#file, text, { mode: 0o600 });
  }

  #warned = false;

  async #warn(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const { folder, warn } = this.#options;
    await warn(
      `The journal in ${folder} cannot be written: ${fileReason(error, 'folder')}. "docsctl undo" will not be able to undo this command.`,
    );
  }

  /** Adds the entry of the command after it has ended. @returns the entry, if it changed something */
  async finish({ status, message }: Outcome): Promise<JournalEntry | undefined> {
    if (!(await this.#opened?.catch(() => false))) return undefined;
    const { folder } = this.#options;
    try {
      const kept = this.#indexes.size === 0 ? undefined : readRunning(this.#file);
      const entry = kept && (await appendEntry(folder, this.#entryOf(kept, status, message)));
      rmSync(this.#file, { force: true });
      await adoptEnded(folder);
      return entry;
    } catch (error) {
      await this.#warn(error);
      return undefined;
    }
  }

  #entryOf(kept: NewEntry, status: number, message: string | undefined): NewEntry {
    return {
      ...kept,
      result: status === 0 ? 'done' : status >= 128 ? 'interrupted' : 'failed',
      status,
      error: message === undefined ? undefined : this.#withoutLinkIds(this.#redactor.text(message)),
      undoes: this.#options.undoes,
    };
  }

  #withoutLinkIds(message: string): string {
    const ids = [...this.#indexes.keys()].flatMap(({ params }) => params['inviteId'] ?? []);
    return ids.reduce((text, id) => text.replaceAll(id, hiddenText), message);
  }
}

/** A client whose answers are remembered with their titles. */
function learning(client: Client, titles: Titles): Client {
  const call: Client['call'] = async (endpoint, input) => {
    const answer = await client.call(endpoint, input);
    titles.learn(answer, objectParam(endpoint));
    return answer;
  };
  return { ...client, call };
}

/** The path parameter of the object that an endpoint returns. */
const objectParam = ({ path }: Endpoint): string | undefined =>
  path.endsWith('}') ? paramNames(path).at(-1) : undefined;

/** Users of some containers have no name. */
function accountOfMachine(): Pick<JournalEntry, 'login'> {
  try {
    return { login: userInfo().username };
  } catch {
    return {};
  }
}

/** The function that reads the state before a change; undefined if it is not read. */
function readsBefore({ alone }: SentChange, endpoint: Endpoint | undefined) {
  const inverse = endpoint && inverses[endpoint.name];
  return alone || !inverse || isIrreversible(inverse) ? undefined : inverse.before;
}

const callOf = ({ params, body }: SentChange, endpoint: Endpoint): ChangeCall => ({
  endpoint,
  params,
  body: isObject(body) ? body : {},
});

/** Endpoints whose path or response has an ID that gives access. */
const secretIds: ReadonlySet<string> = new Set(Object.values(invites).map(({ name }) => name));

/** The change without secrets and large texts, as it is written. */
function keptChange(change: SentChange, endpoint: Endpoint | undefined): SentChange {
  const { params, id, before, after, body, query } = change;
  const kept: SentChange = { ...change };
  const limit = maxBytes[isUndoable(endpoint?.name) ? 'undoable' : 'others'];
  if (endpoint && secretIds.has(endpoint.name)) {
    const { inviteId } = params;
    if (inviteId !== undefined) {
      kept.params = { ...params, inviteId: hiddenText(inviteId) };
      if (kept.error !== undefined) kept.error = kept.error.replaceAll(inviteId, hiddenText);
    }
    if (id !== undefined) kept.id = hiddenText(id);
    delete kept.titles;
    if (isObject(after) && typeof after['id'] === 'string') kept.after = { ...after, id: hiddenText(after['id']) };
  }
  if (query !== undefined) kept.query = withoutSecrets(query);
  for (const [name, value] of [
    ['before', before],
    ['after', kept.after ?? after],
    ['body', body],
  ] as const)
    if (value !== undefined) kept[name] = keptValue(value, limit);
  return kept;
}

/** Marks values as left out, so that an undo does not mistake them for absent values. */
function withoutValues(change: SentChange): SentChange {
  const kept: SentChange = { ...change };
  for (const name of ['before', 'after', 'body'] as const)
    if (kept[name] !== undefined) kept[name] = { leftOut: 'the command changed too much' };
  return kept;
}

const measured = new WeakMap<object, unknown>();

/** The value without its secrets, or its length. Cached, because a body is recorded before and after it is sent. */
function keptValue(value: unknown, limit: number): unknown {
  const known = isObject(value) ? measured.get(value) : undefined;
  if (known !== undefined) return known;
  const plain = withoutSecrets(value);
  const bytes = sizeOf(plain);
  const kept = bytes > limit ? { leftOut: `${bytes} bytes` } : plain;
  if (isObject(value)) measured.set(value, kept);
  return kept;
}

const now = () => new Date().toISOString();

const isParams = (value: unknown): value is Record<string, string> => typeof value === 'object' && value !== null;

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

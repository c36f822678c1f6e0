import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../../src/cli/program/main.ts';
import { entries } from '../../../src/commands/index.ts';
import { NetworkError } from '../../../src/client/errors/network-error.ts';
import type { Instance } from '../../../src/server/engine/instance.ts';
import type { InstanceRequest } from '../../../src/server/engine/request.ts';
import { openEmbedded } from '../../../src/server/open-embedded.ts';
import { openInstance } from '../../../src/server/open-instance.ts';
import { administrator, createOrganization } from '../../../src/server/organizations/bootstrap.ts';
import { insertUser } from '../../../src/store/lookups.ts';

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json: any;
}

export interface Request {
  method: string;
  path: string;
  body: unknown;
}

/** What happens to a request instead of, or besides, its answer. */
export type Fault =
  /** The service answers with this status and does nothing. */
  | { status: number; retryAfter?: number }
  /** The connection breaks before the request arrives, or after the service has done it. */
  | { lost: 'request' | 'answer' }
  /** Somebody presses Ctrl-C, before the request arrives or after the service has done it. */
  | { interrupt: 'request' | 'answer' };

export interface RunOptions {
  dir?: string;
  /** The user who runs the command; the administrator if absent. */
  as?: string | undefined;
  env?: Record<string, string>;
  /** Standard input. */
  input?: string;
  /** Judges each request, the first of them with 0. */
  fault?: (request: Request, index: number) => Fault | undefined;
  /** Called before each request with what was printed so far: another person can act here. */
  before?: (request: Request, index: number, output: string) => Promise<void> | void;
}

/** In memory where there is one: a sequence writes hundreds of small files. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const makeFolder = (name: string): Promise<string> => mkdtemp(join(base, `docsctl-model-${name}-`));

const start = Date.UTC(2027, 0, 4, 9);

/** A service in this process, with a clock that moves one second with each request. */
export class Service {
  readonly instance: Instance;
  readonly admin: string;
  readonly organization: string;
  readonly home: string;
  readonly clock: { now: number };
  /** All requests since the service was opened. */
  requests = 0;

  private constructor(
    instance: Instance,
    ids: { user: string; organization: string },
    home: string,
    clock: { now: number },
  ) {
    this.instance = instance;
    this.admin = ids.user;
    this.organization = ids.organization;
    this.home = home;
    this.clock = clock;
  }

  /** @param now the time of a file that another service has written */
  static async open(file = ':memory:', now = start): Promise<Service> {
    const clock = { now };
    const instance = await openInstance({
      file,
      now: () => (clock.now += 1000),
      log: { error: (_, error) => console.error(error) },
    });
    const ids = (await instance.store.read(administrator))!;
    const home = await makeFolder('home');
    await mkdir(join(home, 'config'));
    return new Service(instance, ids, home, clock);
  }

  async close(): Promise<void> {
    await this.instance.close();
    await rm(this.home, { recursive: true, force: true });
  }

  /** A new organization with this administrator; a world of a sequence that costs less than a new service. */
  async newOrganization(title: string): Promise<string> {
    const created_at = new Date(this.clock.now).toISOString();
    return this.instance.store.write(async (db) => {
      const { id } = await createOrganization(db, { title, created_at });
      const row = {
        organization: id,
        user: this.admin,
        role: 'admin' as const,
        joined_at: created_at,
        last_seen_at: created_at,
      };
      await db.insertInto('member').values(row).execute();
      return id;
    });
  }

  /** A member of an organization. @returns their ID */
  async newMember(
    organization: string,
    { name, email, role }: { name: string; email: string; role: string },
  ): Promise<string> {
    const created_at = new Date(this.clock.now).toISOString();
    return this.instance.store.write(async (db) => {
      const known = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
      const { id } = known ?? (await insertUser(db, { display_name: name, email, created_at }));
      const row = { organization, user: id, role: role as 'admin', joined_at: created_at, last_seen_at: created_at };
      await db.insertInto('member').values(row).execute();
      return id;
    });
  }

  /** Sends a request as a person in the app. @throws if it fails */
  async call(method: string, path: string, body?: unknown, as = this.admin): Promise<any> {
    const answer = await this.tryCall(method, path, body, as);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async tryCall(method: string, path: string, body?: unknown, as = this.admin): Promise<{ status: number; body: any }> {
    const [address = '', query = ''] = path.split('?');
    const response = await this.instance.handle({
      method,
      path: address,
      query: new URLSearchParams(query),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      as,
    } as InstanceRequest);
    const text = typeof response.body === 'string' ? response.body : '';
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Waits until nothing is processed in the background. */
  settle(): Promise<void> {
    return this.instance.background.drain();
  }

  /** Runs a command line in this process. Calls must not overlap in one process, except with the same folder and environment. */
  async run(
    words: readonly string[],
    { dir = this.home, as = this.admin, env = {}, input, fault, before }: RunOptions = {},
  ): Promise<Run> {
    let index = 0;
    let stdout = '';
    let stderr = '';
    const send = async (request: {
      method: string;
      path: string;
      headers: Record<string, string>;
      body?: string | Uint8Array;
      signal?: AbortSignal;
    }) => {
      const seen = { method: request.method, path: request.path, body: parsed(request.body) };
      const number = index++;
      this.requests += 1;
      await before?.(seen, number, stderr + stdout);
      const broken = fault?.(seen, number);
      const interrupted = broken && 'interrupt' in broken ? broken.interrupt : undefined;
      if (interrupted !== undefined) pressCtrlC();
      if (request.signal?.aborted && interrupted !== 'answer') throw request.signal.reason;
      if (broken && 'status' in broken) return refusal(broken);
      const lost = broken && 'lost' in broken ? broken.lost : undefined;
      if (lost === 'request') throw connectionLost();
      const [path = '', query = ''] = request.path.split('?');
      const response = await this.instance.handle({ ...request, path, query: new URLSearchParams(query), as });
      if (request.signal?.aborted) throw request.signal.reason;
      if (lost === 'answer') throw connectionLost();
      const { body } = response;
      return { ...response, body: typeof body === 'string' ? Buffer.from(body) : body };
    };
    const previous = { env: process.env, dir: process.cwd() };
    process.env = { ...basicEnv(this.home), ...env };
    process.chdir(dir);
    const closeInput = openInput(input);
    try {
      const status = await runProgram(words, {
        entries,
        // Every other address is that of a copy.
        openEmbedded: async (options: { file: string }) =>
          options.file === 'unused' ? { send, close: async () => {} } : openEmbedded(options),
        streams: {
          out: { write: (text: string | Uint8Array) => void (stdout += String(text)) },
          err: { write: (text: string | Uint8Array) => void (stderr += String(text)) },
          screen: { terminal: false, width: Infinity, color: false },
        },
      } as never);
      return {
        status,
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout);
        },
      };
    } finally {
      closeInput();
      process.env = previous.env;
      process.chdir(previous.dir);
    }
  }
}

/** Lets this process read a text from standard input. @returns what ends that */
function openInput(text: string | undefined): () => void {
  if (text === undefined) return () => {};
  const fs = process.getBuiltinModule('node:fs');
  const { readSync } = fs;
  let rest = Buffer.from(text);
  fs.readSync = ((file: number, buffer: Buffer, ...options: []) => {
    if (file !== 0) return readSync(file, buffer, ...options);
    const size = rest.copy(buffer);
    rest = rest.subarray(size);
    return size;
  }) as typeof readSync;
  return () => void (fs.readSync = readSync);
}

const basicEnv = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  TMPDIR: base,
  DOCSCTL_URL: 'embedded:unused',
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
  DOCSCTL_DATA_DIR: join(home, 'data'),
  DOCSCTL_STATE_DIR: join(home, 'state'),
  DOCSCTL_CACHE_DIR: join(home, 'cache'),
  DOCSCTL_KEYRING: 'off',
  TZ: 'UTC',
});

/** Without the timer of the program that ends its process, which is this one, 1.5 s later. */
function pressCtrlC(): void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (() => ({ unref() {} })) as never;
  process.emit('SIGINT', 'SIGINT');
  globalThis.setTimeout = setTimeout;
}

function parsed(body: string | Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(String(body));
  } catch {
    return body;
  }
}

function refusal({ status, retryAfter }: { status: number; retryAfter?: number }) {
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  return { status, headers, body: Buffer.from(JSON.stringify({ error: { code: status, message: 'Try again.' } })) };
}

const connectionLost = () => new NetworkError('The connection is gone.', { code: 'ECONNRESET' });

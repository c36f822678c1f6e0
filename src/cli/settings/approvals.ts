import type { Client } from '../../client/client.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isObject } from '../../shared/is-object.ts';
import type { CommandError } from '../program/failure.ts';
import type { Globals } from '../program/globals.ts';
import type { ApprovalGuard, Change } from './approval-guard.ts';
import { cacheDir } from './paths.ts';

/** What it needs of a session. */
interface Run {
  globals: Globals;
  env: Record<string, string | undefined>;
  client(): Promise<Client>;
  callerKey(): Promise<string>;
}

interface RunOptions {
  commandLine?: readonly string[];
  io: { note(text: string): Promise<void> };
  wrapClient?: ((client: Client) => Client) | undefined;
}

/** The approval policy of the organization in a run. Its code is loaded for the first change. */
export class Approvals {
  /** Whether the command has checked its changes itself. */
  isChecked = false;
  readonly #run: Run;
  readonly #options: RunOptions;
  #hasNoted = false;
  /** Of spaces and collections that this run has read. */
  readonly #organizations = new Map<string, string>();
  #guard: Promise<ApprovalGuard> | undefined;

  constructor(run: Run, options: RunOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** A client that refuses changes that need an approval, or after an approval those that it is not about. */
  guarded(client: Client): Client {
    if (this.#run.globals.isApproved) return this.#options.wrapClient?.(client) ?? client;
    const needsNone = (input: { unrecorded?: boolean } = {}) => this.isChecked || input.unrecorded === true;
    const call: Client['call'] = async (endpoint, input) => {
      if (endpoint.method !== 'GET' && !needsNone(input)) {
        const change = { endpoint, params: { ...input.params }, body: input.body };
        await (await this.#guardOf(client)).check(change);
      }
      const answer = await client.call(endpoint, input);
      this.#remember(endpoint, answer);
      return answer;
    };
    const request: Client['request'] = async (method, path, input) => {
      if (!/^(?:GET|HEAD|OPTIONS)$/i.test(method) && !needsNone(input))
        await (await this.#guardOf(client)).checkRequest(method, path, input?.body);
      return client.request(method, path, input);
    };
    return { ...client, call, request };
  }

  #guardOf(client: Client): Promise<ApprovalGuard> {
    return (this.#guard ??= this.#load(client));
  }

  async #load(client: Client): Promise<ApprovalGuard> {
    const [{ ApprovalGuard }, caller] = await Promise.all([import('./approval-guard.ts'), this.#run.callerKey()]);
    const { commandLine = [] } = this.#options;
    return new ApprovalGuard(client, {
      caller,
      cacheFolder: cacheDir(this.#run.env),
      commandLine,
      organizations: this.#organizations,
    });
  }

  #remember({ name }: Endpoint, answer: unknown): void {
    if (!/^(?:spaces|collections)\.(?:view|create)$/.test(name) || !isObject(answer)) return;
    const { id, organization } = answer;
    if (typeof id === 'string' && typeof organization === 'string') this.#organizations.set(id, organization);
  }

  /** The error for a change that is not sent, if it needs an approval. */
  async problem(change: Change): Promise<CommandError | undefined> {
    if (this.#run.globals.isApproved || this.isChecked || change.endpoint.method === 'GET') return undefined;
    const guard = await this.#guardOf(await this.#run.client());
    return guard.problem(change);
  }

  /** Notes once that a rehearsed change needs an approval. */
  async note(change: Change): Promise<void> {
    const problem = this.#hasNoted ? undefined : await this.problem(change);
    if (!problem) return;
    this.#hasNoted = true;
    await this.#options.io.note(`${problem.message.replace(' Nothing was sent.', '')} ${problem.hint}`);
  }
}

import type { Client } from '../../client/client.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Globals } from '../program/globals.ts';
import type { GuardOptions } from './guarded-client.ts';
import { cacheDir } from './paths.ts';

/** What it needs of a session. */
interface Run {
  globals: Globals;
  env: Record<string, string | undefined>;
  address(): Promise<{ value: string }>;
  client(): Promise<Client>;
}

interface RunOptions {
  commandLine?: readonly string[];
  io: { note(text: string): Promise<void> };
}

/** The approval policy of the organization in a run. It is loaded with the first change that it may be about. */
export class Approvals {
  /** Whether the command has checked its changes itself. */
  isChecked = false;
  readonly #run: Run;
  readonly #options: RunOptions;
  #hasNoted = false;

  constructor(run: Run, options: RunOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** A client that refuses changes that need an approval. */
  async guarded(client: Client, url: string): Promise<Client> {
    if (this.#run.globals.isApproved) return client;
    const { guardedClient } = await import('./guarded-client.ts');
    return guardedClient(client, this.#guardOptions(url));
  }

  #guardOptions(url: string): GuardOptions {
    const { commandLine = [] } = this.#options;
    return { url, cacheFolder: cacheDir(this.#run.env), commandLine, isOff: () => this.isChecked };
  }

  /** Notes once that a change needs an approval, in a dry run or a rehearsal. */
  async note(change: { endpoint: Endpoint; params: Record<string, string>; body: unknown }): Promise<void> {
    if (this.#run.globals.isApproved || this.#hasNoted || change.endpoint.method === 'GET') return;
    const { approvalProblem } = await import('./guarded-client.ts');
    const { value: url } = await this.#run.address();
    const problem = await approvalProblem(await this.#run.client(), this.#guardOptions(url), change);
    if (!problem) return;
    this.#hasNoted = true;
    await this.#options.io.note(`${problem.message.replace(' Nothing was sent.', '')} ${problem.hint}`);
  }
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import pg from 'pg';
import { startCluster } from '../../../scripts/postgres/cluster.ts';
import { makeFolder } from '../world/service.ts';
import { Network } from './network.ts';

type Cluster = Awaited<ReturnType<typeof startCluster>>;

const root = join(import.meta.dirname, '../../..');
const maxStarts = 20;
/** Even on a busy machine, a service answers again sooner. */
const maxSilenceMs = 120_000;
const token = 'token-of-the-model';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

interface Process {
  url: string;
  organization: string;
  kill(): Promise<void>;
}

/** Processes of the service on one PostgreSQL, and ways to hurt them. */
export class Services {
  readonly #cluster: Cluster;
  readonly #network: Network;
  readonly #home: string;
  readonly #processes: Process[] = [];

  private constructor({ cluster, network, home }: { cluster: Cluster; network: Network; home: string }) {
    this.#cluster = cluster;
    this.#network = network;
    this.#home = home;
  }

  static async open(count: number): Promise<Services> {
    const cluster = await startCluster();
    const network = await Network.open(cluster.port);
    const services = new Services({ cluster, network, home: await makeFolder('histories') });
    try {
      // The first one makes the tables and the organization.
      for (let index = 0; index < count; index += 1) services.#processes.push(await services.#start());
      return services;
    } catch (error) {
      await services.close();
      throw error;
    }
  }

  get organization(): string {
    return this.#processes[0]!.organization;
  }

  get count(): number {
    return this.#processes.length;
  }

  /** Sends a request until it is answered, each time to another process. @throws if none answers */
  async sendUntilAnswered(method: string, path: string, body?: object): Promise<any> {
    const until = Date.now() + maxSilenceMs;
    for (let index = 0; Date.now() < until; index += 1) {
      const answer = await this.send(index % this.count, method, path, body);
      if (answer !== undefined) return answer;
      await delay(20);
    }
    throw new Error(`No service answers ${method} ${path}.`);
  }

  /** @returns undefined if it is unknown whether the request was done */
  async send(index: number, method: string, path: string, body?: object): Promise<any> {
    const url = this.#processes[index]!.url + path;
    let response: Response;
    try {
      response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (response.status < 300) return await response.json();
      // 408: on a busy machine, this process sent the body too slowly.
      if (response.status >= 500 || response.status === 408) return undefined;
    } catch {
      return undefined;
    }
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }

  async killProcess(index: number): Promise<void> {
    await this.#processes[index]!.kill();
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#processes[index] = await this.#start();
        return;
      } catch (error) {
        // The database may crash while it starts.
        if (attempt === maxStarts) throw error;
        await delay(200);
      }
    }
  }

  /** Ends the connections of all processes, whatever they are doing. */
  async endConnections(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#cluster.address });
    // The database may crash meanwhile.
    client.on('error', () => {});
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docsctl' and random() < 0.7",
    );
    await client.end();
  }

  breakNetwork(): void {
    this.#network.break();
  }

  loseNextCommit(): void {
    this.#network.loseNextCommit();
  }

  async crashDatabase(): Promise<void> {
    await this.#cluster.kill();
    await this.#cluster.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map(({ kill }) => kill()));
    this.#network.close();
    await this.#cluster.end();
    await rm(this.#home, { recursive: true, force: true });
  }

  async #start(): Promise<Process> {
    const hook = ['--import', join(import.meta.dirname, '../mutant.mjs')];
    const database = this.#cluster.address.replace(`:${this.#cluster.port}/`, `:${this.#network.port}/`);
    const words = ['serve', '--port', '0', '--json', '--log', 'off', '--db', database];
    const child = execa(process.execPath, [...hook, 'src/main.ts', ...words], {
      cwd: root,
      env: { DOCSCTL_CONFIG_DIR: this.#home, DOCSCTL_DATA_DIR: this.#home, DOCSCTL_SERVE_TOKEN: token },
      reject: false,
      stdin: 'ignore',
    });
    const kill = async () => {
      child.kill('SIGKILL');
      await child;
    };
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data) => resolve(String(data)));
      child.then(({ stderr }) => reject(new Error(`A service did not start: ${stderr}`)), reject);
    });
    const { url, organization } = JSON.parse(line);
    return { url, organization, kill };
  }
}

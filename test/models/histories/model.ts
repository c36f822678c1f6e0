import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom, type Random } from '../world/generate.ts';
import type { OwnModel, RunOptions, RunResult } from '../model.ts';
import { counterAnomalies, listAnomalies, snapshotAnomalies, type Append, type Read } from './checker.ts';
import { mutants } from './mutants.ts';
import { Services } from './services.ts';

const processes = 3;
const workers = 24;
/** Spaces whose titles are read together. */
const titles = 3;
/** One round has a history of its own; longer ones take longer to check. */
const operationsOfRound = 400;
const connectionsEndEveryMs = 1_500;
const networkBreaksEveryMs = 700;
const commitIsLostEveryMs = 400;
const crashEveryMs = 10_000;

/**
 * Writers and readers of several processes, which are killed, whose connections end and whose database crashes. What they
 * saw must agree with one order of what happened, in which nothing acknowledged is missing.
 */
export const model: OwnModel = {
  name: 'histories',
  mutants,
  async run({ seconds, seed }: RunOptions): Promise<RunResult> {
    const result: RunResult = { sequences: 0, steps: 0, states: 0 };
    try {
      const services = await Services.open(processes);
      try {
        await runRounds(services, { seconds, seed }, result);
      } finally {
        await services.close();
      }
    } catch (error) {
      result.violation = {
        sequence: `  round ${result.sequences + 1}`,
        message: String(error),
        replay: replayOf(seed),
      };
    }
    return result;
  },
};

const replayOf = (seed: number) => `MODELS_SEED=${seed} npm run test:models -- histories (times differ in each run)`;

async function runRounds(
  services: Services,
  { seconds, seed }: Pick<RunOptions, 'seconds' | 'seed'>,
  result: RunResult,
): Promise<void> {
  const random = randomFrom(seed);
  const titled = await newSpaces(services, titles);
  const versions = titled.map(() => 0);
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until && !result.violation) {
    const [space = ''] = await newSpaces(services, 1);
    const round = new Round(services, random, { space, titled, versions });
    const anomalies = await round.run(until);
    result.sequences += 1;
    result.steps += round.operations;
    result.states += round.faultNames.length;
    if (anomalies.length === 0) continue;
    const message = anomalies.slice(0, 10).join('\n');
    const sequence = `  round ${result.sequences}: ${round.faultNames.join(', ')}`;
    result.violation = { sequence, message, replay: replayOf(seed) };
  }
}

async function newSpaces(services: Services, count: number): Promise<string[]> {
  const path = `/v1/orgs/${services.organization}/spaces`;
  const spaces: string[] = [];
  while (spaces.length < count) spaces.push((await services.sendUntilAnswered('POST', path, { title: '0' })).id);
  return spaces;
}

/** The history of one space with pages and change requests, and of the titles of a few spaces. */
class Round {
  operations = 0;
  readonly faultNames: string[] = [];
  readonly #services: Services;
  readonly #random: Random;
  readonly #space: string;
  readonly #titled: readonly string[];
  readonly #appends: Append[] = [];
  readonly #reads: Read[] = [];
  readonly #numbers: { began: number; ended: number; number: number }[] = [];
  readonly #writes: { began: number; ended: number; index: number; version: number }[] = [];
  readonly #snapshots: { began: number; ended: number; versions: number[] }[] = [];
  readonly #isBeingWritten = new Set<number>();
  /** The newest version of each title, also of those that are being written. */
  readonly #versions: number[];
  #unknownNumbers = 0;

  constructor(
    services: Services,
    random: Random,
    { space, titled, versions }: { space: string; titled: readonly string[]; versions: number[] },
  ) {
    this.#services = services;
    this.#random = random;
    this.#space = space;
    this.#titled = titled;
    this.#versions = versions;
  }

  /** @returns what cannot have happened */
  async run(until: number): Promise<string[]> {
    let isOver = false;
    const repeat = async (everyMs: number, fail: () => Promise<void>) => {
      while (!isOver) {
        await delay(everyMs * (0.5 + this.#random(100) / 100));
        if (!isOver) await fail();
      }
    };
    const faults = Promise.all([
      repeat(connectionsEndEveryMs, () => this.#endConnections()),
      repeat(networkBreaksEveryMs, () => this.#breakNetwork()),
      repeat(commitIsLostEveryMs, () => this.#loseCommit()),
      repeat(crashEveryMs, () => this.#crash()),
    ]);
    faults.catch(() => {});
    const work = async () => {
      while (this.operations < operationsOfRound && Date.now() < until) await this.#act();
    };
    try {
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      isOver = true;
      await faults;
    }
    const final = await this.#finalValues();
    return [
      ...listAnomalies(this.#appends, this.#reads, final),
      ...counterAnomalies(this.#numbers, this.#unknownNumbers),
      ...snapshotAnomalies(this.#writes, this.#snapshots),
    ];
  }

  async #endConnections(): Promise<void> {
    this.faultNames.push('connections end');
    // The database may be down.
    await this.#services.endConnections().catch(() => {});
  }

  async #breakNetwork(): Promise<void> {
    this.faultNames.push('the network breaks');
    this.#services.breakNetwork();
  }

  async #loseCommit(): Promise<void> {
    this.faultNames.push('the answer to a commit is lost');
    this.#services.loseNextCommit();
  }

  async #crash(): Promise<void> {
    const index = this.#random(this.#services.count + 1);
    if (index < this.#services.count) {
      this.faultNames.push(`process ${index} is killed`);
      await this.#services.killProcess(index);
    } else {
      this.faultNames.push('the database crashes');
      await this.#services.crashDatabase();
    }
  }

  async #act(): Promise<void> {
    this.operations += 1;
    const kind = this.#random(10);
    if (kind < 3) await this.#append();
    else if (kind < 5) await this.#readList();
    else if (kind < 7) await this.#count();
    else if (kind < 8) await this.#write();
    else await this.#readTitles();
  }

  /** @returns the answer, undefined if it is unknown, and when it was asked for */
  async #ask(method: string, path: string, body?: object): Promise<{ answer: any; began: number; ended: number }> {
    const began = performance.now();
    const answer = await this.#services.send(this.#random(this.#services.count), method, path, body);
    return { answer, began, ended: answer === undefined ? Number.POSITIVE_INFINITY : performance.now() };
  }

  async #append(): Promise<void> {
    const value = `P${this.operations}`;
    const changes = [{ operation: 'insert_page', title: value, document: { markdown: value } }];
    const { answer: _, ...times } = await this.#ask('POST', `/v1/spaces/${this.#space}/content`, { changes });
    this.#appends.push({ value, ...times });
  }

  async #readList(): Promise<void> {
    const { answer, ...times } = await this.#ask('GET', `/v1/spaces/${this.#space}/content/pages`);
    if (answer) this.#reads.push({ values: answer.pages.map(({ title }: { title: string }) => title), ...times });
  }

  async #count(): Promise<void> {
    const { answer, ...times } = await this.#ask('POST', `/v1/spaces/${this.#space}/change-requests`, {});
    if (answer) this.#numbers.push({ number: answer.number, ...times });
    else this.#unknownNumbers += 1;
  }

  /** Each title has one writer at a time, which waits until the value before is there. */
  async #write(): Promise<void> {
    const index = this.#random(titles);
    if (this.#isBeingWritten.has(index)) return;
    this.#isBeingWritten.add(index);
    const version = (this.#versions[index]! += 1);
    const began = performance.now();
    await this.#services.sendUntilAnswered('PATCH', `/v1/spaces/${this.#titled[index]}`, { title: `${version}` });
    this.#writes.push({ index, version, began, ended: performance.now() });
    this.#isBeingWritten.delete(index);
  }

  async #readTitles(): Promise<void> {
    const path = `/v1/orgs/${this.#services.organization}/spaces?limit=1000`;
    const { answer, ...times } = await this.#ask('GET', path);
    if (!answer) return;
    const byId = new Map<string, string>(answer.items.map(({ id, title }: any) => [id, title]));
    this.#snapshots.push({ versions: this.#titled.map((id) => Number(byId.get(id))), ...times });
  }

  async #finalValues(): Promise<string[]> {
    const { pages } = await this.#services.sendUntilAnswered('GET', `/v1/spaces/${this.#space}/content/pages`);
    return pages.map(({ title }: { title: string }) => title);
  }
}

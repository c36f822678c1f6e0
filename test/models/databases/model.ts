import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { isObject } from '../../../src/shared/is-object.ts';
import { startCluster } from '../../../scripts/postgres/cluster.ts';
import type { Model, Step } from '../model.ts';
import { KnownIds } from '../world/known-ids.ts';
import { Service } from '../world/service.ts';
import { restartRandom } from './random.ts';
import { allEndpoints, choices, isSearch, type Random, randomFrom, schemaOf, valueFor } from '../world/generate.ts';
import { mutants } from './mutants.ts';

/** The same service on SQLite and on PostgreSQL. */
interface Both {
  sqlite: Service;
  postgres: Service;
  end(): Promise<void>;
}

let both: Promise<Both> | undefined;

async function openBoth(): Promise<Both> {
  const cluster = await startCluster();
  restartRandom(0);
  const sqlite = await Service.open();
  restartRandom(0);
  const postgres = await Service.open(cluster.address);
  // Time stands still during a request, because the databases may ask for it a different number of times.
  for (const { instance, clock } of [sqlite, postgres]) instance.now = () => clock.now;
  return {
    sqlite,
    postgres,
    async end() {
      await sqlite.close();
      await postgres.close();
      await cluster.end();
    },
  };
}

/** Both have the same time. */
function tick({ sqlite, postgres }: Both): void {
  postgres.clock.now = sqlite.clock.now = Math.max(sqlite.clock.now, postgres.clock.now) + 1000;
}

const all = await allEndpoints();
const reads = all.filter(({ method }) => method === 'GET');
const lists = {
  read: reads,
  search: reads.filter(isSearch),
  write: all.filter(({ method, name }) => method !== 'GET' && name !== 'orgs.delete'),
};

/** The objects of one organization, which both services gave the same IDs. */
class World extends KnownIds {
  readonly both: Both;
  reader = '';

  constructor(opened: Both) {
    super();
    this.both = opened;
  }

  /** Asks both for the same. @throws if their answers differ */
  async ask<T>(run: (service: Service) => Promise<T>): Promise<T> {
    const { sqlite, postgres } = this.both;
    tick(this.both);
    restartRandom(sqlite.clock.now);
    const one = await run(sqlite);
    await sqlite.instance.background.drain();
    restartRandom(sqlite.clock.now);
    const other = await run(postgres);
    await postgres.instance.background.drain();
    if (!isDeepStrictEqual(comparable(one), comparable(other)))
      throw new Error(`SQLite: ${JSON.stringify(one)}\nPostgreSQL: ${JSON.stringify(other)}`);
    this.learn(one);
    return one;
  }
}

/** Every error has another ID. */
const comparable = (answer: unknown): unknown => {
  const copy = structuredClone(answer) as { body?: { error?: { requestId?: unknown } } } | undefined;
  if (copy?.body?.error) delete copy.body.error.requestId;
  return copy;
};

interface Expected {
  done: string[];
}

type Choice = { endpoint: number; kind: keyof typeof lists; person: 'admin' | 'reader'; seed: number };

function request(endpoint: Endpoint, random: Random, world: World): { path: string; body: unknown } {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name.endsWith('Id') ? world.pick(name.slice(0, -2), random) : ['alpha', 'beta', 'gamma'][random(3)]!,
  );
  const query = valueFor(schemaOf(endpoint, 'query'), 'query', world, random);
  const words = Object.entries(isObject(query) ? query : {}).flatMap(([key, value]) =>
    isObject(value) || value === null ? [] : [`${key}=${encodeURIComponent(String(value))}`],
  );
  const body = endpoint.body && valueFor(schemaOf(endpoint, 'body'), 'body', world, random);
  return { path: words.length > 0 ? `${path}?${words.join('&')}` : path, body };
}

function step({ endpoint: index, kind, person, seed }: Choice): Step<Expected, World> {
  const list = lists[kind];
  const endpoint = list[index % list.length]!;
  let text = endpoint.name;
  return {
    check: () => true,
    toString: () => text,
    async run(expected, world) {
      const { path, body } = request(endpoint, randomFrom(seed), world);
      text = `${person}: ${endpoint.method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`;
      expected.done.push(endpoint.name);
      await world
        .ask((service) =>
          service.tryCall(endpoint.method, path, body, person === 'admin' ? service.admin : world.reader),
        )
        .catch((error: unknown) => {
          throw new Error(`SQLite and PostgreSQL differ in ${text}:\n${String(error)}`);
        });
    },
  };
}

/** What a world has at the beginning. */
const first = [
  ['teams', 'PUT', 'Alpha'],
  ['spaces', 'POST', 'Beta'],
  ['spaces', 'POST', 'gamma'],
  ['collections', 'POST', 'Alpha'],
  ['sites', 'POST', 'Beta'],
] as const;

async function addPage(service: Service, space: string): Promise<unknown> {
  const requests = `/v1/spaces/${space}/change-requests`;
  const { id } = await service.call('POST', requests, { subject: 'Begin' });
  const document = { markdown: '# Page\n\nThe body.\n\n## A heading\n\nMore.\n' };
  const change = { operation: 'insert_page', title: 'Page', slug: 'page', document };
  await service.call('POST', `${requests}/${id}/content`, { changes: [change] });
  await service.call('PATCH', `${requests}/${id}`, { status: 'open' });
  await service.call('POST', `${requests}/${id}/merge`);
  return service.call('GET', `/v1/spaces/${space}/content`);
}

/** Sends generated requests to the service on both databases, and compares the answers. */
export const model: Model<Expected, World> = {
  name: 'databases',
  steps: [choices.map(step)],
  maxSteps: 40,
  async open() {
    const opened = await (both ??= openBoth());
    const world = new World(opened);
    const org = await world.ask((service) => service.newOrganization(`World ${service.clock.now}`));
    world.add(org, 'organization');
    world.add(opened.sqlite.admin, 'user');
    for (const number of [0, 1, 2]) {
      const member = {
        name: `Member ${number}`,
        email: `m${number}@example.org`,
        role: number === 0 ? 'read' : 'edit',
      };
      const id = await world.ask((service) => service.newMember(org, member));
      world.add(id, 'user');
      if (number === 0) world.reader = id;
    }
    for (const [path, method, title] of first)
      await world.ask((service) => service.call(method, `/v1/orgs/${org}/${path}`, { title }));
    await world.ask((service) =>
      addPage(
        service,
        world.pick('space', () => 1),
      ),
    );
    return { expected: { done: [] }, world };
  },
  async close() {},
  end: async () => (await both)?.end(),
  stateOf: ({ done }) => done.slice(-2).join(' '),
  mutants,
};

import { describe, expect, test } from 'vitest';
import { inSpace } from '../support/content-space.ts';
import type { Answer, Call, TestInstance } from '../support/instance.ts';
import { countAttempts, instancesOfOne } from '../support/processes.ts';

/** Calls `request` so often at once, by turns in each process. */
const atOnce = (times: number, processes: TestInstance[], request: (call: Call, index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, index) => request(processes[index % processes.length]!.call, index)));

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

/** Titles of what is at the top level, in order. */
async function titlesAtTop({ call, orgPath }: TestInstance): Promise<string[]> {
  const { body } = await call('GET', `${orgPath}/spaces?limit=1000&sort=tree`);
  return body.items?.map((item: any) => item.title) ?? [];
}

describe('three processes', () => {
  test('number the change requests of a space one by one', async () => {
    const processes = await instancesOfOne(3);
    const [{ call, orgPath }] = processes;
    const space = (await call('POST', `${orgPath}/spaces`, {})).body.id;

    const made = await atOnce(30, processes, (each) => each('POST', `/v1/spaces/${space}/change-requests`, {}));

    expect(statuses(made)).toEqual([201]);
    expect(made.map(({ body }) => body.number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('give each revision of a space a number of its own, and lose no change', async () => {
    const processes = await instancesOfOne(3);
    const [{ call, orgPath }] = processes;
    const space = (await call('POST', `${orgPath}/spaces`, {})).body.id;

    const changed = await atOnce(30, processes, (each, index) =>
      inSpace(each, space).change([{ operation: 'insert_page', title: `P${index}`, document: {} }]),
    );

    expect(statuses(changed)).toEqual([200]);
    const titles = (await inSpace(call, space).pages()).map((page) => page.title);
    expect(titles.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `P${index}`).toSorted());
  });

  test('keep one order of spaces, in which each is once', async () => {
    const processes = await instancesOfOne(3);
    const [first] = processes;
    const { call, orgPath } = first;
    const made = await atOnce(12, processes, (each, index) =>
      each('POST', `${orgPath}/spaces`, { title: `S${index}` }),
    );
    const ids = made.map(({ body }) => body.id);

    const moved = await atOnce(24, processes, (each, index) =>
      each('POST', `/v1/spaces/${ids[index % 12]}/move`, { position: { before: ids[(index * 5 + 1) % 12] } }),
    );

    expect(statuses(made)).toEqual([201]);
    expect(statuses(moved).filter((status) => status >= 500)).toEqual([]);
    expect((await titlesAtTop(first)).toSorted()).toEqual(ids.map((_, index) => `S${index}`).toSorted());
    const positions = await first.instance.store.read((db) => db.all('select distinct position from space'));
    expect(positions).toHaveLength(12);
    expect((await call('GET', `${orgPath}/spaces?limit=0`)).body.count).toBe(12);
  });

  test('leave an organization an administrator, however many are demoted at once', async () => {
    const processes = await instancesOfOne(3);
    const [{ admin, user, orgPath, instance }] = processes;
    const admins = [admin, await user({ role: 'admin' }), await user({ role: 'admin' })];

    const answers = await Promise.all(
      processes.map(({ as }, index) =>
        as(admins[index]!)('PATCH', `${orgPath}/members/${admins[(index + 1) % 3]}`, { role: 'read' }),
      ),
    );

    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const left = await instance.store.read((db) => db.all(`select "user" from member where role = 'admin'`));
    expect(left.length).toBeGreaterThan(0);
  });

  test('make one user and one membership of an address that is invited many times at once', async () => {
    const processes = await instancesOfOne(3);
    const [{ instance, orgPath }] = processes;

    const answers = await atOnce(12, processes, (each) =>
      each('POST', `${orgPath}/invites`, { emails: ['Ada@lumen.example'], role: 'read' }),
    );

    expect(statuses(answers)).toEqual([200]);
    expect(answers.map(({ body }) => body.invited).reduce((sum, count) => sum + count)).toBe(1);
    expect(new Set(answers.flatMap(({ body }) => body.users)).size).toBe(1);
    const users = await instance.store.read((db) => db.all(`select id from "user" where email ilike 'ada@%'`));
    expect(users).toHaveLength(1);
  });

  test('take who accepts invites at once into two organizations and one of them twice', async () => {
    const processes = await instancesOfOne(3);
    const [first] = processes;
    const guest = await first.user();
    const other = await first.otherOrg();
    const link = async (call: Call, path: string) =>
      (await call('POST', `${path}/link-invites`, { role: 'edit' })).body.id;
    const accepted = [
      `${first.orgPath}/invites/${await link(first.call, first.orgPath)}`,
      `${first.orgPath}/invites/${await link(first.call, first.orgPath)}`,
      `/v1/orgs/${other.org}/invites/${await link(other.call, `/v1/orgs/${other.org}`)}`,
    ];

    const answers = await Promise.all(accepted.map((path, index) => processes[index]!.as(guest)('POST', path, {})));

    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    expect((await first.as(guest)('GET', '/v1/orgs')).body.count).toBe(2);
  });

  test('let one of those win who take the same hostname', async () => {
    const processes = await instancesOfOne(3);
    const [{ orgPath }] = processes;
    const others = [await processes[1]!.otherOrg(), await processes[2]!.otherOrg()];

    const answers = await Promise.all([
      processes[0].call('PATCH', orgPath, { hostname: 'lumen' }),
      ...others.map(({ call, org }) => call('PATCH', `/v1/orgs/${org}`, { hostname: 'lumen' })),
    ]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('use each other’s page tokens', async () => {
    const [first, second] = await instancesOfOne(3);
    for (const title of ['A', 'B', 'C']) await first.call('POST', `${first.orgPath}/spaces`, { title });

    const { body } = await first.call('GET', `${first.orgPath}/spaces?limit=2`);
    const next = await second!.call('GET', `${first.orgPath}/spaces?limit=2&page=${body.next.page}`);

    expect(next.body.items.map((item: any) => item.title)).toEqual(['C']);
  });
});

test('64 writers on 64 spaces wait for no lock of each other', async () => {
  const count = 64;
  const processes = await instancesOfOne(7);
  const [{ call, orgPath }] = processes;
  const spaces: string[] = [];
  for (let index = 0; index < count; index += 1) spaces.push((await call('POST', `${orgPath}/spaces`, {})).body.id);
  const page = { operation: 'insert_page', title: 'Pump', document: { markdown: 'A [valve](https://x.example)' } };

  // All of them have written before the first one commits: none can have waited for another to end.
  let written = 0;
  let open!: () => void;
  const allWrote = new Promise<void>((resolve) => {
    open = resolve;
  });
  for (const { instance } of processes) {
    const { store } = instance;
    const write = store.write.bind(store);
    store.write = (work, place) =>
      write(async (db) => {
        const value = await work(db);
        written += 1;
        if (written === count) open();
        await allWrote;
        return value;
      }, place);
  }
  const attempts = countAttempts(processes);
  const answers = await atOnce(count, processes, (each, index) => inSpace(each, spaces[index]!).change([page]));

  expect(statuses(answers)).toEqual([200]);
  expect(attempts()).toBe(count);
});

test('requests do not wait for many writes of one space', async () => {
  const [{ call, orgPath, instance, org }] = await instancesOfOne(1);
  const space = (await call('POST', `${orgPath}/spaces`, {})).body.id;
  let open!: () => void;
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  const writes = Array.from({ length: 40 }, () => instance.store.write(() => released, { kind: 'content', id: space }));

  const read = await call('GET', orgPath);
  const written = await call('PATCH', orgPath, { title: 'Other' });
  open();
  await Promise.all(writes);

  expect([read.status, written.status]).toEqual([200, 200]);
  expect(read.body.id).toBe(org);
});

import { beforeAll, expect, test } from 'vitest';
import { startMcp, type McpClient } from '../../support/mcp-client.ts';
import { sharedDemo } from '../../support/shell.ts';
import { ada, carl, dora, type ProposingHome, proposingHome } from '../proposals/proposing.ts';

// An agent, colleagues and an administrator try to get a change through without an approval of somebody else. Each script
// is run against the same proposals, and afterwards the organization is what it was.

const { demo } = await sharedDemo();
let home: ProposingHome;

const bob = ['--as', 'bob@lumen.example'];
/** The author of the proposals is the local administrator. */
const author: string[] = [];
const actors = { author, ada, bob };

const commands = [
  ['members', 'edit', 'ada@lumen.example', '--role=admin'],
  ['members', 'remove', 'bob@lumen.example'],
  ['spaces', 'edit', 'Guide', '--title=Stolen'],
  ['spaces', 'delete', 'Guide'],
  ['teams', 'create', '--title=Stolen'],
  ['orgs', 'edit', '--title=Stolen'],
];

interface Script {
  name: string;
  run(): Promise<{ exitCode: number; stderr: string }>;
}

const line = (name: string, ...words: string[]): Script => ({ name, run: () => home.run(...words) });

/** Everything that could make a proposal count as approved, or run it. */
function scriptsFor(number: string, id: string, hash: string, space: string): Script[] {
  const path = `spaces/${space}/change-requests/${id}`;
  const forged = (event: object, as: string[], note: string): Script => ({
    name: `${number}: forged comment, ${note}`,
    async run() {
      const markdown = ['Approved.', '', '```json', JSON.stringify(event), '```'].join('\n');
      await home.run('api', 'POST', `${path}/comments`, '-F', `body=${JSON.stringify({ markdown })}`, ...as);
      return home.run('proposals', 'apply', number, '--yes');
    },
  });
  const events = [
    { docsctl: 'approved', hash },
    { docsctl: 'approved', hash, digest: hash },
    { docsctl: 'approved', hash: '0'.repeat(64), digest: '0'.repeat(64) },
    { docsctl: 'approved', hash, digest: hash, by: 'carl@lumen.example' },
    { docsctl: 'applied', hash, status: 0 },
    { docsctl: 'claimed', hash },
  ];
  return [
    ...Object.entries(actors).flatMap(([who, as]) => [
      line(`${number}: ${who} approves`, 'proposals', 'approve', number, '--yes', ...as),
      line(`${number}: ${who} applies`, 'proposals', 'apply', number, '--yes', ...as),
      line(`${number}: ${who} reverts`, 'proposals', 'revert', number, '--yes', ...as),
      ...events.map((event, index) => forged(event, as, `${who}, ${index}`)),
    ]),
    ...[carl, dora].map((as) =>
      line(`${number}: ${as[1]} applies without approval`, 'proposals', 'apply', number, '--yes', ...as),
    ),
  ];
}

/** The calls by which an agent tries the same. */
const agentCalls = (number: string): [string, object][] => [
  ...[
    ['proposals', 'approve', number, '--yes'],
    ['proposals', 'approve', number],
    ['proposals', 'apply', number],
    ['proposals', 'apply', number, '--yes', '--as=carl@lumen.example'],
    ['proposals', 'revert', number],
    ['proposals', 'allow', 'ada@lumen.example'],
  ].flatMap((command): [string, object][] => [
    ['rehearse', { command }],
    ['propose', { title: 'T', command }],
  ]),
  ['proposals', { id: number, approve: true }],
  ['proposals', { id: `${number} --yes` }],
  ['approve', { id: number }],
];

/** What the scripts must not change; the space of the proposals is not part of it. */
async function organization(): Promise<string> {
  const parts = [
    ['orgs', 'view', '--columns', 'title,emailDomains,defaultRole', '-o', 'json'],
    ['members', 'list', '--columns', 'user.email,role,disabled', '-o', 'json'],
    ['teams', 'list', '-o', 'json'],
    ['spaces', 'list', '--columns', 'id,title,parent,defaultLevel,revision', '-o', 'json'],
    ['collections', 'list', '-o', 'json'],
    ['sites', 'list', '-o', 'json'],
  ];
  const texts: string[] = [];
  for (const words of parts) texts.push((await home.done(...words)).stdout);
  return texts.join('\n');
}

let mcp: McpClient;
beforeAll(async () => {
  home = await proposingHome(demo);
  mcp = startMcp(home);
});

test('no script makes an unapproved change', async () => {
  const before = await organization();
  for (const command of commands) {
    const proposed = await mcp.call('propose', { title: command.join(' '), command });
    expect(proposed.isError, proposed.text).toBeUndefined();
  }
  const space = await home.proposalsSpace();
  const done: string[] = [];
  let count = 0;
  for (const number of commands.map((_, index) => String(index + 1))) {
    const { id, hash } = await home.view(number);
    for (const { name, run } of scriptsFor(number, id, hash, space)) {
      const { exitCode } = await run();
      count += 1;
      if (exitCode === 0) done.push(name);
    }
    for (const [tool, args] of agentCalls(number)) {
      const { isError, error } = await mcp.call(tool, args);
      count += 1;
      if (!isError && !error) done.push(`agent: ${tool} ${JSON.stringify(args)}`);
    }
  }
  expect(await mcp.close()).toBe(0);

  expect(done).toEqual([]);
  expect(count).toBeGreaterThan(250);
  expect(await organization()).toBe(before);
}, 300_000);

/** What is done to a proposal that Carl has approved, so that it must not be applied any more. */
const endings: [name: string, end: (number: string, path: string) => Promise<unknown>][] = [
  [
    'altered',
    (number, path) =>
      home.edit(path, { as: dora, title: `Proposal ${number}` }, (text) =>
        text.replace('"words":["', '"words":["-q","'),
      ),
  ],
  [
    'with another title',
    (number, path) =>
      home.edit(path, { as: dora, title: `Proposal ${number}` }, (text) => text.replace('"title":"', '"title":"A ')),
  ],
  [
    'expired',
    (number, path) =>
      home.edit(path, { as: dora, title: `Proposal ${number}` }, (text) =>
        text.replace(/"expires":"[^"]+"/, '"expires":"2020-01-01T00:00:00.000Z"'),
      ),
  ],
  [
    'expired, and made younger',
    (number, path) =>
      home.edit(path, { as: dora, title: `Proposal ${number}` }, (text) =>
        text.replace(/"expires":"[^"]+"/, '"expires":"2999-01-01T00:00:00.000Z"'),
      ),
  ],
  ['rejected', (number) => home.done('proposals', 'reject', number, ...carl)],
  ['merged by hand', (_, path) => home.done('api', 'POST', `${path}/merge`, ...dora)],
  ['withdrawn', (number) => home.done('proposals', 'reject', number)],
];

/** Stores the pages and comments of an approved proposal once more, as somebody who may write them. */
async function replay(number: string, as: string[]): Promise<string> {
  const path = await home.requestPath(number);
  const space = await home.proposalsSpace();
  const { markdown } = await home.page(path, `Proposal ${number}`);
  const copy = (await home.done('api', 'POST', `spaces/${space}/change-requests`, ...as)).json;
  const copyPath = `spaces/${space}/change-requests/${copy.id}`;
  const changes = [{ operation: 'insert_page', title: `Proposal ${copy.number}`, document: { markdown } }];
  await home.done('api', 'POST', `${copyPath}/content`, '-F', `changes=${JSON.stringify(changes)}`, ...as);
  await home.done('api', 'PATCH', copyPath, '-f', 'status=open', ...as);
  const { items } = (await home.done('api', 'GET', `${path}/comments?format=markdown`)).json;
  for (const { body } of items)
    await home.done('api', 'POST', `${copyPath}/comments`, '-F', `body=${JSON.stringify(body)}`, ...as);
  return String(copy.number);
}

test('no altered, expired, rejected or replayed proposal is applied', async () => {
  home = await proposingHome(demo);
  const proposed: [name: string, number: string][] = [];
  for (const command of commands) {
    for (const [name, end] of [...endings, ['replayed', undefined] as const]) {
      const { number: made } = (await home.done('propose', '-o', 'json', '--', ...command)).json;
      const number = String(made);
      await home.done('proposals', 'approve', number, '--yes', ...carl);
      if (end) await end(number, await home.requestPath(number));
      const last = end ? number : await replay(number, dora);
      // The original that was replayed is approved, so it is not left there.
      if (!end) await home.done('proposals', 'reject', number);
      proposed.push([`${name}: ${command.join(' ')}`, last]);
    }
  }
  const before = await organization();
  const done: string[] = [];
  let count = 0;
  for (const [name, number] of proposed) {
    for (const [who, as] of Object.entries({ ...actors, carl, dora })) {
      const { exitCode } = await home.run('proposals', 'apply', number, '--yes', ...as);
      count += 1;
      if (exitCode === 0) done.push(`${name}: ${who}`);
    }
  }

  expect(done).toEqual([]);
  expect(count).toBeGreaterThan(200);
  expect(await organization()).toBe(before);
}, 300_000);

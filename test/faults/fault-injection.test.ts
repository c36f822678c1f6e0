import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Home, partsOf, type Run, serve, type Served, test } from '../support/cli.ts';
import { isLong } from '../support/long-form.ts';

/** `npm run test:faults` runs the long form: every fault. */
const some = <T>(all: readonly T[], ...short: number[]): readonly T[] =>
  isLong ? all : short.map((index) => all[index]!);

interface FaultyService extends Served {
  run(...words: any[]): Promise<Run>;
  /** The requests that came since this was last asked, as `GET 200`, with 0 where the connection was cut. */
  requests(): Promise<string[]>;
}

/** `serve` with faults on demand, over the demo that is in its file already. @param port any free one by default */
async function serveWithFaults(home: Home, fault?: string, port = '0'): Promise<FaultyService> {
  const served = await serve(
    { ...home, env: { ...home.env, DOCSCTL_SERVE_TOKEN: 'token-for-the-bad-day' } },
    '--db',
    join(home.dir, 'data', 'local.db'),
    '--log',
    'json',
    '--port',
    port,
    ...(fault === undefined ? [] : ['--fault', fault]),
  );
  const env = {
    DOCSCTL_URL: served.url,
    DOCSCTL_TOKEN: 'token-for-the-bad-day',
    DOCSCTL_ORG: served.organization,
  };
  let seen = 0;
  return {
    ...served,
    run: (...call) => {
      const { words, options } = partsOf(call);
      return home.docsctl(...words, { ...options, env: { ...env, ...options.env } });
    },
    async requests() {
      const lines = served.log().split('\n').filter(Boolean);
      const fresh = lines.slice(seen).map((line) => JSON.parse(line));
      seen = lines.length;
      return fresh.map(({ method, status }) => `${method} ${status}`);
    },
  };
}

const list = ['members', 'list', '--page-size', '50', '-o', 'json'];
const isWaiting = /retrying in [\d.]+ s\./;

/** What a list left on standard output is one JSON array, or nothing at all. */
const itemsOf = ({ stdout }: Run) => (stdout === '' ? undefined : (JSON.parse(stdout) as unknown[]).length);

test('a list is complete after temporary failures, and says what it waits for', async ({ demo }) => {
  const faults = [
    ['status=429,retry-after=0.2,times=3', 'The service limits the rate (429)', '429'],
    ['status=503,times=1', 'The service answered 503', '503'],
    ['status=500,times=1', 'The service answered 500', '500'],
    ['reset-after=7pages,times=1', 'the connection was closed before an answer came', '0'],
    ['truncate,times=1', 'the connection was closed in the middle of its answer', '200'],
  ] as const;
  for (const [fault, reason, failed] of some(faults, 0, 3)) {
    const service = await serveWithFaults(demo, fault);
    const run = await service.run(...list);
    const requests = await service.requests();
    await service.stop();

    expect(run, fault).toMatchObject({ exitCode: 0 });
    expect(itemsOf(run)).toBe(500);
    const waits = run.stderr.trimEnd().split('\n');
    const times = Number(/times=(\d)/.exec(fault)![1]);
    expect(waits).toHaveLength(times);
    for (const line of waits) {
      expect(line).toContain(reason);
      expect(line).toMatch(isWaiting);
    }
    expect(requests).toHaveLength(10 + times);
    expect(requests.filter((line) => line === `GET ${failed}`).length).toBeGreaterThanOrEqual(times);
  }
});

test('a list that is cut off by a fault has its own exit status, and the printed part is valid', async ({ demo }) => {
  const faults = [
    ['status=429,retry-after=0.1', undefined, 4],
    ['status=429,retry-after=61', undefined, 1],
    ['status=500', undefined, 2],
    ['truncate', undefined, 2],
    // The eighth page and its repetition; seven came.
    ['reset-after=7pages', 350, 9],
  ] as const;
  for (const [fault, items, requests] of some(faults, 1, 4)) {
    const service = await serveWithFaults(demo, fault);
    const retries = requests === 4 ? '3' : '1';
    const run = await service.run(...list, '--retries', retries);
    const lines = await service.run(...list, '--retries', '0', '-o', 'jsonl');
    const asked = await service.requests();
    await service.stop();

    expect([fault, run.exitCode, lines.exitCode]).toEqual([fault, 7, 7]);
    expect(itemsOf(run)).toBe(items);
    expect(JSON.parse(run.stderr.trimEnd().split('\n').at(-1)!).error.message).toEqual(expect.any(String));
    for (const line of lines.stdout.split('\n').filter(Boolean)) expect(JSON.parse(line)).toHaveProperty('id');
    expect(lines.stdout.split('\n').filter(Boolean)).toHaveLength(0);
    expect(asked).toHaveLength(requests + 1);
    if (fault.endsWith('61')) expect(run.stderr).toContain('61');
  }
});

test('a service that is slow is waited for, up to --timeout', async ({ demo }) => {
  const service = await serveWithFaults(demo, 'latency=400ms');

  const completed = await service.run('members', 'list', '--limit', '3', '-o', 'json');
  const timedOut = await service.run(
    'members',
    'list',
    '--limit',
    '3',
    '-o',
    'json',
    '--timeout',
    '0.1',
    '--retries',
    '1',
  );
  await service.stop();

  expect([completed.exitCode, itemsOf(completed)]).toEqual([0, 3]);
  expect([timedOut.exitCode, timedOut.stdout]).toEqual([7, '']);
  expect(timedOut.stderr).toMatch(isWaiting);
});

/** One of each method; `PUT .../teams` creates, so it is not one that may be sent twice. */
const writes: [method: string, repeatable: boolean, words: string[]][] = [
  ['POST', false, ['spaces', 'create', '--title', 'Made on a bad day', '-o', 'json']],
  ['PATCH', false, ['teams', 'edit', 'writers00001', '--title', 'TITLE', '-o', 'json']],
  ['PUT', false, ['teams', 'create', '--title', 'Made on a bad day', '-o', 'json']],
  ['DELETE', true, ['api', 'DELETE', '/spaces/handbook0001/comments/comment00001', '--yes']],
];

test('a write is sent again where it was certainly not carried out, and never where that is not known', async ({
  demo,
}) => {
  const faults = [
    ['status=429,retry-after=0.1,times=1', true],
    ['status=503,retry-after=0.1,times=1', true],
    ['status=500,times=1', false],
    ['reset-after=0requests,times=1', false],
    ['truncate,times=1', false],
  ] as const;
  const tried = some(faults, 0, 3);
  // The approval policy is read before the first write to an address, and not again for some minutes.
  const first = await serveWithFaults(demo);
  for (const words of [
    ['teams', 'edit', 'writers00001', '--title', 'Before'],
    ['comments', 'resolve', 'comment00001', '--space', 'handbook0001'],
  ])
    expect((await first.run(...words)).exitCode).toBe(0);
  await first.stop();
  const { port } = new URL(first.url);
  for (const [fault, isCertain] of tried) {
    for (const [method, repeatable, template] of writes) {
      if (method === 'DELETE' && fault.startsWith('truncate')) continue;
      // A value that the team has already would count as one that arrived.
      const words = template.map((word) => (word === 'TITLE' ? `After ${fault}` : word));
      const service = await serveWithFaults(demo, fault, port);
      // The fault is for the write: nothing is read before it.
      const run = await service.run(...words, '--no-journal');
      const asked = (await service.requests()).filter((line) => line.startsWith(method));
      await service.stop();
      const context = `${method} under ${fault}: ${run.stderr}`;

      if (isCertain || repeatable) {
        expect(asked, context).toHaveLength(2);
        // The comment is there for the first of the faults only.
        expect([0, 5], context).toContain(run.exitCode);
        expect(run.stderr, context).toMatch(isWaiting);
      } else {
        expect(asked, context).toHaveLength(1);
        expect(run.stderr, context).not.toMatch(isWaiting);
        if (method === 'PATCH' && fault.startsWith('truncate')) {
          // The team is read back, and has the value. What an earlier fault limited may still be waited for.
          expect(run.exitCode, context).toBe(0);
          expect(run.stderr, context).toMatch(/^(The service limits the rate, .*\n)?$/);
          expect(JSON.parse(run.stdout)).toMatchObject({ title: `After ${fault}` });
          continue;
        }
        expect(run.exitCode, context).toBe(7);
        expect(run.stdout, context).toBe('');
        if (!fault.startsWith('status'))
          expect(run.stderr, context).toContain('The service may have carried the request out');
      }
    }
  }
  const teams = (await demo.docsctl('teams', 'list', '-o', 'json')).json;
  const spaces = (await demo.docsctl('spaces', 'list', '-o', 'json')).json;

  // Made after 429, after 503 and before the answer was cut off: once each.
  const carriedOut = tried.filter(([fault, isCertain]) => isCertain || fault.startsWith('truncate')).length;
  for (const made of [teams, spaces])
    expect(made.filter((one: any) => one.title === 'Made on a bad day')).toHaveLength(carriedOut);
});

test('merging, pushing and publishing succeed after temporary failures', async ({ demo }) => {
  const docs = join(demo.dir, 'docs');
  await mkdir(docs);
  for (let index = 0; index < 5; index++) await writeFile(join(docs, `p${index}.md`), `# Page ${index}\n\nText.\n`);
  const specification = join(demo.dir, 'pets.yaml');
  await writeFile(specification, 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');

  const faults = ['status=429,retry-after=0.1,times=2', 'status=503,retry-after=0.1,times=2', 'latency=30ms'];
  for (const fault of some(faults, 1)) {
    const service = await serveWithFaults(demo, fault);
    const spaceFlag = ['--space', 'handbook0001'];
    const pushed = await service.run('content', 'push', docs, ...spaceFlag, '--adopt', '--new', fault, '-o', 'json');
    const merged = await service.run(
      'cr',
      'merge',
      String(pushed.json.changeRequest),
      '--open',
      ...spaceFlag,
      '-o',
      'json',
    );
    await writeFile(specification, `openapi: 3.1.0\ninfo: { title: Pets, version: "${fault}" }\npaths: {}\n`);
    const published = await service.run('openapi', 'publish', specification, '--slug', 'pets', '--wait', '-o', 'json');
    const asked = await service.requests();
    await service.stop();

    for (const run of [pushed, merged, published]) expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(published.json).toMatchObject({ processingState: 'complete' });
    if (fault.startsWith('status')) {
      expect(pushed.stderr).toMatch(isWaiting);
      expect(asked.filter((line) => /429|503/.test(line))).toHaveLength(2);
    }
    await writeFile(join(docs, 'p0.md'), `# Page 0\n\n${fault}\n`);
  }
});

test('a command that fails midway leaves no part of its result', async ({ demo }) => {
  const docs = join(demo.dir, 'docs');
  await mkdir(docs);
  await writeFile(join(docs, 'a.md'), '# A\n');
  const specification = join(demo.dir, 'pets.yaml');
  await writeFile(specification, 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
  await demo.docsctl('cr', 'create', '--space', 'quickstart01', '--subject', 'Merged once', '-o', 'id');
  const [request] = (await demo.docsctl('cr', 'list', '--space', 'quickstart01', '--status', 'draft', '-o', 'json'))
    .json;

  const service = await serveWithFaults(demo, 'truncate');
  const runs = [
    await service.run('content', 'pull', join(demo.dir, 'pulled'), '--space', 'handbook0001', '--retries', '0'),
    await service.run('content', 'push', docs, '--space', 'handbook0001', '--new', 'Halves', '--retries', '0'),
    await service.run('openapi', 'publish', specification, '--slug', 'pets', '--retries', '0'),
    await service.run('openapi', 'download', 'pumps', '--out', join(demo.dir, 'pumps.json'), '--retries', '0'),
    await service.run('cr', 'merge', String(request.number), '--open', '--space', 'quickstart01', '--retries', '0'),
  ];
  await service.stop();
  const check = await demo.docsctl('serve', 'check');

  for (const run of runs) {
    expect(run.exitCode, run.stderr).toBe(7);
    expect(run.stdout).toBe('');
    // Findings in a description are printed before it is sent.
    expect(run.stderr).toMatch(/(?:^|\n)error: No answer from .+ in the middle of its answer/);
  }
  expect((await readdir(demo.dir)).filter((name) => /pulled|pumps/.test(name))).toEqual([]);
  expect(check.exitCode).toBe(0);
});

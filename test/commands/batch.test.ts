import type { IncomingMessage } from 'node:http';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { listen } from '../support/service.ts';

const environment = (url: string) => ({ DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', DOCSCTL_ORG: 'some' });

const user = (id: string) => ({ object: 'user', id, displayName: id, urls: { location: '' } });
const member = (id: string) => ({
  object: 'member',
  id,
  role: 'read',
  user: user(id),
  disabled: false,
  joinedAt: '2026-01-01T00:00:00.000Z',
  sso: false,
  spaces: 0,
  teams: 0,
});

/**
 * A service that counts what it is asked to do at once, and refuses the members whose id begins with "bad". Questions
 * about a member are answered, and counted separately.
 */
async function countingService(answerMs: (id: string) => number = () => 1) {
  const seen: string[] = [];
  const lookedUp: string[] = [];
  let now = 0;
  let most = 0;
  const url = await listen((request: IncomingMessage, response) => {
    const id = request.url!.split('/').at(-1)!;
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.statusCode = id.startsWith('bad') ? 404 : 200;
      // Nobody has made a policy about approvals.
      const isForPolicy = id.startsWith('spaces');
      if (id !== 'user' && !isForPolicy) lookedUp.push(id);
      // The lists in which names of members are looked up, and owners of teams.
      if (isForPolicy || /^(?:members|teams)/.test(id)) return response.end(JSON.stringify({ count: 0, items: [] }));
      return response.end(
        JSON.stringify(
          id === 'user'
            ? user('me')
            : id.startsWith('bad')
              ? { error: { status: 404, reason: 'not-found', message: 'Not there.' } }
              : member(id),
        ),
      );
    }
    seen.push(id);
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.statusCode = id.startsWith('bad') ? 403 : 204;
      response.setHeader('content-type', 'application/json');
      response.end(
        id.startsWith('bad') ? JSON.stringify({ error: { status: 403, reason: 'forbidden', message: 'No.' } }) : '',
      );
    }, answerMs(id));
  });
  return { url, seen, lookedUp, most: () => most };
}

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => `member${index + 1}`);

const remove = (home: Home, url: string, ids: string[], ...flags: string[]) =>
  home.docsctl('members', 'remove', '-', '--yes', ...flags, {
    env: environment(url),
    stdin: 'pipe',
    input: ids.map((id) => `${id}\n`).join(''),
  });

test('a thousand ids of standard input are all tried, a few at once', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, idsTo(1000));

  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).toContain('Removed member1000.\n');
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe('1000 done.');
  expect(service.seen.toSorted()).toEqual(idsTo(1000).toSorted());
  expect(service.most()).toBeGreaterThan(1);
  expect(service.most()).toBeLessThanOrEqual(8);
});

test('failures are reported by id, the others continue, and the status is 8', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, ['bad1', ...idsTo(30), 'bad2'], '--keep-going');

  expect(run.exitCode).toBe(8);
  expect(service.seen).toHaveLength(32);
  expect(run.stderr).toMatch(/^error: bad1: No\.\nhint: /m);
  expect(run.stderr).toMatch(/^error: bad2: No\.$/m);
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe('error: 2 of 32 failed.');
});

test('with -o json each failure is a JSON object of its own', async ({ home }) => {
  const service = await countingService((id) => (id === 'bad2' ? 200 : 1));
  const run = await remove(home, service.url, ['bad1', 'bad2'], '-o', 'json');

  expect(run.exitCode).toBe(8);
  const errors = run.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).error);
  expect(errors).toEqual([
    expect.objectContaining({ item: 'bad1', status: 403, reason: 'forbidden', message: 'No.' }),
    expect.objectContaining({ item: 'bad2', status: 403 }),
    expect.objectContaining({ code: 'some-failed', message: '2 of 2 failed.' }),
  ]);
});

test('with --fail-fast nothing is started after the first failure', async ({ home }) => {
  const service = await countingService((id) => (id === 'bad1' ? 1 : 1000));
  const run = await remove(home, service.url, ['bad1', ...idsTo(99)], '--fail-fast');

  expect(run.exitCode).toBe(8);
  expect(service.seen).toHaveLength(8);
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe('error: 1 of 100 failed; 92 not tried.');
});

test('a tab and what follows it on the line are not part of the id', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, ['one\tFirst', 'two\tSecond\u2028of two\tmore']);

  expect(run.exitCode).toBe(0);
  expect(service.seen.toSorted()).toEqual(['one', 'two']);
});

test('a repeated id is sent once', async ({ home }) => {
  const service = await countingService();
  const run = await home.docsctl('members', 'remove', 'one', 'two', 'one', '--yes', { env: environment(service.url) });

  expect(run).toMatchObject({ exitCode: 0, stderr: 'Removed one.\nRemoved two.\n2 done.\n' });
  expect(service.seen.toSorted()).toEqual(['one', 'two']);
});

test('a failure of the only id keeps its own status', async ({ home }) => {
  const service = await countingService();
  const run = await home.docsctl('members', 'remove', 'bad', '--yes', { env: environment(service.url) });

  expect(run.exitCode).toBe(4);
  expect(run.stderr).toMatch(/^error: No\.$/m);
});

test.for([
  [['members', 'remove', '', '--yes'], '<user>'],
  [['members', 'remove', 'one', ' ', '--yes'], '<user>'],
  [['members', 'view', ''], '<user>'],
  [['members', 'list', '--org', ''], 'The org'],
] as [string[], string][])('an id that is empty is never sent: %j', async ([words, what], { home }) => {
  const service = await countingService();
  const run = await home.docsctl(...words, { env: environment(service.url) });

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(new RegExp(`^error: ${what} is empty\\.\nhint: Perhaps a shell variable`));
  expect(service.seen).toEqual([]);
});

test('an empty standard input does nothing, with a message', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, []);

  expect(run).toMatchObject({ exitCode: 0, stderr: 'Standard input is empty: nothing was done.\n' });
  expect(service.seen).toEqual([]);
});

test('all responses are printed as one list, also after a failure', async ({ demo }) => {
  const run = await demo.docsctl('members', 'mark-sso', 'member000001', 'nobody', 'member000002', '-o', 'json');

  expect(run.exitCode).toBe(8);
  expect(run.json.map(({ id }: { id: string }) => id)).toEqual(['member000001', 'member000002']);
});

test('--dry-run looks every object up, prints every request, and sends none', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, idsTo(3), '--dry-run');

  expect(run.stdout.match(/^DELETE .*$/gm)).toEqual(
    idsTo(3).map((id) => `DELETE ${service.url}/v1/orgs/some/members/${id}`),
  );
  expect(service.seen).toEqual([]);
  expect(service.lookedUp).toEqual(expect.arrayContaining(idsTo(3)));
});

test('--dry-run reports the objects that do not exist, as the real run does', async ({ home }) => {
  const service = await countingService();
  const some = await remove(home, service.url, ['bad1', ...idsTo(2)], '--dry-run');
  const only = await remove(home, service.url, ['bad1'], '--dry-run');

  expect(some.exitCode).toBe(0);
  expect(some.stdout.match(/^DELETE /gm)).toHaveLength(2);
  expect(some.stderr).toMatch(/^bad1: already gone\.$/m);
  expect(only).toMatchObject({ exitCode: 0, stdout: '' });
  expect(service.seen).toEqual([]);
});

test('with -o json each object that is removed has a result', async ({ home }) => {
  const service = await countingService();
  const several = await remove(home, service.url, ['bad1', ...idsTo(2)], '-o', 'json');
  const listOfOne = await remove(home, service.url, idsTo(1), '-o', 'json');
  const one = await home.docsctl('members', 'remove', 'one', '--yes', '--json', { env: environment(service.url) });
  const ids = await remove(home, service.url, idsTo(2), '-o', 'id');

  expect(several.exitCode).toBe(8);
  expect(several.json).toEqual(idsTo(2).map((id) => ({ id, result: 'removed' })));
  expect(listOfOne.json).toEqual([{ id: 'member1', result: 'removed' }]);
  expect(one.json).toEqual({ id: 'one', result: 'removed' });
  expect(ids.stdout).toBe('member1\nmember2\n');
});

test('one change is made to several objects, and each is printed', async ({ demo }) => {
  const run = await demo.docsctl('members', 'edit', 'member000002', 'member000003', '--role', 'comment', '-o', 'json');

  expect(run.exitCode).toBe(0);
  expect(run.json.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
    ['member000002', 'comment'],
    ['member000003', 'comment'],
  ]);
});

test('a value that fits one object is refused for several, before anything is sent', async ({ demo }) => {
  const flag = await demo.docsctl('spaces', 'edit', 'handbook0001', 'apiguides001', '--title', 'Same');
  const data = await demo.docsctl('spaces', 'edit', 'handbook0001', 'apiguides001', '--data', '{"title":"Same"}');

  expect(flag.exitCode).toBe(2);
  expect(flag.stderr).toContain('--title fits one <space>, but 2 are given.');
  expect(data.stderr).toContain('--data: "title" fits one <space>, but 2 are given.');
  expect((await demo.docsctl('spaces', 'view', 'handbook0001', '--json')).json.title).toBe('Handbook');
});

test('objects that are moved stand in the order in which they are named', async ({ demo }) => {
  const order = async () => (await demo.docsctl('collections', 'list', '-o', 'id')).stdout.trim().split('\n');
  const make = async (title: string) =>
    (await demo.docsctl('collections', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [first, a, b, c] = [await make('First'), await make('A'), await make('B'), await make('C')];

  await demo.docsctl('collections', 'move', c!, a!, b!, '--after', first!);
  const after = await order();
  await demo.docsctl('collections', 'move', b!, a!, c!, '--before', first!);
  const before = await order();

  expect(after.slice(after.indexOf(first!))).toEqual([first, c, a, b]);
  expect(before.slice(before.indexOf(b!))).toEqual([b, a, c, first]);
});

test('"-" is refused where a command takes one object', async ({ demo }) => {
  const run = await demo.docsctl('members', 'view', '-');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('<user>: "members view" takes one user');
});

test('the body is read once for all objects', async ({ demo }) => {
  const run = await demo.docsctl('members', 'edit', 'member000002', 'member000003', '--data', '-', '-o', 'json', {
    stdin: 'pipe',
    input: '{"role":"edit"}',
  });

  expect(run.json.map(({ role }: { role: string }) => role)).toEqual(['edit', 'edit']);
});

test('an interruption reports what was done, what may have been done, and what was not tried', async ({ home }) => {
  const stopped = Promise.withResolvers<void>();
  const service = await countingService((id) => {
    if (Number(id.slice('member'.length)) <= 20) return 1;
    stopped.resolve();
    return 60_000;
  });
  const running = start(home, service.url);
  running.stdin!.end(idsTo(100).join('\n'));
  await stopped.promise;
  await expect.poll(() => service.seen.length).toBe(28);
  running.kill('SIGINT');
  const { exitCode, stderr } = await running;

  expect(exitCode).toBe(130);
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    'error: Interrupted: 20 of 100 done; 8 sent, answer unknown; 72 not tried.',
    'hint: Run the command again with the same input to finish the rest.',
  ]);
  expect(stderr).not.toContain('error: member');
});

test('a command that waits for standard input can be stopped, and sends nothing', async ({ home }) => {
  const service = await countingService();
  const running = start(home, service.url);
  // More than the pipe holds: it is written once the command reads.
  const ids = idsTo(100_000).join('\n');
  await new Promise((resolve) => running.stdin!.write(ids, resolve));
  running.kill('SIGINT');
  const result = await running;

  expect(result.signal ?? result.exitCode).toBe('SIGINT');
  expect(service.seen).toEqual([]);
});

function start(home: Home, url: string) {
  return execa(process.execPath, [bin, 'members', 'remove', '-', '--yes'], {
    cwd: home.dir,
    env: { ...home.env, ...environment(url) },
    extendEnv: false,
    reject: false,
    stdin: 'pipe',
  });
}

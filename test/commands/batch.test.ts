import type { IncomingMessage } from 'node:http';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { listen } from '../support/service.ts';

const environment = (url: string) => ({ DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', DOCSCTL_ORG: 'some' });

/** A service that counts what it is asked for at once, and refuses the members whose id begins with "bad". */
async function countingService(answerMs: (id: string) => number = () => 1) {
  const seen: string[] = [];
  let now = 0;
  let most = 0;
  const url = await listen((request: IncomingMessage, response) => {
    const id = request.url!.split('/').at(-1)!;
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
  return { url, seen, most: () => most };
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
  expect(run.stderr.trimEnd().split('\n').slice(-2)).toEqual(['Removed member1000.', '1000 done.']);
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
    { message: '2 of 2 failed.' },
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
  [['members', 'remove', '', '--yes'], 'user'],
  [['members', 'remove', 'one', ' ', '--yes'], 'user'],
  [['members', 'view', ''], 'user'],
  [['members', 'list', '--org', ''], 'org'],
] as [string[], string][])('an id that is empty is never sent: %j', async ([words, what], { home }) => {
  const service = await countingService();
  const run = await home.docsctl(...words, { env: environment(service.url) });

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(new RegExp(`^error: The ${what} is empty\\.\nhint: Perhaps a shell variable`));
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

test('--dry-run prints every request and sends none', async ({ home }) => {
  const service = await countingService();
  const run = await remove(home, service.url, idsTo(3), '--dry-run');

  expect(run.stdout.trimEnd().split('\n')).toEqual(
    idsTo(3).map((id) => `DELETE ${service.url}/v1/orgs/some/members/${id}`),
  );
  expect(service.seen).toEqual([]);
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
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'error: Interrupted: 20 of 100 done; 8 in progress, which may have been done; 72 not tried.',
  );
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

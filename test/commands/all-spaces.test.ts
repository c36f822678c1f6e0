import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo, runHere, serveHere } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await home.run(['cr', 'create', '--subject', 'Elsewhere', '--open', '--space', 'apiguides001']);
});
afterAll(() => demo.remove());

const items = async (line: string) => JSON.parse((await home.run([...line.split(' '), '-o', 'json'])).stdout);

test('change requests of all spaces have their space', async () => {
  const all = await items('cr list --all-spaces --open');
  const one = await items('cr list --space handbook0001');

  expect(all).toHaveLength(one.length + 1);
  expect(all.find(({ subject }: { subject: string }) => subject === 'Elsewhere').space).toEqual({
    id: 'apiguides001',
    title: expect.any(String),
  });
});

test('the items of all spaces are sorted, filtered and limited together', async () => {
  const sorted = await items('cr list --all-spaces --status all --sort-by subject');
  const subjects = sorted.map(({ subject }: { subject: string }) => subject);
  const two = await items('cr list --all-spaces --status all --sort-by subject --limit 2');
  const filtered = await items('cr list --all-spaces --filter subject=Elsewhere');

  expect(subjects).toEqual(subjects.toSorted((a: string, b: string) => a.localeCompare(b)));
  expect(two.map(({ subject }: { subject: string }) => subject)).toEqual(subjects.slice(0, 2));
  expect(filtered).toHaveLength(1);
  expect(await items('cr list --all-spaces --limit 1')).toHaveLength(1);
});

test('--older-than selects by the time of the last change, and of the posting of comments', async () => {
  expect(await items('cr list --all-spaces --older-than 2d')).not.toContainEqual(
    expect.objectContaining({ subject: 'Elsewhere' }),
  );
  expect((await items('cr list --all-spaces --older-than 0.0000001d')).length).toBeGreaterThan(1);
  expect(await items('comments list --all-spaces --older-than 9000d')).toEqual([]);
  expect((await items('comments list --all-spaces --open')).length).toBeGreaterThan(0);
  expect(await home.run(['cr', 'list', '--all-spaces', '--older-than', '2026-01-01'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--older-than: "2026-01-01" is not an age.'),
  });
});

test('links of all spaces can fail a build', async () => {
  const run = await home.run(['spaces', 'links', '--all-spaces', '--fail-on', 'broken']);

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain('Handbook\tbroken\t');
});

test.for([
  ['cr list --all-spaces --space handbook0001', '--all-spaces and a space cannot be combined.'],
  ['spaces links handbook0001 --all-spaces', '--all-spaces and a space cannot be combined.'],
  ['comments list --all-spaces --cr 1', '--all-spaces and --cr cannot be combined.'],
  ['cr list --all-spaces --page x', '--all-spaces and --page cannot be combined.'],
  ['cr list --open --status draft', '--open and --status cannot be combined.'],
] as const)('%s is refused', async ([line, message]) => {
  const run = await home.run(line.split(' '));

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(message);
});

test('spaces that are gone in the meantime are reported', async () => {
  const { env, stop } = await serveHere(home.database);
  const url = env.DOCSCTL_URL!;
  const { createServer } = await import('node:http');
  // Hides one space behind its list.
  const proxy = createServer(async (request, response) => {
    if (request.url?.startsWith('/v1/spaces/apiguides001/')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"code":404,"message":"Gone."}}');
      return;
    }
    const answer = await fetch(`${url}${request.url}`, { headers: { authorization: request.headers.authorization! } });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const run = await runHere({ dir: home.dir, env: { ...home.env, ...env, DOCSCTL_URL: `http://127.0.0.1:${port}` } }, [
    'cr',
    'list',
    '--all-spaces',
  ]);
  proxy.close();
  await stop();

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toMatch(/1 of \d+ spaces could not be read:\n {2}.* \(apiguides001\): Gone\./);
  expect(run.stdout).not.toBe('');
});

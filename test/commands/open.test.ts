import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Home, Run } from '../support/cli.ts';
import { makeHome, test } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';
import { listen } from '../support/service.ts';

let demo: Home;
beforeAll(async () => {
  demo = await makeHome();
  await initialize(demo, 'demo');
});
afterAll(() => rm(demo.dir, { recursive: true, force: true }));

const base = 'http://localhost:4000';

describe('--print', () => {
  test.for([
    [['space', 'handbook0001'], /\/s\/handbook0001$/],
    [['spaces', 'handbook0001'], /\/s\/handbook0001$/],
    [['space', '--space', 'handbook0001'], /\/s\/handbook0001$/],
    [[], /\/o\/\w+$/],
    [['organization'], /\/o\/\w+$/],
    [['site', 'lumensite001'], /lumensite001$/],
    [['cr', '1', '--space', 'handbook0001'], /pumpchange01|\/1$/],
    [['page', 'install00001', '--space', 'handbook0001'], /install/],
    [['page', 'install00001', '--space', 'handbook0001', '--cr', '1'], /install/],
    [['collection', 'products0001'], /products0001$/],
  ] as [string[], RegExp][])('%j', async ([words, address]) => {
    const run = await demo.docsctl('open', ...words, '--print');

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout.trimEnd()).toMatch(address);
    expect(run.stdout.startsWith(base)).toBe(true);
  });

  test('an output format, columns and jq print too, and start nothing', async () => {
    const words = ['open', 'space', 'handbook0001'];
    const [json, jq, columns] = await Promise.all([
      demo.docsctl(...words, '-o', 'json'),
      demo.docsctl(...words, '--jq', '.url'),
      demo.docsctl(...words, '--columns', 'url'),
    ]);
    expect(json.json).toEqual({ url: jq.stdout.trimEnd() });
    expect(columns.stdout).toBe(jq.stdout);
  });

  test('the published address is a different one, where there is one', async () => {
    const site = await demo.docsctl('open', 'site', 'lumensite001', '--published', '--print');
    expect(site).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^https?:\/\//) });
    const collection = await demo.docsctl('open', 'collection', 'products0001', '--published', '--print');
    expect(collection.exitCode).toBe(5);
    expect(collection.stderr).toMatch(/^error: This collection is not published\.\nhint: .*sites publish/);
  });
});

describe('objects that cannot be opened', () => {
  test.for([
    [['spce', 'x'], 2, 'Did you mean "space"?'],
    [['comment', 'x'], 2, 'There are: org, space'],
    [['collection'], 2, '<id> is missing.'],
    [['space', 'nowhere'], 5, 'Space "nowhere" not found'],
  ] as [string[], number, string][])('%j', async ([words, status, message]) => {
    const run = await demo.docsctl('open', ...words, '--print');

    expect(run).toMatchObject({ exitCode: status, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});

/** A service whose only space has these addresses. */
const serviceWith = (urls: Record<string, string>) =>
  listen((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'space', id: 'one', title: 'One', urls }));
  });

/** A program that takes the place of xdg-open, and writes down its arguments. */
async function starterIn({ dir }: Home, ending = ''): Promise<{ path: string; readArguments(): Promise<string> }> {
  const path = join(dir, 'starters');
  const log = join(dir, 'arguments');
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >'${log}.part'\nmv '${log}.part' '${log}'\n${ending}\n`,
  );
  await chmod(join(path, 'xdg-open'), 0o755);
  return {
    path,
    async readArguments() {
      await expect.poll(() => existsSync(log)).toBe(true);
      return readFile(log, 'utf8');
    },
  };
}

const openOne = (home: Home, url: string, env: Record<string, string>): Promise<Run> =>
  home.docsctl('open', 'space', 'one', { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', ...env } });

// What starts a browser is another program on each system; here it is that of Linux.
describe('a browser', { tags: 'linux' }, () => {
  const display = { DISPLAY: ':7' };

  test('gets the address unchanged, and nothing of it runs', async ({ home }) => {
    const address = `https://docs.example/a b?x=1&y=$(touch pwned)\`touch pwned\`;touch pwned|'"#ä`;
    const { path, readArguments } = await starterIn(home);
    const run = await openOne(home, await serviceWith({ app: address }), {
      ...display,
      PATH: `${path}:${process.env.PATH}`,
    });

    expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: `Opened ${address}\n` });
    expect(await readArguments()).toBe(`1\n${address}\n`);
    expect(existsSync(join(home.dir, 'pwned'))).toBe(false);
  });

  test('that continues to run is not waited for', async ({ home }) => {
    const { path, readArguments } = await starterIn(home, 'exec sleep 20');
    const run = await openOne({ ...home, docsctl: home.spawn }, await serviceWith({ app: 'https://docs.example' }), {
      ...display,
      PATH: `${path}:${process.env.PATH}`,
    });

    expect(run).toMatchObject({ exitCode: 0, stderr: 'Opened https://docs.example\n' });
    expect(await readArguments()).toBe('1\nhttps://docs.example\n');
  });

  test('that cannot be started is an error with the address', async ({ home }) => {
    const { path } = await starterIn(home, 'exit 3');
    const run = await openOne(home, await serviceWith({ app: 'https://docs.example' }), {
      ...display,
      PATH: `${path}:${process.env.PATH}`,
    });

    expect(run).toMatchObject({
      exitCode: 1,
      stderr:
        'error: No browser could be started: xdg-open ended with status 3.\nhint: Open it yourself: https://docs.example\n',
    });
  });

  test('that is not installed is reported by name', async ({ home }) => {
    const run = await openOne(home, await serviceWith({ app: 'https://docs.example' }), { ...display, PATH: home.dir });

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(
      /^error: No browser could be started: xdg-open is not installed\.\nhint: Open it yourself: /,
    );
  });

  test('is not started where there is no display', async ({ home }) => {
    const { path } = await starterIn(home);
    const run = await openOne(home, await serviceWith({ app: 'https://docs.example' }), {
      PATH: `${path}:${process.env.PATH}`,
    });

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('there is no display here');
    expect(run.stderr).toContain('hint: Open it yourself: https://docs.example');
    expect(existsSync(join(home.dir, 'arguments'))).toBe(false);
  });

  test('is started without a display where a variable names it', async ({ home }) => {
    const { path, readArguments } = await starterIn(home);
    const run = await openOne(home, await serviceWith({ published: 'https://docs.example/p' }), {
      BROWSER: 'w3m',
      PATH: `${path}:${process.env.PATH}`,
    });

    expect(run.exitCode).toBe(0);
    expect(await readArguments()).toBe('1\nhttps://docs.example/p\n');
  });

  test.for([
    ['no address', {}, 5, 'This space has no address.'],
    ['a script', { app: 'javascript:alert(1)' }, 1, 'neither http nor https'],
    ['a file', { app: 'file:///etc/passwd' }, 1, 'neither http nor https'],
    ['a line break', { app: 'https://docs.example/\n--new-window' }, 1, 'cannot be opened'],
    ['a carriage return', { app: 'https://docs.example/\r--new-window' }, 1, 'cannot be opened'],
    ['an option', { app: '--help' }, 1, 'neither http nor https'],
  ] as [string, Record<string, string>, number, string][])(
    'is not started for %s',
    async ([, urls, status, message], { home }) => {
      const { path } = await starterIn(home);
      const run = await openOne(home, await serviceWith(urls), { ...display, PATH: `${path}:${process.env.PATH}` });

      expect(run).toMatchObject({ exitCode: status, stdout: '' });
      expect(run.stderr).toContain(message);
      expect(existsSync(join(home.dir, 'arguments'))).toBe(false);
    },
  );

  test('is not started by --dry-run', async ({ home }) => {
    const { path } = await starterIn(home);
    const url = await serviceWith({ app: 'https://docs.example' });
    const run = await home.docsctl('open', 'space', 'one', '--dry-run', {
      env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', ...display, PATH: `${path}:${process.env.PATH}` },
    });

    expect(run).toMatchObject({ exitCode: 0, stderr: 'Would open https://docs.example.\n' });
    expect(existsSync(join(home.dir, 'arguments'))).toBe(false);
  });
});

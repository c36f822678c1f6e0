import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, makeHome, removeHome } from '../support/cli.ts';
import { initialize } from '../support/prepared.ts';
import { listen } from '../support/service.ts';
import { openScreen, type Screen } from './screen.ts';

const it = test.extend<{ home: Home }>({
  home: async ({ onTestFinished }, use) => {
    const home = await makeHome();
    onTestFinished(() => removeHome(home));
    await initialize(home, 'demo');
    await use(home);
  },
});

const size = { width: 100, height: 20 };
const long = ['members', 'list', '--limit', '300'];

/** Presses Ctrl-C, which less answers with a bell. It drops keys that come before that. */
async function interrupt(screen: Screen) {
  const bells = async () => (await screen.printed()).split('\u0007').length;
  const before = await bells();
  await screen.press('C-c');
  await expect.poll(bells).toBe(before + 1);
}

it(
  'what is longer than the screen goes through less, which the user leaves with q',
  { tags: 'less' },
  async ({ home }) => {
    const screen = await openScreen(home, long, size);
    const page = await screen.shows(/:\s*$/);
    expect(page).toContain('NAME ');
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(size.height);
    await screen.press('q');
    expect(await screen.ends()).toBe(0);
  },
);

it('leaving the pager early ends a long list quietly, without reading the rest', { tags: 'less' }, async ({ home }) => {
  const screen = await openScreen(home, ['members', 'list', '-o', 'json'], size);
  await screen.shows(/:\s*$/);
  await screen.press('q');
  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).not.toContain('error');
});

it('the pager shows the whole list, and messages come after it', { tags: 'less' }, async ({ home }) => {
  const screen = await openScreen(home, long, { ...size, width: 60 });
  await screen.shows(/:\s*$/);
  await screen.press('G');
  await screen.shows('(END)');
  expect(await screen.text()).not.toContain('columns hidden');
  await screen.press('q');
  await screen.shows('columns hidden');
  expect(await screen.ends()).toBe(0);
});

it('what fits on the screen is printed without a pager', async ({ home }) => {
  const screen = await openScreen(home, ['teams', 'list'], { ...size, env: { PAGER: 'touch paged' } });
  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toContain('Writers');
  await expect(readFile(join(home.dir, 'paged'))).rejects.toThrow('ENOENT');
});

it('Ctrl-C does not leave the pager, nor end the command before it', { tags: 'less' }, async ({ home }) => {
  const screen = await openScreen(home, long, size);
  await screen.shows(/:\s*$/);
  await interrupt(screen);
  await interrupt(screen);
  await screen.press('G');
  await screen.shows('(END)');
  await screen.press('q');
  expect(await screen.ends()).toBe(0);
});

it('Ctrl-C while the list is still read ends it with 130 after the pager', { tags: 'less' }, async ({ home }) => {
  let isStopped = false;
  const url = await listen((request, response) => {
    // The second page never comes.
    if (request.url!.includes('page=')) return void response.on('close', () => (isStopped = true));
    const items = Array.from({ length: 50 }, (_, index) => ({ object: 'member', id: `member${index}` }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items, count: 100, next: { page: 'second' } }));
  });
  const env = { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test', DOCSCTL_ORG: 'some' };
  const screen = await openScreen(home, ['members', 'list', '-o', 'json'], { ...size, env });
  await screen.shows('"member3"');
  await interrupt(screen);
  await expect.poll(() => isStopped).toBe(true);
  await screen.press('q');
  expect(await screen.ends()).toBe(130);
});

it.for([
  ['DOCSCTL_PAGER before PAGER', { DOCSCTL_PAGER: 'sed s/^/1:/', PAGER: 'false' }, '1:'],
  ['PAGER', { PAGER: "sed 's/^/2:/'" }, '2:'],
] as [string, Record<string, string>, string][])('%s is used', async ([, env, prefix], { home }) => {
  const screen = await openScreen(home, [...long, '--columns', 'id'], { ...size, env });
  expect(await screen.ends()).toBe(0);
  const text = await screen.text();
  expect(text).toContain(`${prefix}ID`);
  expect(text.match(new RegExp(`^${prefix}`, 'gm'))).toHaveLength(301);
});

it.for([
  ['--no-pager', [...long, '--no-pager'], {}],
  ['an empty PAGER', long, { PAGER: '' }],
  ['cat', long, { PAGER: 'cat' }],
  ['--no-input', [...long, '--no-input'], {}],
  ['CI', long, { CI: 'true' }],
] as [string, string[], Record<string, string>][])('%s means none', async ([, words, env], { home }) => {
  const screen = await openScreen(home, words, { ...size, env });
  expect(await screen.ends()).toBe(0);
  expect((await screen.text()).trimEnd().split('\n').length).toBeGreaterThan(300);
});

it.for(['no-such-pager', "no-such-pager 'x'", '/etc/passwd'])(
  'with a pager that cannot be started everything is printed all the same: %s',
  async (pager, { home }) => {
    const screen = await openScreen(home, long, { ...size, env: { PAGER: pager } });
    expect(await screen.ends()).toBe(0);
    const lines = (await screen.text()).split('\n');
    expect(lines.filter((line) => / member\d{6}$|LocalAdmin/.test(line)).length).toBeGreaterThanOrEqual(299);
  },
);

it('an error is told after the pager', { tags: 'less' }, async ({ home }) => {
  const screen = await openScreen(home, ['spaces', 'links', 'handbook0001', '--fail-on', 'broken'], {
    width: 60,
    height: 8,
  });
  await screen.shows(/:\s*$/);
  expect(await screen.text()).not.toContain('error');
  await screen.press('q');
  await screen.shows('error: ');
  expect(await screen.ends()).toBe(9);
});

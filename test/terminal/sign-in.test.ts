import { expect } from 'vitest';
import { test } from '../support/service.ts';
import { openScreen } from './screen.ts';

test('signing in asks for address and token, and stores the token where nobody else can read it', async ({
  home,
  service,
}) => {
  const screen = await openScreen(home, ['auth', 'login']);

  await screen.shows('Address of the service:');
  await screen.answer(service.url);
  await screen.shows('Token for');
  await screen.answer('wrong-token');
  // What is typed before the question stands there is dropped.
  await screen.shows(/refused the token[^]*Token for/);
  await screen.answer(service.token);
  await screen.shows('Default space:');
  await screen.type('hand');
  await screen.shows(/> Handbook/);
  await screen.press('Enter');

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toContain('Local Admin');
  expect(await screen.printed()).not.toContain(service.token);
  const status = await home.docsctl('auth', 'status', '--json');
  expect(status.json).toMatchObject([
    { profile: 'default', current: true, state: 'works', token: 'file', role: 'admin', url: service.url },
  ]);
  const setting = await home.docsctl('config', 'get', 'space');
  const space = await home.docsctl('spaces', 'view', setting.stdout.trim(), '--json');
  expect(space.json.title).toBe('Handbook');
});

test.for([
  ['a dumb terminal', { TERM: 'dumb' }],
  ['a screen reader', { DOCSCTL_PROMPTS: 'plain' }],
] as const)('signing in on %s takes lines and redraws nothing', async ([, env], { home, service }) => {
  const screen = await openScreen(home, ['auth', 'login', '--profile', 'work'], { width: 60, env });

  await screen.shows('Address of the service: [http://127.0.0.1:4000]');
  await screen.answer(service.url);
  await screen.shows(/Token for \S+ \(not shown\)/);
  await screen.answer(service.token);
  await screen.shows('Number, or text to search:');
  await screen.answer('play');
  await screen.shows('1. Support playbook');
  await screen.answer('1');

  expect(await screen.ends()).toBe(0);
  const printed = await screen.printed();
  expect(printed).not.toContain(service.token);
  // Moving the cursor up or clearing what stands there would be lost on a screen reader.
  // oxlint-disable-next-line no-control-regex
  expect(printed).not.toMatch(/\u001b\[\d*[AJH]/);
  expect((await home.docsctl('config', 'get', 'space', '--profile', 'work')).exitCode).toBe(0);
});

test.for(['C-c', 'C-d'])('%s at a question ends with 130, and nothing is kept', async (key, { home, service }) => {
  const screen = await openScreen(home, ['auth', 'login', '--url', service.url]);
  await screen.shows('Token for');
  await screen.answer(service.token);
  await screen.shows('Default space:');
  await screen.press(key);

  expect(await screen.ends()).toBe(130);
  expect((await home.docsctl('profiles', 'list')).stdout).toBe('');
  expect(await screen.printed()).not.toContain('error');
});

test('names from the service cannot move the cursor in a list', async ({ home, service }) => {
  const env = { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: service.token };
  await home.docsctl('spaces', 'create', '--title', '\u001b[2Jgone\u202e\r', { env });
  const screen = await openScreen(home, ['spaces', 'view'], { env });

  await screen.shows('Which space?');
  await screen.type('gone');
  const text = await screen.shows(/> .*gone/);
  await screen.press('C-c');
  await screen.ends();

  expect(text).toContain('\\u001b[2Jgone\\u202e\\r');
  expect(await screen.printed()).not.toContain('\u001b[2Jgone');
});

test.for<Record<string, string>>([{ CI: 'true' }, { TERM: '' }])(
  'with %o nothing is asked',
  async (env, { home, service }) => {
    const screen = await openScreen(home, ['members', 'view'], {
      env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: service.token, ...env },
    });

    expect(await screen.ends()).toBe(2);
    expect(await screen.text()).toContain('<user> is missing');
  },
);

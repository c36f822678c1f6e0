import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Docsctl, Run } from '../support/cli.ts';
import { inProcess } from '../support/in-process.ts';
import { listen, login, test as base } from '../support/service.ts';

const test = base.extend(inProcess);

interface Finding {
  check: string;
  state: string;
  detail: string;
  hint?: string;
}

const findingsOf = (run: Run): Record<string, Finding> =>
  Object.fromEntries((run.json as Finding[]).map((finding) => [finding.check, finding]));

const doctor = (docsctl: Docsctl, env: Record<string, string> = {}, ...words: string[]) =>
  docsctl('doctor', ...words, '-o', 'json', { env });

/** Every finding that is not ok says what to do. */
const expectHints = (run: Run) => {
  for (const { check, state, hint } of run.json as Finding[])
    expect([check, state === 'ok' || hint !== undefined]).toEqual([check, true]);
};

describe('without problems', () => {
  test('on the demo: every check is ok, and standard error is empty', async ({ demo }) => {
    const run = await doctor(demo.docsctl);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect((run.json as Finding[]).map(({ check, state }) => `${check} ${state}`)).toEqual(
      'docsctl environment settings project profile service token user organization role'
        .split(' ')
        .map((check) => `${check} ok`),
    );
    expect(findingsOf(run)).toMatchObject({
      profile: { detail: 'local (the current profile)' },
      token: { detail: 'not needed' },
      role: { detail: 'admin' },
      organization: { detail: expect.stringContaining('Lumen Docs') },
    });
  });

  test('over HTTP: shows where address and token come from, never the token', async ({ served }) => {
    const run = await doctor(served.docsctl);

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run)).toMatchObject({
      profile: { detail: 'none: the address comes from DOCSCTL_URL' },
      service: { state: 'ok', detail: `${served.url} (DOCSCTL_URL) responds` },
      token: { detail: 'accepted, from DOCSCTL_TOKEN' },
    });
    expect(run.stdout + run.stderr).not.toContain(served.token);
  });

  test('with a profile: shows where its token is', async ({ home, service }) => {
    await login(home, service);
    const run = await doctor(home.docsctl);

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run).token).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^accepted, from the file \(profile /),
    });
  });

  test('as a table: one line for each check', async ({ demo }) => {
    const run = await demo.docsctl('doctor', '-o', 'table');
    expect(run.stdout).toMatch(/^CHECK +STATE +DETAIL\ndocsctl +ok +\d/);
  });
});

describe('problems', () => {
  test('nothing is set', async ({ home }) => {
    const run = await doctor(home.docsctl);

    expect(run.exitCode).toBe(3);
    expect(findingsOf(run)).toMatchObject({
      settings: { state: 'ok' },
      profile: { state: 'fail', detail: 'No service is set' },
    });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      message: 'profile: No service is set',
      hint: expect.stringContaining('docsctl auth login'),
    });
    expectHints(run);
  });

  test('a profile that does not exist', async ({ demo }) => {
    const run = await doctor(demo.docsctl, {}, '--profile', 'remote');

    expect(run.exitCode).toBe(5);
    expect(findingsOf(run).profile).toMatchObject({ state: 'fail', hint: expect.stringContaining('local') });
  });

  test('settings that cannot be read', async ({ home }) => {
    await mkdir(home.env.DOCSCTL_CONFIG_DIR!, { recursive: true });
    await writeFile(join(home.env.DOCSCTL_CONFIG_DIR!, 'config.json'), '{');
    const run = await doctor(home.docsctl);

    expect(run.exitCode).toBe(1);
    expect(findingsOf(run).settings).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('config.json is broken'),
      hint: expect.stringContaining('Repair it'),
    });
    expectHints(run);
  });

  test('a project file that cannot be read', async ({ demo }) => {
    await writeFile(join(demo.dir, '.docsctl.yaml'), 'org: [');
    const run = await doctor(demo.docsctl);

    expect(run.exitCode).not.toBe(0);
    expect(findingsOf(run).project).toMatchObject({ state: 'fail', detail: expect.stringContaining('.docsctl.yaml') });
    expectHints(run);
  });

  test('a database that was deleted', async ({ demo }) => {
    const run = await doctor(demo.docsctl, {}, '--url', 'embedded:gone.db');

    expect(run.exitCode).toBe(1);
    expect(findingsOf(run).service).toMatchObject({ state: 'fail', hint: expect.stringContaining('docsctl init') });
  });

  test('no token for the address', async ({ home, service }) => {
    const run = await doctor(home.docsctl, { DOCSCTL_URL: service.url });

    expect(run.exitCode).toBe(3);
    expect(findingsOf(run)).toMatchObject({
      service: { state: 'ok' },
      token: { state: 'fail', hint: expect.stringContaining('DOCSCTL_TOKEN') },
    });
    expectHints(run);
  });

  test('a token that the service refuses: the service answers, the token is wrong', async ({ home, service }) => {
    const run = await doctor(home.docsctl, { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: 'wrong-token-of-test' });

    expect(run.exitCode).toBe(3);
    expect(findingsOf(run)).toMatchObject({
      service: { state: 'ok' },
      token: {
        state: 'fail',
        detail: expect.stringContaining('DOCSCTL_TOKEN'),
        hint: expect.stringContaining('auth login'),
      },
    });
    expect(run.stdout + run.stderr).not.toContain('wrong-token-of-test');
    expectHints(run);
  });

  test('an address where no service listens', async ({ home }) => {
    const run = await doctor(home.docsctl, { DOCSCTL_URL: 'http://127.0.0.1:9', DOCSCTL_TOKEN: 'some' });

    expect(run.exitCode).toBe(7);
    expect(findingsOf(run).service).toMatchObject({ state: 'fail', detail: expect.stringContaining('127.0.0.1:9') });
    expectHints(run);
  });

  test('an address that is not a service URL', async ({ home }) => {
    const run = await doctor(home.docsctl, { DOCSCTL_URL: 'docs.example', DOCSCTL_TOKEN: 'some' });

    expect(run.exitCode).not.toBe(0);
    expect(findingsOf(run).service).toMatchObject({ state: 'fail', detail: expect.stringContaining('docs.example') });
    expectHints(run);
  });

  test('a service that fails', async ({ home }) => {
    const url = await listen((_, response) => {
      response.statusCode = 500;
      response.end();
    });
    const run = await doctor(home.docsctl, { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'some' });

    expect(run.exitCode).toBe(7);
    expect(findingsOf(run).service).toMatchObject({ state: 'fail' });
    expectHints(run);
  });

  test('an HTML page at the address', async ({ home }) => {
    const url = await listen((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<h1>Welcome</h1>');
    });
    const run = await doctor(home.docsctl, { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'some' });

    expect(run.exitCode).not.toBe(0);
    expect(findingsOf(run).service).toMatchObject({ state: 'fail' });
    expectHints(run);
  });

  test('an organization that does not exist', async ({ demo }) => {
    const run = await doctor(demo.docsctl, { DOCSCTL_ORG: 'gone' });

    expect(run.exitCode).toBe(5);
    expect(findingsOf(run).organization).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('"gone"'),
      hint: expect.stringContaining('docsctl orgs list'),
    });
    expectHints(run);
  });

  test('defaults that do not exist are warnings', async ({ demo }) => {
    const run = await doctor(demo.docsctl, { DOCSCTL_SPACE: 'gone', DOCSCTL_SITE: 'lost' });

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run)).toMatchObject({ space: { state: 'warn' }, site: { state: 'warn' } });
    expect(run.stderr).toMatch(/^hint: space: .*\nhint: site: .*\n$/);
    expectHints(run);
  });

  test('several organizations without a default are a warning', async ({ served }) => {
    await served.docsctl('orgs', 'create', '--title', 'Second');
    const run = await doctor(served.docsctl);

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run).organization).toMatchObject({
      state: 'warn',
      detail: 'none is set, and you belong to 2',
      hint: expect.stringContaining('docsctl orgs list'),
    });
  });

  test('a token in the environment without an address is a warning', async ({ demo }) => {
    const run = await doctor(demo.docsctl, { DOCSCTL_TOKEN: 'some' });

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run).environment).toMatchObject({ state: 'warn', hint: expect.stringContaining('Set both') });
    expect(run.stdout + run.stderr).not.toContain('"some"');
  });
});

describe('the role', () => {
  test.for([
    ['comment', 'comment'],
    ['guest', /^guest/],
  ] as [string, string | RegExp][])('%s is shown', async ([role, expected], { demo }) => {
    await demo.docsctl('members', 'edit', 'member000003', '--role', role);
    const run = await doctor(demo.docsctl, {}, '--as', 'member000003');

    expect(run.exitCode).toBe(0);
    expect(findingsOf(run).as).toMatchObject({ detail: 'member000003' });
    expect(findingsOf(run).role).toMatchObject({ state: 'ok', detail: expect.stringMatching(expected) });
  });
});

describe('with misspelt names', () => {
  test.for([
    ['DOCSCTL_PROFIL', 'Did you mean DOCSCTL_PROFILE?'],
    ['DOCSCTL_SERVE_TOKENS', 'Did you mean DOCSCTL_SERVE_TOKEN?'],
    ['DOSCTL_URL', 'Did you mean DOCSCTL_URL?'],
    ['docsctl_token', 'Did you mean DOCSCTL_TOKEN?'],
    ['DOCSCTL_ORGANIZATION', '"docsctl help environment" lists the variables.'],
  ] as const)('a variable %s is a warning', async ([name, hint], { demo }) => {
    const run = await doctor(demo.docsctl, { [name]: 'x', DOCKER_HOST: 'x', DOCSCTL_ACTION_VERSION: 'x' });

    expect(run.exitCode).toBe(0);
    expect((run.json as Finding[]).filter(({ check }) => check === 'environment')).toEqual([
      { check: 'environment', state: 'warn', detail: `${name} is set, but docsctl does not use it`, hint },
      expect.objectContaining({ state: 'ok' }),
    ]);
    expect((run.json as Finding[]).filter(({ state }) => state === 'warn')).toHaveLength(1);
  });

  test('a key of the settings is a warning, and is kept', async ({ demo }) => {
    const file = join(demo.dir, 'config', 'config.json');
    const config = JSON.parse(await readFile(file, 'utf8'));
    Object.assign(config, { curent: 'local' });
    Object.assign(config.profiles.local, { spase: 'handbook0001', region: 'eu' });
    await writeFile(file, JSON.stringify(config));

    const run = await doctor(demo.docsctl);
    await demo.docsctl('config', 'set', 'site', 'intranet0001');

    const warnings = (run.json as Finding[]).filter(({ state }) => state === 'warn');
    expect(warnings.map(({ detail, hint }) => `${detail.replace(file, 'config.json')} | ${hint}`)).toEqual([
      'config.json: there is no setting "curent" | Did you mean "current"?',
      'config.json: there is no setting "spase" of the profile "local" | Did you mean "space"?',
      'config.json: there is no setting "region" of the profile "local" | Remove it, unless a later version of docsctl wrote it.',
    ]);
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.local.region).toBe('eu');
  });
});

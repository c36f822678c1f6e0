import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { wordsOfCommand } from '../../src/cli/settings/token-command.ts';
import { shellCommand } from '../../src/shared/shell-quote.ts';
import { inProcess } from '../support/in-process.ts';
import { listener, login, test as base } from '../support/service.ts';

const test = base.extend(inProcess);

const tokensOf = ({ asked }: Awaited<ReturnType<typeof listener>>) => [...new Set(asked.map(({ token }) => token))];

/** A command line that runs JavaScript. */
const script = (code: string) => shellCommand([process.execPath, '-e', code]);

describe('DOCSCTL_TOKEN_FILE', () => {
  test('its token is sent to DOCSCTL_URL; DOCSCTL_TOKEN takes precedence', async ({ home }) => {
    const work = await listener();
    await writeFile(join(home.dir, 'token'), 'token-of-file\n');
    const env = { DOCSCTL_URL: work.url, DOCSCTL_TOKEN_FILE: join(home.dir, 'token') };

    const run = await home.docsctl('whoami', { env });
    const status = await home.docsctl('auth', 'status', '-o', 'json', { env });
    const printed = await home.docsctl('auth', 'token', { env });
    const doctor = await home.docsctl('doctor', { env });

    expect(run.exitCode).toBe(0);
    expect(tokensOf(work)).toEqual(['Bearer token-of-file']);
    expect(status.json).toContainEqual(expect.objectContaining({ token: 'DOCSCTL_TOKEN_FILE', state: 'works' }));
    expect(printed.stdout).toBe('token-of-file\n');
    expect(doctor.stdout).toContain('accepted, from DOCSCTL_TOKEN_FILE');
    const both = await home.docsctl('auth', 'token', { env: { ...env, DOCSCTL_TOKEN: 'token-of-variable' } });
    expect(both.stdout).toBe('token-of-variable\n');
  });

  test('it is not sent to the address of a profile', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
    await writeFile(join(home.dir, 'token'), 'stray');

    const run = await home.docsctl('auth', 'token', { env: { DOCSCTL_TOKEN_FILE: join(home.dir, 'token') } });

    expect(run.stdout).toBe('token-of-work\n');
    expect(run.stderr).toContain('DOCSCTL_TOKEN_FILE is ignored, because it is sent only to DOCSCTL_URL or --url');
  });

  test('a file that cannot be used is an error that does not contain its content', async ({ home }) => {
    await writeFile(join(home.dir, 'page'), '<html> a secret page </html>');
    await writeFile(join(home.dir, 'empty'), '\n');
    const run = (name: string) =>
      home.docsctl('whoami', '-o', 'json', {
        env: { DOCSCTL_URL: 'http://127.0.0.1:9', DOCSCTL_TOKEN_FILE: join(home.dir, name) },
      });

    for (const [name, problem] of Object.entries({
      missing: 'cannot be read: there is no such file',
      page: 'contains more than a token',
      empty: 'is empty',
    })) {
      const { stderr, exitCode } = await run(name);
      expect(exitCode).toBe(3);
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'token-file',
        message: expect.stringContaining(problem),
      });
      expect(stderr).not.toContain('secret');
    }
  });
});

describe('token-command', () => {
  test('its output is sent instead of the saved token, and shown as the place of the token', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'saved-token' }, '--profile', 'work');
    work.asked.length = 0;
    const set = await home.docsctl('config', 'set', 'token-command', script('console.log("printed-token")'));

    const run = await home.docsctl('whoami');
    const status = await home.docsctl('auth', 'status', '-o', 'json');
    const origin = await home.docsctl('config', 'get', 'token-command', '--show-origin', '-o', 'json');
    const doctor = await home.docsctl('doctor');
    const logout = await home.docsctl('auth', 'logout');

    expect(set.stderr).toContain('It takes precedence over the saved token');
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(tokensOf(work)).toEqual(['Bearer printed-token']);
    expect(status.json).toContainEqual(expect.objectContaining({ token: 'token-command', state: 'works' }));
    expect(origin.json).toMatchObject({ key: 'token-command', origin: 'profile', source: 'work' });
    expect(doctor.stdout).toContain('accepted, from the token-command (profile work)');
    expect(logout.stderr).toContain('The profile "work" has a token-command');
  });

  test('it runs without a shell, in the folder of the settings', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'saved-token' }, '--profile', 'work');
    const code = 'console.log(JSON.stringify([process.cwd(), process.argv.slice(1)]).replaceAll(" ", "_"))';
    const line = `${shellCommand([process.execPath, '-e', code])} '$HOME' "; id" | \\>\\ x`;
    await home.docsctl('config', 'set', 'token-command', line);

    const { stdout } = await home.docsctl('auth', 'token');

    expect(JSON.parse(stdout)).toEqual([home.env.DOCSCTL_CONFIG_DIR, ['$HOME', ';_id', '|', '>_x']]);
  });

  test('a failure says what to do and does not contain the output', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'saved-token' }, '--profile', 'work');
    work.asked.length = 0;
    for (const [line, problem] of [
      [script('console.log("secret"); process.exit(4)'), 'exited with status 4'],
      [script('console.log("secret page")'), 'printed more than a token'],
      [script(''), 'printed nothing'],
      [script('console.log("secret".repeat(100000))'), 'printed more than 64 KB'],
      [script('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)'), 'was ended by a signal'],
      ['./no-such-program', 'cannot be started: there is no such file'],
    ] as const) {
      await home.docsctl('config', 'set', 'token-command', line);
      const { stderr, exitCode } = await home.docsctl('whoami', '--debug', '-o', 'json');
      expect(exitCode).toBe(3);
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'token-command',
        message: `The token-command of the profile "work" ${problem}.`,
        hint: expect.stringContaining('docsctl config get token-command --profile work'),
      });
      expect(stderr).not.toContain('secret');
    }
    expect(work.asked).toEqual([]);
  });

  test('a project file cannot set it, and a program of the same name in the project is not run', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'saved-token' }, '--profile', 'work');
    const project = join(home.dir, 'project');
    await mkdir(project);
    const evil = join(project, 'evil');
    await writeFile(evil, '#!/bin/sh\ntouch ran\necho stolen\n');
    await chmod(evil, 0o755);

    await home.docsctl('config', 'set', 'token-command', './evil');
    const relative = await home.docsctl('whoami', { cwd: project });
    await home.docsctl('config', 'unset', 'token-command');
    await writeFile(join(project, '.docsctl.yaml'), 'token-command: ./evil\n');
    const byFile = await home.docsctl('whoami', '-o', 'json', { cwd: project });

    expect(relative.exitCode).toBe(3);
    expect(byFile.exitCode).toBe(2);
    expect(JSON.parse(byFile.stderr).error).toMatchObject({ code: 'invalid-project-file' });
    await expect(readFile(join(project, 'ran'))).rejects.toThrow('ENOENT');
  });

  test('its token is not sent to another host', async ({ home }) => {
    const work = await listener();
    const other = await listener();
    await login(home, { url: work.url, token: 'saved-token' }, '--profile', 'work');
    await home.docsctl('config', 'set', 'token-command', script('console.log("printed-token")'));

    const byFlag = await home.docsctl('whoami', '--url', other.url);
    const changed = await home.docsctl('config', 'set', 'url', other.url);
    const afterwards = await home.docsctl('whoami');

    expect([byFlag.exitCode, afterwards.exitCode]).toEqual([3, 3]);
    expect(changed.stderr).toContain('Unset "token-command"');
    expect(other.asked).toEqual([]);
  });

  test('the words of a command line', () => {
    expect(wordsOfCommand(`a 'b c' "d 'e'" f\\ g '' h'i'j`)).toEqual(['a', 'b c', "d 'e'", 'f g', '', 'hij']);
    for (const line of ['', '  ', "'open", '""']) expect(() => wordsOfCommand(line)).toThrow('token-command');
  });
});

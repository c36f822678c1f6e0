import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, serve, test } from '../support/cli.ts';

test('a database is private to its owner with any umask, and contains no usable token', async ({ home }) => {
  const script = `umask 000 && "${process.execPath}" "${bin}" init && "${process.execPath}" "${bin}" serve token create --json`;
  const run = await execa('sh', ['-c', script], { env: home.env, extendEnv: false, cwd: home.dir });
  const { token } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{"')));
  const data = join(home.dir, 'data');
  const files = await readdir(data);

  expect(token).toMatch(/^docsctl_/);
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  for (const file of files) {
    expect([file, (await stat(join(data, file))).mode & 0o077]).toEqual([file, 0]);
    expect((await readFile(join(data, file))).includes(token.slice('docsctl_'.length))).toBe(false);
  }
  expect(files).toContain('local.db');
});

/** An address of this machine that is not 127.0.0.1. */
const elsewhere =
  Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address ?? '127.0.0.2';

test('an instance answers on loopback only, unless it is told another address', async ({ home }) => {
  const instance = await serve(home);
  const { hostname, port } = new URL(instance.url);
  const answers = (host: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), host, () => resolve('connected'));
      socket
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
        .once('connect', () => socket.destroy());
    });

  expect(hostname).toBe('127.0.0.1');
  expect([await answers('127.0.0.1'), await answers(elsewhere)]).toEqual(['connected', 'ECONNREFUSED']);
  await instance.stop();
});

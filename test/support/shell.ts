import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { runProgram } from '../../src/cli/program/main.ts';
import type { Terminal } from '../../src/cli/output/index.ts';
import { entries } from '../../src/commands/index.ts';
import { openEmbedded } from '../../src/server/open-embedded.ts';
import { administrator, grantToken } from '../../src/server/organizations/bootstrap.ts';
import { listen } from '../../src/server/http/listen.ts';
import { openInstance } from '../../src/server/open-instance.ts';
import { type Home, makeHome, removeHome, type Run, spawnIn } from './cli.ts';
import { captureRun } from './in-process.ts';
import { initialize } from './prepared.ts';

/** A terminal of this width, without colours. */
export const screenOf = (width: number): Terminal => ({ terminal: true, color: false, width });

/**
 * Runs a command line of the sources in this process: the whole program but for its start and the streams of the system.
 * One at a time, since the environment and the working directory are those of the process. With DOCSCTL_TEST_PROGRAM, that
 * program, unless the test needs a terminal.
 */
export const runHere = (home: Pick<Home, 'dir' | 'env'>, words: string[], screen?: Terminal): Promise<Run> =>
  process.env.DOCSCTL_TEST_PROGRAM !== undefined && screen === undefined
    ? spawnIn(home, ...words)
    : captureRun(home, (streams) => runProgram(words, { entries, openEmbedded, streams }), screen);

/** The demo, made once, to be copied for each test that changes it. */
export interface Demo {
  /** A home of its own with a copy of the demo. */
  copy(): Promise<DemoHome>;
  remove(): Promise<void>;
}

export interface DemoHome extends Pick<Home, 'dir' | 'env'> {
  database: string;
  run(words: string[], screen?: Terminal): Promise<Run>;
  remove(): Promise<void>;
}

/** @param isNew whether its times are those of now, which a test may have set */
export async function makeDemo({ isNew = false } = {}): Promise<Demo> {
  const home = await makeHome();
  if (isNew) {
    const made = await runHere(home, ['init', '--demo', '-q']);
    if (made.exitCode !== 0) throw new Error(made.stderr);
  } else await initialize(home, 'demo');
  const place = await mkdtemp(join(tmpdir(), 'docsctl-demo-'));
  let copies = 0;
  return {
    async copy() {
      const dir = join(place, String(++copies));
      const database = join(dir, 'data', 'local.db');
      await mkdir(join(dir, 'data'), { recursive: true });
      await mkdir(join(dir, 'config'));
      await copyFile(join(home.dir, 'data', 'local.db'), database);
      const env = {
        ...home.env,
        HOME: dir,
        DOCSCTL_CONFIG_DIR: join(dir, 'config'),
        DOCSCTL_DATA_DIR: join(dir, 'data'),
      };
      const config = await readFile(join(home.dir, 'config', 'config.json'), 'utf8');
      await writeFile(join(dir, 'config', 'config.json'), config.replaceAll(home.dir, dir));
      return {
        dir,
        env,
        database,
        run: (words, screen) => runHere({ dir, env }, words, screen),
        remove: () => rm(dir, { recursive: true, force: true }),
      };
    },
    async remove() {
      await rm(place, { recursive: true, force: true });
      await removeHome(home);
    },
  };
}

/** A demo, and a copy of it for all tests of a file; removed when they are done. */
export async function sharedDemo(): Promise<{ demo: Demo; home: DemoHome }> {
  const demo = await makeDemo();
  afterAll(() => demo.remove());
  return { demo, home: await demo.copy() };
}

/** Serves a database over HTTP in this process. */
export async function serveHere(
  database: string,
  options: Omit<Parameters<typeof openInstance>[0], 'file'> = {},
): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const instance = await openInstance({ file: database, ...options });
  const { user } = (await instance.store.read(administrator))!;
  const token = 'token-of-the-test';
  const now = new Date(instance.now()).toISOString();
  await instance.store.write((db) => grantToken(db, { token, user, label: 'test', now }));
  const listening = await listen(instance, { host: '127.0.0.1', port: 0 });
  instance.base = listening.url;
  return {
    env: { DOCSCTL_URL: listening.url, DOCSCTL_TOKEN: token },
    async stop() {
      await listening.stop();
      await instance.close();
    },
  };
}

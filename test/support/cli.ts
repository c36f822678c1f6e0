import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import { test as base } from 'vitest';
import { initialize } from './prepared.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * What tests give to Node.js to run docsctl. With DOCSCTL_TEST_PROGRAM, it runs that program in its place, such as the single
 * executable.
 */
export const bin = process.env.DOCSCTL_TEST_PROGRAM
  ? join(root, 'test', 'support', 'other-program.js')
  : join(root, 'bin', 'docsctl.js');

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json: any;
}

/** Runs the built binary on a home of its own. The last argument may be options of execa's. */
export type Docsctl = (...words: (string | Options)[]) => Promise<Run>;

/** The words of a call, and the options behind them. */
export function partsOf(call: (string | Options)[]): { words: string[]; options: Options } {
  const last = call.at(-1);
  if (typeof last !== 'object') return { words: call as string[], options: {} };
  return { words: call.slice(0, -1) as string[], options: last };
}

export interface Home {
  dir: string;
  env: Record<string, string>;
  docsctl: Docsctl;
}

/** A machine without settings: own folders, no token, no terminal, no CI. */
export async function makeHome(): Promise<Home> {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-test-'));
  const { DOCSCTL_TEST_PROGRAM } = process.env;
  const env: Record<string, string> = {
    ...(DOCSCTL_TEST_PROGRAM === undefined ? {} : { DOCSCTL_TEST_PROGRAM }),
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    HOME: dir,
    DOCSCTL_CONFIG_DIR: join(dir, 'config'),
    DOCSCTL_DATA_DIR: join(dir, 'data'),
    // Shared by all homes, or each would compile the program anew.
    DOCSCTL_CACHE_DIR: join(root, 'node_modules', '.cache', 'docsctl'),
    DOCSCTL_KEYRING: 'off',
    TZ: 'UTC',
  };
  return { dir, env, docsctl: (...call) => spawnIn({ dir, env }, ...call) };
}

/** Runs the binary in a process of its own. */
export async function spawnIn({ dir, env }: Pick<Home, 'dir' | 'env'>, ...call: Parameters<Docsctl>): Promise<Run> {
  const { words, options } = partsOf(call);
  const result = await execa(process.execPath, [bin, ...words], {
    cwd: dir,
    reject: false,
    extendEnv: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    ...options,
    env: { ...env, ...(options.env as Record<string, string> | undefined) },
  });
  const stdout = String(result.stdout ?? '');
  return {
    exitCode: result.exitCode ?? (result.signal ? 128 : 1),
    stdout,
    stderr: String(result.stderr ?? ''),
    get json() {
      return JSON.parse(stdout);
    },
  };
}

/** Removes the folder of a home. What was started in it may still be ending, so a folder that is filled anew is tried again. */
export const removeHome = ({ dir }: Pick<Home, 'dir'>): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

/** Gives a home a cache that nobody else reads or writes. @returns its folder */
export function useOwnCache(home: Home): string {
  return (home.env.DOCSCTL_CACHE_DIR = join(home.dir, 'cache'));
}

export interface Served {
  url: string;
  token: string;
  organization: string;
  user: string;
  /** Sends SIGTERM and waits. @returns the exit status */
  stop(): Promise<number>;
  /** Its exit status once it has ended; 128 and the number of the signal if a signal ended it. */
  exited: Promise<number>;
  log(): string;
  pid: number;
  database: string;
  profile?: string;
  hint?: string;
}

/** Starts `docsctl serve --port 0` and waits until it answers. */
export async function serve(home: Pick<Home, 'dir' | 'env'> & Partial<Home>, ...words: string[]): Promise<Served> {
  const unless = (flag: string, value: string) => (words.includes(flag) ? [] : [flag, value]);
  const defaults = [...unless('--port', '0'), ...unless('--db', join(home.dir, 'served.db'))];
  const child = execa(process.execPath, [bin, 'serve', '--json', ...defaults, ...words], {
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n')[0]!);
    });
    child.then((result) => reject(new Error(`serve ended with ${result.exitCode}: ${log}`)), reject);
  });
  const exited = child.then(({ exitCode, signal }) => exitCode ?? 128 + constants.signals[signal!]);
  return {
    ...JSON.parse(line),
    pid: child.pid!,
    exited,
    log: () => log,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

interface Fixtures {
  home: Home;
  /** On an embedded instance with the demo in it. */
  demo: Home & { org: string };
  docsctl: Docsctl;
  /** The same home against `docsctl serve` on an instance of its own. */
  served: Served & { docsctl: Docsctl };
}

export const test = base.extend<Fixtures>({
  home: async ({ onTestFinished }, use) => {
    const home = await makeHome();
    // Runs last, after the terminals and servers of the test are closed: these hooks run in reverse order.
    onTestFinished(() => removeHome(home));
    await use(home);
  },
  docsctl: async ({ home }, use) => {
    await initialize(home);
    await use(home.docsctl);
  },
  demo: async ({ home }, use) => {
    await use({ ...home, org: await initialize(home, 'demo') });
  },
  served: async ({ home }, use) => {
    const instance = await serve(home);
    const env = { DOCSCTL_URL: instance.url, DOCSCTL_TOKEN: instance.token };
    await use({
      ...instance,
      docsctl: (...call) => {
        const { words, options } = partsOf(call);
        return home.docsctl(...words, { ...options, env: { ...env, ...(options.env as Record<string, string>) } });
      },
    });
    await instance.stop();
  },
});

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Terminal } from '../../src/cli/output/index.ts';
import type { Streams } from '../../src/cli/program/io.ts';
import type { main as Main } from '../../src/main.ts';
import {
  type Docsctl,
  type Home,
  makeHome as makeHomeWithProcesses,
  partsOf,
  removeHome,
  root,
  type Run,
  test as base,
} from './cli.ts';

const pipe: Terminal = { terminal: false, color: false, width: Number.POSITIVE_INFINITY };

/**
 * Calls `run` with the environment and the working directory of a home. @returns what it wrote to its streams, and its
 * exit status
 */
export async function captureRun(
  home: Pick<Home, 'dir' | 'env'>,
  run: (streams: Streams) => Promise<number>,
  screen = pipe,
): Promise<Run> {
  const before = { env: process.env, dir: process.cwd() };
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const sink = (chunks: Buffer[]) => ({ write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text)) });
  process.env = { ...home.env };
  process.chdir(home.dir);
  try {
    const exitCode = await run({ out: sink(out), err: sink(err), screen });
    const stdout = Buffer.concat(out).toString();
    return {
      exitCode,
      stdout,
      stderr: Buffer.concat(err).toString(),
      get json() {
        return JSON.parse(stdout);
      },
    };
  } finally {
    process.env = before.env;
    process.chdir(before.dir);
  }
}

let running: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line of the built program in this process: all of it but its start and the streams of the system. A
 * process takes a tenth of a second, this a hundredth. Calls wait for each other, because the environment and the working
 * directory are those of the process.
 */
function runInProcess(home: Pick<Home, 'dir' | 'env'>, words: string[]): Promise<Run> {
  const run = running.then(() => {
    const { main } = createRequire(import.meta.url)(join(root, 'dist', 'main.cjs')) as { main: typeof Main };
    return captureRun(home, (streams) => main(words, streams));
  });
  running = run.catch(() => {});
  return run;
}

export interface InProcessHome extends Home {
  /** Runs the binary in a process of its own, where a test is about processes. */
  spawn: Docsctl;
}

/**
 * A home whose commands run in this process. Those with more options than `cwd` and `env` get a process of their own, such
 * as those that read standard input, and those with variables that Node.js reads when it starts.
 */
export async function makeHome(): Promise<InProcessHome> {
  const home = await makeHomeWithProcesses();
  const docsctl: Docsctl = (...call) => {
    const { words, options } = partsOf(call);
    const { cwd = home.dir, env = {}, ...others } = options;
    const isOfNode = Object.keys(env).some((name) => name.startsWith('NODE_'));
    const isOther = process.env.DOCSCTL_TEST_PROGRAM !== undefined;
    if (isOther || isOfNode || Object.keys(others).length > 0) return home.docsctl(...call);
    return runInProcess({ dir: String(cwd), env: { ...home.env, ...(env as Record<string, string>) } }, words);
  };
  return { ...home, docsctl, spawn: home.docsctl };
}

/** For `test.extend()`: the commands of the test run in this process. */
export const inProcess = {
  home: async ({ onTestFinished }: TestContext, use: (home: InProcessHome) => Promise<void>) => {
    const home = await makeHome();
    onTestFinished(() => removeHome(home));
    await use(home);
  },
};

export const test = base.extend<{ home: InProcessHome }>(inProcess);

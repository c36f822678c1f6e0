import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { runProgram } from '../../src/cli/program/main.ts';
import { entries } from '../../src/commands/index.ts';
import { openEmbedded } from '../../src/server/open-embedded.ts';

interface Run {
  status: number;
  json: any;
  stderr: string;
}

export interface CommandLine {
  (...words: string[]): Promise<Run>;
  /** How many requests the commands have sent so far. */
  requests(): number;
  /** So many further requests are answered; those after them fail. */
  answerOnly(count: number): void;
}

/** Runs commands in this process, all on one instance. */
export async function commandLine(dir: string): Promise<CommandLine> {
  vi.stubEnv('DOCSCTL_URL', 'embedded:unused');
  vi.stubEnv('DOCSCTL_CONFIG_DIR', join(dir, 'config'));
  const instance = await openEmbedded({ file: ':memory:' });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await instance.close();
  });
  let requests = 0;
  let last = Infinity;
  const send: typeof instance.send = (request) => {
    requests += 1;
    if (requests > last) throw new Error('The connection is gone.');
    return instance.send(request);
  };
  const run = async (...words: string[]): Promise<Run> => {
    let stdout = '';
    let stderr = '';
    const status = await runProgram([...words, '--json'], {
      entries,
      openEmbedded: async () => ({ send, close: async () => {} }),
      streams: {
        out: { write: (text: string) => void (stdout += text) },
        err: { write: (text: string) => void (stderr += text) },
        screen: { terminal: false, width: Infinity, color: false },
      } as never,
    });
    return { status, json: stdout === '' ? undefined : JSON.parse(stdout), stderr };
  };
  return Object.assign(run, {
    requests: () => requests,
    answerOnly: (count: number) => void (last = requests + count),
  });
}

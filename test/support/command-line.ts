import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { runProgram } from '../../src/cli/program/main.ts';
import { entries } from '../../src/commands/index.ts';
import { openEmbedded } from '../../src/server/open-embedded.ts';

export interface Run {
  status: number;
  json: any;
  stderr: string;
}

/** Runs commands in this process, all on one instance. */
export async function commandLine(dir: string): Promise<(...words: string[]) => Promise<Run>> {
  vi.stubEnv('DOCSCTL_URL', 'embedded:unused');
  vi.stubEnv('DOCSCTL_CONFIG_DIR', join(dir, 'config'));
  const instance = await openEmbedded({ file: ':memory:' });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await instance.close();
  });
  return async (...words) => {
    let stdout = '';
    let stderr = '';
    const status = await runProgram([...words, '--json'], {
      entries,
      openEmbedded: async () => ({ send: instance.send, close: async () => {} }),
      streams: {
        out: { write: (text: string) => void (stdout += text) },
        err: { write: (text: string) => void (stderr += text) },
        screen: { terminal: false, width: Infinity, color: false },
      } as never,
    });
    return { status, json: stdout === '' ? undefined : JSON.parse(stdout), stderr };
  };
}

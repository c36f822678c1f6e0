import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import Conf from 'conf';
import { lock } from 'proper-lockfile';

const staleMs = 10_000;

/** Runs `work` while no other command changes `file`. The lock of an owner that died is taken over. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const release = await lock(file, {
    realpath: false,
    stale: staleMs,
    retries: { retries: 200, factor: 1.1, minTimeout: 10, maxTimeout: 200, randomize: true },
  });
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Replaces a file of settings whole: written beside it with mode 0600, then renamed. */
export async function writeJson(file: string, value: object): Promise<void> {
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(file),
    configName: basename(file, '.json'),
    projectName: 'docsctl',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // What is there was read and judged before; it is replaced, not merged.
    clearInvalidConfig: true,
  });
  conf.store = value as Record<string, unknown>;
}

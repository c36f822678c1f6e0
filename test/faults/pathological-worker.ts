import { parentPort } from 'node:worker_threads';
import { casesOf } from './pathological-parsers.ts';

export interface Measured {
  name: string;
  ms: number;
  error?: string;
}

parentPort!.on('message', async (parser: string) => {
  for (const { name, prepare, run } of casesOf(parser)) {
    const input = prepare() as never;
    parentPort!.postMessage({ begins: name });
    const before = process.threadCpuUsage();
    let error: string | undefined;
    try {
      await run(input);
    } catch (thrown) {
      error = (thrown as Error).stack ?? String(thrown);
    }
    const { user, system } = process.threadCpuUsage(before);
    parentPort!.postMessage({ measured: { name, ms: (user + system) / 1000, error } satisfies Partial<Measured> });
  }
  parentPort!.postMessage({ done: true });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDocs } from './data.mjs';
import { parsePages } from './links.mjs';
import { startServer } from './load.mjs';
import { cpuOfProcess, peakMemory, timeCommand } from './measure.mjs';

const run = promisify(execFile);
const seconds = (value) => `${Number(value.toPrecision(3))} s`;

/** `content check` of 535 pages (8.8 MB): processor time, compared with parsing them once. */
export async function measureCheck({ docsctl, env, folder, row }) {
  const docs = join(folder, 'check');
  await makeDocs(docs, 535, 36);
  const check = [...docsctl, 'content', 'check', docs];
  const first = await timeCommand(check, env);
  const parsing = await timeCommand(parsePages(docs), env);
  row(21, '`content check` of 535 pages, beside parsing them once', first.cpu / parsing.cpu, 1.3, {
    detail: `CPU ${seconds(first.cpu)} and ${seconds(parsing.cpu)}`,
  });
  const again = await timeCommand(check, env);
  row(21, 'the same, unchanged, beside the first', again.cpu / first.cpu, 0.15, {
    detail: `CPU ${seconds(again.cpu)} and ${seconds(first.cpu)}`,
  });
}

/** `content check` of 4,375 pages (22 MB): peak memory. */
export async function measureLargeCheck({ docsctl, env, folder, row }) {
  const peak = await peakMemory([...docsctl, 'content', 'check', await largeDocs(folder)], env, folder);
  row(22, 'peak memory of `content check` of 4,375 pages', peak, 400, { unit: ' MB' });
}

/** `content push` of 4,375 pages (22 MB) over HTTP. */
export async function measureLargePush({ docsctl, env, folder, row }) {
  const docs = await largeDocs(folder);
  const serveArgs = ['serve', '--json', '--port', '0', '--db', join(folder, 'large-push.db'), '--log', 'off'];
  const server = await startServer([...docsctl, ...serveArgs], env);
  const { url, token } = JSON.parse(server.line);
  const over = { ...env, DOCSCTL_URL: url, DOCSCTL_TOKEN: token };
  try {
    const words = ['spaces', 'create', '--title', 'Docs', '-o', 'id'];
    const { stdout } = await run(docsctl[0], [...docsctl.slice(1), ...words], { env: over });
    const push = [...docsctl, 'content', 'push', docs, '--new', 'All', '--space', stdout.trim(), '--quiet'];
    for (const [what, budget] of [
      ['`content push` of 4,375 pages over HTTP, on the clock', 60],
      ['the same, unchanged', 3],
    ]) {
      const before = await cpuOfProcess(server.pid);
      const { wall, cpu } = await timeCommand(push, over);
      const served = (await cpuOfProcess(server.pid)) - before;
      row(23, what, wall, budget, { unit: ' s', detail: `CPU ${seconds(cpu)}, and ${seconds(served)} of the service` });
    }
  } finally {
    await server.end();
  }
}

async function largeDocs(folder) {
  const docs = join(folder, 'large');
  await makeDocs(docs, 4375, 10);
  return docs;
}

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDocs } from './data.mjs';
import { makeDescription } from './description.mjs';
import { startServer } from './load.mjs';
import { compareCommands, median, peakMemory, timeCommand } from './measure.mjs';

const run = promisify(execFile);
const seconds = (value) => `${Number(value.toPrecision(3))} s`;

/** Descriptions of 13 MB: checked beside Redocly's rules, and compared with a later version. */
export async function measureDescriptions({ docsctl, env, folder, row }) {
  const [old, later] = [join(folder, 'old.json'), join(folder, 'later.json')];
  await makeDescription(old);
  await makeDescription(later, { isChanged: true });
  const redocly = [process.execPath, fileURLToPath(new URL('redocly-lint.mjs', import.meta.url)), old];
  const validate = [...docsctl, 'openapi', 'validate', old];
  const diff = [...docsctl, 'openapi', 'diff', old, later, '--fail-on', 'none'];
  const { cpu, wall, a, b } = await compareCommands(validate, redocly, { env, count: 5 });
  row(17, '`openapi validate` of 13 MB, beside the rules of Redocly', wall, 0.8, {
    detail: `${seconds(a.wall)} and ${seconds(b.wall)}; CPU ${Number(cpu.toPrecision(3))}`,
  });
  const times = [];
  for (let n = 0; n < 3; n++) times.push((await timeCommand(diff, env)).wall);
  row(17, '`openapi diff` of two of 13 MB, on the clock', median(times), 1, { unit: ' s' });
  for (const [name, command] of [
    ['validate', validate],
    ['diff', diff],
  ])
    row(17, `peak memory of \`openapi ${name}\``, await peakMemory(command, env, folder), 300, { unit: ' MB' });
}

/** A PDF of 1,600 pages, while somebody else asks the same service for an object. */
export async function measurePdf({ docsctl, env, folder, row }) {
  const docs = join(folder, 'print');
  await makeDocs(docs, 1600);
  const port = 45_000 + (process.pid % 1000);
  const serve = ['serve', '--json', '--port', String(port), '--db', join(folder, 'print.db'), '--log', 'off'];
  const server = await startServer([...docsctl, ...serve], env);
  const { url, token } = JSON.parse(server.line);
  const over = { ...env, DOCSCTL_URL: url, DOCSCTL_TOKEN: token };
  const command = async (...words) =>
    (await run(docsctl[0], [...docsctl.slice(1), ...words], { env: { ...process.env, ...over } })).stdout.trim();
  try {
    const space = await command('spaces', 'create', '--title', 'Docs', '-o', 'id');
    await command('content', 'push', docs, '--new', 'All', '--space', space, '--quiet');
    row(18, 'peak memory of the service in a push of 1,600 pages', await takePeak(server.pid), undefined, {
      unit: ' MB',
    });
    const printing = timeCommand(
      [...docsctl, 'cr', 'pdf', '1', '--space', space, '--out', join(folder, 'all.pdf'), '--quiet'],
      over,
    );
    const times = await timesUntil(printing, new URL(`/v1/spaces/${space}`, url), token);
    const { wall } = await printing;
    row(18, 'a PDF of 1,600 pages, on the clock', wall, 9, { unit: ' s' });
    row(18, 'peak memory of the service', await takePeak(server.pid), 300, { unit: ' MB' });
    row(
      18,
      'other requests meanwhile, 99th percentile',
      times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)],
      100,
      {
        unit: ' ms',
        detail: `of ${times.length}`,
      },
    );
  } finally {
    await server.end();
  }
}

/** The most memory in MB that a process had since the last time this was asked. Only Linux tells. */
async function takePeak(pid) {
  const [, peak] = /^VmHWM:\s*(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(peak) / 1024;
}

/** Milliseconds of requests that are sent one after the other until something has ended. */
async function timesUntil(ended, url, token) {
  const times = [];
  let isOver = false;
  void ended.finally(() => (isOver = true));
  while (!isOver) {
    const start = performance.now();
    await new Promise((resolve, reject) => {
      get(url, { headers: { authorization: `Bearer ${token}` } }, (response) =>
        response.resume().on('end', resolve),
      ).on('error', reject);
    });
    times.push(performance.now() - start);
    await setTimeout(10);
  }
  return times;
}

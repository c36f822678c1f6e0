import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDocs } from './data.mjs';
import { peakMemory, timeCommand } from './measure.mjs';

const seconds = (value) => `${Number(value.toPrecision(3))} s`;

/** Links and replacements over 9,709 pages with 64 MB of Markdown, as a public customer has them. */
export async function measureLinks({ docsctl, env, folder, row, pages = 9709 }) {
  const docs = join(folder, 'links');
  await makeDocs(docs, pages, 14);
  const check = [...docsctl, 'links', 'check', docs, '--fail-on', 'none'];
  const cold = async (n) => ({ ...env, DOCSCTL_CACHE_DIR: join(folder, `links-cache-${n}`) });
  const own = await timeCommand(check, await cold(1));
  const other = await timeCommand(parsePages(docs), env);
  row(25, `cold \`links check\` of ${pages} pages, beside parsing them once`, own.cpu / other.cpu, 1.5, {
    detail: `CPU ${seconds(own.cpu)} and ${seconds(other.cpu)}`,
  });
  const again = await timeCommand(check, await cold(1));
  row(25, 'the same, unchanged, on the clock', again.wall, 3, { unit: ' s', detail: `CPU ${seconds(again.cpu)}` });
  row(25, 'peak memory of `links check`', await peakMemory(check, await cold(2), folder), 500, { unit: ' MB' });
  for (const [what, ...words] of [
    ['`replace` of a word in every page, preview', 'another', 'a further page'],
    ['`replace` of a word in every heading, preview', 'Part', 'Section'],
  ]) {
    const { cpu, wall } = await timeCommand([...docsctl, 'replace', ...words, docs, '--dry-run'], env);
    row(25, what, cpu, 30, { unit: ' s', detail: `CPU; ${seconds(wall)} on the clock` });
  }
}

/** The command that parses every page of a folder once. */
export const parsePages = (docs) => [process.execPath, fileURLToPath(import.meta.url), docs];

/** In a process of its own: parses every page once. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { fromMarkdown } = await import('mdast-util-from-markdown');
  const files = (await readdir(process.argv[2], { recursive: true })).filter((file) => file.endsWith('.md'));
  for (const file of files) fromMarkdown(await readFile(join(process.argv[2], file), 'utf8'));
}

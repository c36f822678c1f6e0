import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `docs/SUMMARY.md` with the pages of all commands; what else stands in it is kept. */
export async function summaryWith(commandPages: Iterable<string>): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'SUMMARY.md'), 'utf8');
  const names = [...commandPages].filter((name) => name !== 'README.md').toSorted();
  const entries = names.map((name) => `  - [docsctl ${name.replace('.md', '')}](commands/${name})\n`);
  const others = text.split('\n').filter((line) => !line.startsWith('  - [docsctl '));
  return others.join('\n').replace(/^- \[Commands\].*\n/m, (line) => line + entries.join(''));
}

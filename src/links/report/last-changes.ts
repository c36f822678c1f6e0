import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../shared/git.ts';

/** The last commit that changed a file. */
export interface LastChange {
  /** ISO 8601. */
  at: string;
  author: string;
  added: number;
  removed: number;
}

const maxCommits = 20_000;
const maxOutput = 256 * 2 ** 20;

/** The last change of each file of a folder, by its whole path. Empty without Git. */
export async function lastChanges(folder: string): Promise<ReadonlyMap<string, LastChange>> {
  const changes = new Map<string, LastChange>();
  const top = await git(['rev-parse', '--show-toplevel'], { cwd: folder });
  if (typeof top === 'string') return changes;
  const root = realpathSync(top.toString().replace(/\r?\n$/, ''));
  const words = [
    'log',
    '-n',
    String(maxCommits),
    '--format=%x01%cI%x09%an',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
  ];
  const output = await git([...words, '--', '.'], { cwd: folder, maxOutput });
  if (typeof output === 'string') return changes;
  for (const commit of output.toString().split('\u0001').slice(1)) {
    const [head = '', ...lines] = commit.split(/[\0\n]/);
    const [at = '', author = ''] = head.split('\t');
    for (const line of lines) {
      const [added, removed, ...path] = line.split('\t');
      const file = join(root, path.join('\t'));
      if (path.length === 0 || changes.has(file)) continue;
      changes.set(file, { at, author, added: Number(added) || 0, removed: Number(removed) || 0 });
    }
  }
  return changes;
}

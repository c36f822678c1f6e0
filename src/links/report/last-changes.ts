import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../shared/git.ts';

/** The last commit that changed the text of a file. */
export interface LastChange {
  /** ISO 8601. */
  at: string;
  author: string;
  added: number;
  removed: number;
  /** The numbers of all commits that changed its text, counted from the newest. */
  commits: number[];
  /** Whether older commits are missing, as in a shallow clone, so that the changes of this one are not known. */
  isOldest: boolean;
}

const maxCommits = 20_000;
const maxOutput = 256 * 2 ** 20;

/** The last change of each file of folders in one repository, by its whole path. Renames are followed. Empty without Git. */
export async function lastChanges([folder = '', ...others]: readonly string[]): Promise<
  ReadonlyMap<string, LastChange>
> {
  const changes = new Map<string, LastChange>();
  const top = await git(['rev-parse', '--show-toplevel'], { cwd: folder });
  if (typeof top === 'string') return changes;
  const root = realpathSync(top.toString().replace(/\r?\n$/, ''));
  const words = [
    'log',
    '-n',
    String(maxCommits),
    '--format=%x01%cI%x09%p%x09%an',
    '--numstat',
    '-z',
    '-M',
    '--topo-order',
    '--no-ext-diff',
  ];
  const output = await git([...words, '--', folder, ...others], { cwd: folder, maxOutput });
  if (typeof output === 'string') return changes;
  const shallow = await git(['rev-parse', '--is-shallow-repository'], { cwd: folder });
  const isShallow = typeof shallow !== 'string' && shallow.toString().startsWith('true');
  /** Names of files now, by the names that they had before. */
  const names = new Map<string, string>();
  for (const [number, commit] of output.toString().split('\u0001').slice(1).entries()) {
    const [head = '', ...lines] = commit.split(/[\0\n]/);
    const [at = '', parents = '', author = ''] = head.split('\t');
    const isOldest = isShallow && parents === '';
    for (const { added, removed, path, former } of changesIn(lines)) {
      const file = names.get(join(root, path)) ?? join(root, path);
      if (former !== undefined) names.set(join(root, former), file);
      // A file that is only renamed keeps its text.
      if (former !== undefined && added + removed === 0) continue;
      const known = changes.get(file);
      if (known) known.commits.push(number);
      else changes.set(file, { at, author, added, removed, commits: [number], isOldest });
    }
  }
  return changes;
}

interface Change {
  added: number;
  removed: number;
  path: string;
  /** The name before, if the file was renamed. */
  former?: string;
}

/** Reads `--numstat -z`: after the numbers, the name or, for a rename, nothing and then both names. */
function* changesIn(lines: readonly string[]): Generator<Change> {
  const rest = lines.values();
  for (const line of rest) {
    const [added, removed, ...path] = line.split('\t');
    if (path.length === 0) continue;
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0 };
    const name = path.join('\t');
    if (name !== '') yield { ...counts, path: name };
    else yield { ...counts, former: rest.next().value ?? '', path: rest.next().value ?? '' };
  }
}

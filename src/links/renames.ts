import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { git } from '../shared/git.ts';

/** Commits that are searched for renames. */
const maxCommits = 5_000;
const maxOutput = 64 * 2 ** 20;

/** Where files were renamed or moved to, according to Git. It asks Git once for each repository, and only if needed. */
export class Renames {
  readonly #byRoot = new Map<string, Promise<Targets>>();
  readonly #roots = new Map<string, Promise<string | undefined>>();

  /** The file that a missing one has become; undefined if it was deleted or never existed. @param file a whole path */
  async follow(file: string): Promise<string | undefined> {
    const root = await this.#rootOf(file);
    if (root === undefined) return undefined;
    const targets = await this.#renamesOf(root);
    const visited = new Set([file]);
    let current = targets.get(file);
    while (current !== undefined && !visited.has(current) && !existsSync(current)) {
      visited.add(current);
      current = targets.get(current);
    }
    return current !== undefined && existsSync(current) ? current : undefined;
  }

  /** Files below a folder that are missing now and have become another one. */
  async below(folder: string): Promise<[from: string, to: string][]> {
    const root = await this.#rootOf(join(folder, '-'));
    if (root === undefined) return [];
    const former = [...(await this.#renamesOf(root)).keys()].filter((file) => file.startsWith(folder + sep));
    const pairs = await Promise.all(former.map(async (file) => [file, await this.follow(file)] as const));
    return pairs.flatMap(([from, to]) => (to === undefined || existsSync(from) ? [] : [[from, to]]));
  }

  /** A value that changes with the history and the index of the repositories of these folders. */
  async keyOf(folders: readonly string[]): Promise<string> {
    const roots = new Set(await Promise.all(folders.map((folder) => this.#rootOf(join(folder, '-')))));
    const outputs = [...roots].map(async (cwd) => {
      if (cwd === undefined) return '';
      const [head, index] = await Promise.all([
        git(['rev-parse', 'HEAD'], { cwd }),
        git(['diff', '--cached', '--raw', '-z', '--no-ext-diff', '--no-renames', 'HEAD'], { cwd, maxOutput }),
      ]);
      return `${head.toString()} ${hash('sha256', index)}`;
    });
    return JSON.stringify([...roots, ...(await Promise.all(outputs))]);
  }

  #renamesOf(root: string): Promise<Targets> {
    const renames = this.#byRoot.get(root) ?? renamesIn(root);
    this.#byRoot.set(root, renames);
    return renames;
  }

  #rootOf(file: string): Promise<string | undefined> {
    let folder = dirname(file);
    while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
    const root = this.#roots.get(folder) ?? rootAt(folder);
    this.#roots.set(folder, root);
    return root;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function rootAt(cwd: string): Promise<string | undefined> {
  const output = await git(['rev-parse', '--show-toplevel'], { cwd });
  return typeof output === 'string' ? undefined : output.toString().replace(/\r?\n$/, '');
}

/** What files became, by their former paths; undefined if they were deleted. */
type Targets = ReadonlyMap<string, string | undefined>;

/** The newest rename or deletion of each path, in commits and in the working tree. */
async function renamesIn(root: string): Promise<Targets> {
  const form = ['-z', '-M', '--name-status', '--diff-filter=RD', '--no-ext-diff'];
  const outputs = await Promise.all([
    git(['diff', ...form, 'HEAD'], { cwd: root, maxOutput }),
    git(['log', '--format=', '-n', String(maxCommits), ...form], { cwd: root, maxOutput }),
  ]);
  const targets = new Map<string, string | undefined>();
  for (const output of outputs) {
    if (typeof output === 'string') continue;
    const parts = output.toString().split('\0').values();
    for (const status of parts) {
      if (status === '') continue;
      const from = join(root, parts.next().value ?? '');
      const to = status.startsWith('R') ? join(root, parts.next().value ?? '') : undefined;
      if (!targets.has(from)) targets.set(from, to);
    }
  }
  return targets;
}

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { git } from '../shared/git.ts';
import { projectRoot } from '../shared/project-root.ts';

export interface Commit {
  id: string;
  parents: string[];
  /** Seconds since 1970. */
  committedAt: number;
}

/** The Git checkout that contains a folder. */
export class Checkout {
  readonly head: Commit;
  /** Undefined if HEAD is detached. */
  readonly branch: string | undefined;
  readonly isShallow: boolean;
  /** The folder, relative to the root of the repository; "" for the root. */
  readonly path: string;
  readonly #root: string;
  readonly #blobs = new Map<string, Promise<Map<string, string>>>();

  constructor(root: string, state: Pick<Checkout, 'head' | 'branch' | 'isShallow' | 'path'>) {
    this.#root = root;
    this.head = state.head;
    this.branch = state.branch;
    this.isShallow = state.isShallow;
    this.path = state.path;
  }

  /** Whether the clone has the commit. */
  async has(commit: string): Promise<boolean> {
    return isCommitId(commit) && (await this.#git('cat-file', '-e', `${commit}^{commit}`)) !== undefined;
  }

  /** Whether a commit is the same as another one, or an ancestor of it, as far as the clone has their history. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    if (commit === of) return true;
    return (await this.#git('merge-base', '--is-ancestor', commit, of)) !== undefined;
  }

  /** Files of the folder that were renamed between a commit and HEAD: the former path by the new one. */
  async renamesSince(commit: string): Promise<Map<string, string>> {
    if (!(await this.has(commit))) return new Map();
    const options = ['--no-commit-id', '-r', '-z', '-M', '--diff-filter=R', '--name-status', '--relative'];
    const args = ['diff-tree', ...options, commit, this.head.id];
    const output = await git(args, { cwd: join(this.#root, this.path) });
    const parts = typeof output === 'string' ? [] : output.toString().split('\0');
    const renames = new Map<string, string>();
    for (let index = 0; index + 2 < parts.length; index += 3) renames.set(parts[index + 2]!, parts[index + 1]!);
    return renames;
  }

  /** Whether so many commits after this one changed the folder; true if the clone lacks the history to know. */
  async wasTouchedSince(commit: string, count: number): Promise<boolean> {
    const args = ['rev-list', `--max-count=${count}`, `${commit}..${this.head.id}`, '--', '.'];
    const output = isCommitId(commit) ? textOf(await git(args, { cwd: join(this.#root, this.path) })) : undefined;
    return output === undefined || output.split('\n').filter(Boolean).length >= count;
  }

  /** The commits of HEAD that another commit does not have. */
  async commitsSince(commit: string): Promise<Set<string>> {
    const output = isCommitId(commit) ? await this.#git('rev-list', `${commit}..${this.head.id}`) : undefined;
    return new Set(output?.split('\n').filter(Boolean));
  }

  /** The commits since this one that changed a file of the folder. */
  async commitsOf(path: string, since: string): Promise<Pick<Commit, 'id' | 'parents'>[]> {
    const args = [
      'log',
      '--format=%H %P',
      `${since}..${this.head.id}`,
      '--',
      `:(top,literal)${posix.join(this.path, path)}`,
    ];
    const output = isCommitId(since) ? await this.#git(...args) : undefined;
    return (output?.split('\n') ?? []).filter(Boolean).map((line) => {
      const [id = '', ...parents] = line.split(' ').filter(Boolean);
      return { id, parents };
    });
  }

  /**
   * The commits that HEAD was moved to in this clone since it was at another one, oldest first, and whether they were made by
   * this. Undefined if the clone does not know.
   */
  async movesSince(commit: string): Promise<{ to: string; isCommit: boolean }[] | undefined> {
    const output = await this.#git('log', '--walk-reflogs', '--format=%H %gs', 'HEAD', '--');
    const entries = output?.split('\n').filter(Boolean) ?? [];
    const last = entries.findIndex((entry) => entry.startsWith(commit));
    if (last < 0) return undefined;
    return entries
      .slice(0, last)
      .map((entry) => ({ to: entry.split(' ', 1)[0] ?? '', isCommit: /^\w+ commit(?: \(amend\))?: /.test(entry) }))
      .toReversed();
  }

  /** The IDs of the files of the folder in a commit, by path. Empty if the clone does not have it. */
  blobsAt(commit: string): Promise<Map<string, string>> {
    const blobs = this.#blobs.get(commit) ?? this.#readBlobs(commit);
    this.#blobs.set(commit, blobs);
    return blobs;
  }

  async #readBlobs(commit: string): Promise<Map<string, string>> {
    const tree = this.path === '' ? commit : `${commit}:${this.path}`;
    const output = isCommitId(commit) ? await this.#git('ls-tree', '-r', '-z', tree) : undefined;
    const entries = output?.split('\0') ?? [];
    return new Map(
      entries.flatMap((entry): [string, string][] => {
        const [mode, file] = entry.split('\t');
        const [, type, id] = mode?.split(' ') ?? [];
        return type === 'blob' && id !== undefined && file !== undefined ? [[file, id]] : [];
      }),
    );
  }

  /** The ID of a file of the folder in a commit; undefined if the commit does not have it. */
  async blobAt(commit: string, path: string): Promise<string | undefined> {
    const object = `${commit}:${posix.join(this.path, path)}`;
    return isCommitId(commit) ? (await this.#git('rev-parse', '--verify', '--quiet', object))?.trim() : undefined;
  }

  /** The IDs of all files of the folder that commits since this one wrote, and the paths of those that they deleted. */
  async changesSince(commit: string): Promise<{ written: Set<string>; deleted: Set<string> }> {
    const options = ['--format=', '--raw', '--no-abbrev', '--no-renames', '--relative', '-m', '-z'];
    const args = ['log', ...options, `${commit}..${this.head.id}`, '--', '.'];
    const output = isCommitId(commit) ? textOf(await git(args, { cwd: join(this.#root, this.path) })) : undefined;
    const [written, deleted] = [new Set<string>(), new Set<string>()];
    for (const [, id = '', status, path = ''] of (output ?? '').matchAll(/:\d+ \d+ \w+ (\w+) (\w)\0([^\0]*)/g)) {
      if (status === 'D') deleted.add(path);
      else written.add(id);
    }
    return { written, deleted };
  }

  /** The text of a file in the repository. @param blob its ID */
  text = (blob: string): Promise<string | undefined> => this.#git('cat-file', 'blob', blob);

  /**
   * Files of the folder that are not as in HEAD. Empty if HEAD has no file of the folder, so that no other clone has one.
   *
   * @throws EngineError if git cannot tell
   */
  async uncommitted(): Promise<Set<string>> {
    const inHead = await this.#filesFrom('ls-tree', '-r', '--name-only', '-z', 'HEAD');
    if (inHead.length === 0) return new Set();
    const lists = await Promise.all([
      this.#filesFrom('diff', '--name-only', '--no-renames', '--relative', '-z', 'HEAD', '--', '.'),
      this.#filesFrom('ls-files', '--others', '--exclude-standard', '-z', '--', '.'),
    ]);
    return new Set(lists.flat());
  }

  /** The paths that a command of git prints in the folder. */
  async #filesFrom(...args: string[]): Promise<string[]> {
    const output = await git(args, { cwd: join(this.#root, this.path) });
    if (typeof output !== 'string')
      return output
        .toString()
        .split('\0')
        .filter((file) => file !== '');
    throw new EngineError(
      'failed',
      `docsctl cannot tell which files are not committed, because "git ${args[0]}" failed: ${output}. Nothing was sent.`,
      { hint: 'Repair the Git checkout, or use a new clone.' },
    );
  }

  /** Whether a file of the folder does not exist. */
  isMissing(path: string): boolean {
    return !existsSync(join(this.#root, this.path, path));
  }

  /** The address of the remote that is usually fetched from, without credentials. */
  async remote(): Promise<string | undefined> {
    const address = (await this.#git('config', '--get', 'remote.origin.url'))?.trim();
    return address === undefined || address === '' ? undefined : withoutCredentials(address);
  }

  async #git(...args: string[]): Promise<string | undefined> {
    return textOf(await git(args, { cwd: this.#root }));
  }
}

/**
 * The checkout that a folder is in; undefined outside of Git, without git, and before the first commit.
 *
 * @param branch used if HEAD is detached, as on a build server
 */
export async function readCheckout(folder: string, branch?: string): Promise<Checkout | undefined> {
  const root = projectRoot(folder);
  if (!existsSync(join(root, '.git')) || !existsSync(folder)) return undefined;
  const [shallow, id, ref] =
    textOf(await git(['rev-parse', '--is-shallow-repository', 'HEAD', '--abbrev-ref', 'HEAD'], { cwd: root }))?.split(
      '\n',
    ) ?? [];
  if (id === undefined || !isCommitId(id)) return undefined;
  // In a shallow clone, the object of a commit has parents that its history does not have.
  const [header = ''] = textOf(await git(['cat-file', 'commit', id], { cwd: root }))?.split('\n\n', 1) ?? [];
  const committedAt = Number(/^committer .* (\d+) [+-]\d{4}$/m.exec(header)?.[1] ?? 0);
  const parents = [...header.matchAll(/^parent (\w+)$/gm)].map(([, parent = '']) => parent);
  return new Checkout(root, {
    head: { id, parents, committedAt },
    branch: ref === undefined || ref === 'HEAD' || ref === '' ? branch : ref,
    isShallow: shallow === 'true',
    path: relative(root, realpathSync(folder)).split(sep).join('/'),
  });
}

const textOf = (output: Buffer | string) => (typeof output === 'string' ? undefined : output.toString());

const isCommitId = (text: string) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);

/** The ID that Git gives a file with these bytes. @param length of the IDs of the repository */
export function blobId(bytes: Uint8Array, length = 40): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function withoutCredentials(address: string): string | undefined {
  try {
    const url = new URL(address);
    if (url.protocol === 'file:') return undefined;
    url.username = '';
    url.password = '';
    url.search = '';
    return url.href;
  } catch {
    // "git@host:path" has a user, but no password.
    return /^[\w.-]+@[^:]+:/.test(address) ? address : undefined;
  }
}

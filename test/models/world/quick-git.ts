import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Repository } from 'es-git';

/** What a command of git ends with. */
export interface Answer {
  code: number;
  output: Buffer;
}

type Command = (repository: Repository, args: string[], env: Record<string, string>) => Answer | undefined;

const printed = (text: string | Buffer): Answer => ({ code: 0, output: Buffer.from(text) });
const nothing = (code = 0): Answer => ({ code, output: Buffer.alloc(0) });

/**
 * Answers what a sequence asks most often with libgit2: to start a process takes longer than everything else that a command does.
 * Whatever it does not know exactly, git answers.
 */
export class QuickGit {
  readonly #repositories = new Map<string, Promise<Repository | undefined>>();

  async answer(words: readonly string[], cwd: string, env: Record<string, string>): Promise<Answer | undefined> {
    const [name = '', ...args] = words.filter((word, index) => word !== '-c' && words[index - 1] !== '-c');
    const command = commands[name];
    if (!command) {
      // It can replace a repository.
      this.forget();
      return undefined;
    }
    const repository = await this.#open(cwd);
    try {
      return repository && command(repository, args, env);
    } catch {
      return undefined;
    }
  }

  /** For repositories that are replaced. */
  forget(): void {
    this.#repositories.clear();
  }

  #open(cwd: string): Promise<Repository | undefined> {
    const known = this.#repositories.get(cwd) ?? openRepository(cwd);
    this.#repositories.set(cwd, known);
    return known;
  }
}

/** Undefined outside of Git, and where libgit2 does not run: then git answers everything. */
async function openRepository(folder: string): Promise<Repository | undefined> {
  try {
    const { openRepository: open } = await import('es-git');
    return await open(folder);
  } catch {
    return undefined;
  }
}

const commands: Record<string, Command> = {
  'rev-parse': (repository, args) => {
    if (args.join(' ') === '--is-shallow-repository HEAD --abbrev-ref HEAD')
      return printed(`${repository.isShallow()}\n${repository.revparseSingle('HEAD')}\n${branchOf(repository)}\n`);
    const names = args.filter((arg) => arg !== '--verify' && arg !== '--quiet');
    return names.length === 1 && !names[0]!.startsWith('--')
      ? printed(`${repository.revparseSingle(names[0]!)}\n`)
      : undefined;
  },
  'cat-file': (repository, [type, name = '']) => {
    if (type === '-e') return repository.revparseSingle(name) ? nothing() : undefined;
    const id = repository.revparseSingle(name);
    if (type === 'blob') return printed(Buffer.from(repository.getObject(id).peelToBlob().content()));
    const object = type === 'commit' ? looseObject(repository.path(), id) : undefined;
    return object && printed(object.subarray(object.indexOf(0) + 1));
  },
  'merge-base': (repository, [flag, one = '', other = '']) => {
    if (flag !== '--is-ancestor' || repository.isShallow()) return undefined;
    const [ancestor, commit] = [repository.revparseSingle(one), repository.revparseSingle(other)];
    return nothing(repository.getMergeBase(ancestor, commit) === ancestor ? 0 : 1);
  },
  'ls-tree': (repository, args) => {
    if (args.length !== 3 || args[0] !== '-r' || args[1] !== '-z') return undefined;
    const files = filesOf(repository, repository.revparseSingle(args[2]!));
    return printed([...files].map(([path, { mode, id }]) => `${mode} blob ${id}\t${path}\0`).join(''));
  },
  'diff-tree': (repository, args) => {
    if (!args.includes('--diff-filter=R')) return undefined;
    const [before, after] = args
      .filter((arg) => !arg.startsWith('-'))
      .map((commit) => filesOf(repository, repository.getCommit(repository.revparseSingle(commit)).treeId()));
    if (!before || !after) return undefined;
    const isRenamed =
      [...before.keys()].some((path) => !after.has(path)) && [...after.keys()].some((path) => !before.has(path));
    return isRenamed ? undefined : nothing();
  },
  'ls-files': (repository, args) => {
    const index = repository.index();
    index.read(true);
    if (args.join(' ') === '--unmerged -z -- .') return index.hasConflicts() ? undefined : nothing();
    if (args.join(' ') !== '-z -- docs') return undefined;
    const paths = [...index.entries()].map(({ path }) => path.toString()).filter((path) => path.startsWith('docs/'));
    return printed(paths.map((path) => `${path}\0`).join(''));
  },
  config: (repository, [flag, name = '']) => {
    if (flag !== '--get') return undefined;
    const value = repository.config().findString(name);
    return value === null ? nothing(1) : printed(`${value}\n`);
  },
  add: (repository, args) => {
    const [all, folder = '', ...others] = args;
    if (all !== '--all' || others.length > 0) return undefined;
    const paths = folder === '.' ? ['*'] : [folder];
    const index = repository.index();
    index.read(true);
    if (index.hasConflicts()) return undefined;
    index.addAll(paths);
    index.updateAll(paths);
    index.write();
    return nothing();
  },
  commit: (repository, args, env) => {
    const [quiet, flag, message] = args;
    if (quiet !== '--quiet' || flag !== '--message' || repository.state() !== 'Clean') return undefined;
    const index = repository.index();
    index.read(true);
    const tree = repository.getTree(index.writeTree());
    const head = repository.revparseSingle('HEAD');
    if (tree.id() === repository.getCommit(head).treeId()) return nothing(1);
    const author = {
      name: 'Ann',
      email: 'ann@example.org',
      timeOptions: { timestamp: parseInt(env.GIT_AUTHOR_DATE ?? '', 10) },
    };
    repository.commit(tree, `${message}\n`, { updateRef: 'HEAD', author, committer: author, parents: [head] });
    return nothing();
  },
  stash: (repository, [action]) => {
    if (action === 'pop' || action === 'drop')
      return existsSync(join(repository.path(), 'refs/stash')) ? undefined : nothing(1);
    return isClean(repository) ? nothing() : undefined;
  },
  merge: (repository, args, env) => {
    if (args.at(-1) !== 'origin/main' || !isClean(repository)) return undefined;
    const [head, other] = [repository.revparseSingle('HEAD'), repository.revparseSingle('origin/main')];
    const base = repository.getMergeBase(head, other);
    if (base === head && base !== other) moveHead(repository, other, 'merge origin/main: Fast-forward', env);
    return base === other || base === head ? nothing() : undefined;
  },
  reset: (repository, args, env) => {
    if (args.join(' ') === '--hard --quiet') return isClean(repository) ? nothing() : undefined;
    if (args.join(' ') !== '--hard --quiet origin/main' || repository.state() !== 'Clean') return undefined;
    moveHead(repository, repository.revparseSingle('origin/main'), 'reset: moving to origin/main', env);
    return nothing();
  },
  checkout: (repository, args) => {
    if (args[0] !== '--quiet' || args[1] !== '--detach' || args.length !== 3) return undefined;
    const commit = repository.getCommit(repository.revparseSingle(args[2]!));
    repository.checkoutTree(commit.asObject(), { force: true });
    repository.setHeadDetached(commit);
    return nothing();
  },
  show: (repository, args) => {
    if (args.join(' ') !== '--name-only --format= HEAD') return undefined;
    const head = repository.revparseSingle('HEAD');
    const parents = parentsOf(repository, head);
    const [after, before] = [head, ...(parents ?? [])].map((id) =>
      filesOf(repository, repository.getCommit(id).treeId()),
    );
    if (!after || !before || parents?.length !== 1) return undefined;
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path)?.id !== after.get(path)?.id,
    );
    return printed(
      paths
        .toSorted()
        .map((path) => `${path}\n`)
        .join(''),
    );
  },
  log: (repository, args) => {
    const ids = args.length === 2 && args[0] === '--format=%s' ? commitsIn(repository, args[1]!) : undefined;
    return ids && printed(ids.map((id) => `${repository.getCommit(id).summary()}\n`).join(''));
  },
  'rev-list': (repository, args) => {
    if (args.length === 1) return printed((commitsIn(repository, args[0]!) ?? []).map((id) => `${id}\n`).join(''));
    const [limit = '', range = '', ...folder] = args;
    const most = Number(/^--max-count=(\d+)$/.exec(limit)?.[1]);
    if (!most || folder.join(' ') !== '-- .') return undefined;
    // With merges, git follows only the side that has the same files.
    const commits = commitsIn(repository, range)?.map((id) => ({ id, parents: parentsOf(repository, id) }));
    if (!commits?.every(({ parents }) => parents?.length === 1)) return undefined;
    const docsOf = (id: string) => repository.getTree(repository.getCommit(id).treeId()).getName('docs')?.id();
    const touched = commits.filter(({ id, parents }) => docsOf(id) !== docsOf(parents![0]!));
    return printed(
      touched
        .slice(0, most)
        .map(({ id }) => `${id}\n`)
        .join(''),
    );
  },
};

/** The commits of a range, the newest first. Undefined if the clone does not have all of them. */
function commitsIn(repository: Repository, range: string): string[] | undefined {
  if (repository.isShallow()) return undefined;
  const [from = '', to = ''] = range.split('..').map((name) => repository.revparseSingle(name));
  const walk = repository.revwalk().push(to).hide(from);
  return [...iterate(() => walk.next())];
}

function* iterate<T>(next: () => T | null): Generator<T> {
  for (let value = next(); value !== null; value = next()) yield value;
}

const parentsOf = (repository: Repository, id: string) => {
  const [header] = looseObject(repository.path(), id)?.toString().split('\n\n', 1) ?? [];
  return header && [...header.matchAll(/^parent (\w+)$/gm)].map(([, parent = '']) => parent);
};

/** Gives the files of another commit to the branch, the index and the folder; what is not tracked stays. */
function moveHead(repository: Repository, to: string, reason: string, env: Record<string, string>): void {
  const from = repository.revparseSingle('HEAD');
  repository.checkoutTree(repository.getCommit(to).asObject(), { force: true });
  writeFileSync(join(repository.path(), 'refs/heads/main'), `${to}\n`);
  for (const log of ['logs/HEAD', 'logs/refs/heads/main'])
    appendFileSync(
      join(repository.path(), log),
      `${from} ${to} Ann <ann@example.org> ${env.GIT_AUTHOR_DATE}\t${reason}\n`,
    );
}

const isClean = (repository: Repository) => {
  repository.index().read(true);
  return repository.state() === 'Clean' && repository.statuses().isEmpty();
};

const branchOf = (repository: Repository) => (repository.headDetached() ? 'HEAD' : repository.head().shorthand());

/** The files of a tree by path. */
function filesOf(repository: Repository, tree: string, folder = ''): Map<string, { mode: string; id: string }> {
  return new Map(
    [...repository.getTree(tree).iter()].flatMap((entry) => {
      const path = `${folder}${entry.name()}`;
      if (entry.type() === 'Tree') return [...filesOf(repository, entry.id(), `${path}/`)];
      return [[path, { mode: entry.filemode().toString(8), id: entry.id() }] as const];
    }),
  );
}

function looseObject(folder: string, id: string): Buffer | undefined {
  const alternates = join(folder, 'objects/info/alternates');
  const folders = [
    join(folder, 'objects'),
    ...(existsSync(alternates) ? [resolve(folder, 'objects', readFileSync(alternates, 'utf8').trim())] : []),
  ];
  const file = folders.map((each) => join(each, id.slice(0, 2), id.slice(2))).find(existsSync);
  return file === undefined ? undefined : inflateSync(readFileSync(file));
}

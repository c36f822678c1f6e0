import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Docsctl, partsOf, type Run } from './cli.ts';
import { type Docs, test as base, writeIn } from './docs.ts';

/** A clone of the repository, whose pages are in "docs". */
export interface Clone {
  dir: string;
  git(...words: string[]): string;
  /** Writes files below "docs", or deletes them, and commits everything but the state. @returns the abbreviated ID of the commit */
  commit(files: Record<string, string | Uint8Array | null>): Promise<string>;
  /** Renames a file below "docs", without a commit. */
  rename(from: string, to: string): Promise<void>;
  /** Reads a file below "docs". */
  read(file: string): Promise<string>;
  docsctl: Docsctl;
  /** `content push docs --merge --json` */
  push(...flags: string[]): Promise<Run>;
  /** `content pull docs --json` */
  pull(...flags: string[]): Promise<Run>;
}

/** A space, and a Git repository with several clones. */
export interface Repository extends Omit<Docs, 'docsctl' | 'spawn' | 'write' | 'dir'> {
  docs: Docs;
  /** Clones the repository. @param words for `git clone` */
  clone(name: string, ...words: string[]): Clone;
  /** Copies one commit, as a CI job does. */
  job(name: string, commit: string, ...words: string[]): Clone;
}

export const test = base.extend<{ repository: Repository }>({
  repository: async ({ docs }, use) => use(repositoryIn(docs)),
});

/** The first commit is of this day; each one is a day later than the one before. */
const firstDay = Date.UTC(2026, 10, 1, 12) / 1000;

function repositoryIn(docs: Docs): Repository {
  let commits = 0;
  const run = (dir: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...words], {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ann',
        GIT_AUTHOR_EMAIL: 'ann@example.com',
        GIT_COMMITTER_NAME: 'Ann',
        GIT_COMMITTER_EMAIL: 'ann@example.com',
        GIT_AUTHOR_DATE: `${firstDay + commits * 86_400} +0000`,
        GIT_COMMITTER_DATE: `${firstDay + commits * 86_400} +0000`,
      },
    }).trim();
  run(docs.dir, 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  const cloneIn = (dir: string): Clone => {
    const git = (...words: string[]) => run(dir, ...words);
    const docsctl: Docsctl = (...call) => {
      const { words, options } = partsOf(call);
      return docs.docsctl(...words, { ...options, cwd: dir });
    };
    return {
      dir,
      git,
      docsctl,
      async commit(files) {
        for (const [path, bytes] of Object.entries(files)) {
          if (bytes === null) await rm(join(dir, 'docs', path));
          else await writeIn(join(dir, 'docs'), { [path]: bytes });
        }
        git('add', '--all', '--', 'docs', ':!docs/.docsctl');
        git('commit', '--quiet', '--allow-empty', '--message', 'Change');
        commits += 1;
        return git('rev-parse', '--short=7', 'HEAD');
      },
      async rename(from, to) {
        mkdirSync(dirname(join(dir, 'docs', to)), { recursive: true });
        await rename(join(dir, 'docs', from), join(dir, 'docs', to));
      },
      read: (file) => readFile(join(dir, 'docs', file), 'utf8'),
      push: (...flags) => docsctl('content', 'push', 'docs', '--merge', '--json', ...flags),
      pull: (...flags) => docsctl('content', 'pull', 'docs', '--json', ...flags),
    };
  };
  const { space, inApp, pages, pageId, texts } = docs;
  return {
    docs,
    space,
    inApp,
    pages,
    pageId,
    texts,
    clone(name, ...words) {
      run(docs.dir, 'clone', '--quiet', ...words, `file://${join(docs.dir, 'origin.git')}`, name);
      return cloneIn(join(docs.dir, name));
    },
    job(name, commit, ...words) {
      run(docs.dir, 'init', '--quiet', '--initial-branch=main', name);
      const dir = join(docs.dir, name);
      run(dir, 'remote', 'add', 'origin', `file://${join(docs.dir, 'origin.git')}`);
      run(dir, 'fetch', '--quiet', ...words, 'origin', commit);
      run(dir, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
      return cloneIn(dir);
    },
  };
}

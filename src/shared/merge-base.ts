import { EngineError } from './engine-error.ts';
import { git } from './git.ts';

/** The commit that the changes of a branch start from. */
export interface MergeBase {
  /** As the user named it, for messages. */
  name: string;
  commit: string;
  /** The root of the working tree. */
  root: string;
}

/** The branch into which a build server would merge. */
export function targetBranchIn(env: Record<string, string | undefined>): string | undefined {
  const branch = env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME;
  return branch ? `origin/${branch}` : undefined;
}

/** Commits to fetch at first, and if they are not enough. In the end, all are fetched. */
const depths = ['--deepen=50', '--deepen=1000', '--unshallow'];

/**
 * The last commit that HEAD has in common with another branch. In a shallow clone, its history is fetched.
 *
 * @param mayFetch otherwise the error has the command
 * @throws EngineError outside of a repository, and if the history is missing
 */
export async function findMergeBase(name: string, mayFetch: boolean): Promise<MergeBase> {
  if (name.startsWith('-')) throw new EngineError('usage', `--base: "${name}" is not a branch, tag or commit.`);
  const root = await output(['rev-parse', '--show-toplevel']);
  if (root === undefined) throw new EngineError('usage', 'The working directory is not in a Git repository.');
  const found = await commonCommit(name);
  if (found !== undefined) return { name, commit: found, root };
  const fetch = await fetchOf(name);
  const [first = []] = fetch.commands;
  const command = `git ${(fetch.commands.at(-1) ?? first).join(' ')}`;
  let reason: string | undefined;
  for (const words of mayFetch ? fetch.commands : []) {
    const result = await git(words, { cwd: root });
    reason = typeof result === 'string' ? result : undefined;
    const commit = (await commonCommit(name)) ?? (await commonCommit(fetch.ref));
    if (commit !== undefined) return { name, commit, root };
  }
  const cause = reason === undefined ? '' : ` Fetching it failed: ${reason}.`;
  throw new EngineError('usage', `The history does not reach a common commit of HEAD and ${name}.${cause}`, {
    hint: `Run "${command}", or check that ${name} exists.`,
  });
}

/** The commands that fetch a branch with its history, from the shortest history to all of it. */
async function fetchOf(name: string): Promise<{ ref: string; commands: string[][] }> {
  const remotes = ((await output(['remote'])) ?? '').split('\n').filter(Boolean);
  const named = remotes.find((remote) => name.startsWith(`${remote}/`));
  const remote = named ?? (remotes.includes('origin') ? 'origin' : (remotes[0] ?? 'origin'));
  const branch = named === undefined ? name.replace(/^refs\/heads\//, '') : name.slice(named.length + 1);
  const ref = `refs/remotes/${remote}/${branch}`;
  const isShallow = (await output(['rev-parse', '--is-shallow-repository'])) === 'true';
  const head = await output(['rev-parse', 'HEAD']);
  const target = [remote, `+refs/heads/${branch}:${ref}`, ...(isShallow && head !== undefined ? [head] : [])];
  const commands = (isShallow ? depths : []).map((depth) => ['fetch', '--quiet', '--no-tags', depth, ...target]);
  return { ref, commands: isShallow ? commands : [['fetch', '--quiet', '--no-tags', ...target]] };
}

const commonCommit = (name: string): Promise<string | undefined> => output(['merge-base', name, 'HEAD']);

/** The output of git; undefined if it fails. */
async function output(words: string[]): Promise<string | undefined> {
  const result = await git(words);
  return typeof result === 'string' ? undefined : result.toString('utf8').trim();
}

/** What differs between a commit and the working tree. Paths are those in the repository. */
export interface ChangedFiles {
  all: ReadonlySet<string>;
  added: ReadonlySet<string>;
  removed: readonly string[];
  /** The new path of each renamed file, with its old one. */
  renamed: ReadonlyMap<string, string>;
}

/** @throws EngineError if git fails */
export async function changedFiles({ commit, root }: MergeBase): Promise<ChangedFiles> {
  const words = await list(['diff', '--name-status', '-z', '-M70%', commit, '--'], root);
  const untracked = await list(['ls-files', '--others', '--exclude-standard', '-z'], root);
  const all = new Set<string>(untracked);
  const added = new Set<string>(untracked);
  const removed: string[] = [];
  const renamed = new Map<string, string>();
  for (let index = 0; index < words.length;) {
    const status = words[index] ?? '';
    const path = words[index + 1] ?? '';
    const target = /^[RC]/.test(status) ? words[index + 2] : undefined;
    index += target === undefined ? 2 : 3;
    all.add(path);
    if (target !== undefined) {
      all.add(target);
      if (status.startsWith('R')) renamed.set(target, path);
      else added.add(target);
    } else if (status === 'A') added.add(path);
    else if (status === 'D') removed.push(path);
  }
  return { all, added, removed, renamed };
}

async function list(words: string[], root: string): Promise<string[]> {
  const result = await git(words, { cwd: root });
  if (typeof result === 'string') throw new EngineError('failed', `git ${words[0]}: ${result}.`);
  return result.toString('utf8').split('\0').filter(Boolean);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import { shellCommand } from './shell-quote.ts';

interface GitOptions {
  cwd?: string;
  /** In bytes. */
  maxOutput?: number;
}

/** Settings of a repository can name programs that git runs, and a stranger may have written them. */
const safeSettings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'diff.external=', 'log.showSignature=false'];

const notInstalled = 'git is not installed';

/** Runs git without questions. Objects that are missing here are not fetched. @returns its output, or why it failed */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<Buffer | string> {
  // Only what compares files of the working tree filters them.
  const isComparing = args[0] === 'diff' && !args.includes('--cached');
  return run(args, options, isComparing ? await withoutFilters(options) : {});
}

/** Settings, as variables, without the programs that the repository itself names for the files of its working tree. */
async function withoutFilters(options: GitOptions): Promise<Record<string, string>> {
  const words = ['config', '--show-scope', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const output = await run(words, options, {});
  if (typeof output === 'string') return {};
  const parts = output.toString('utf8').split('\0');
  const keys = parts.filter((_, index) => index % 2 === 1 && ['local', 'worktree'].includes(parts[index - 1] ?? ''));
  // A name may contain "=", which -c would take for the end of the name.
  const first = Number(process.env.GIT_CONFIG_COUNT) || 0;
  const pairs = keys.flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, key.endsWith('.required') ? 'false' : ''],
  ]);
  return Object.fromEntries([...pairs, ['GIT_CONFIG_COUNT', String(first + keys.length)]]);
}

function run(
  args: readonly string[],
  { cwd, maxOutput = 16 * 2 ** 20 }: GitOptions,
  variables: Record<string, string>,
): Promise<Buffer | string> {
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const env = {
    ...process.env,
    ...variables,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
  return new Promise((settle) => {
    execFile(
      'git',
      [...settings, ...args],
      { cwd, encoding: 'buffer', maxBuffer: maxOutput, env },
      (error, stdout, stderr) => {
        if (!error) settle(stdout);
        else if (error.code === 'ENOENT') settle(notInstalled);
        else settle(reasonIn(stderr.toString('utf8')) ?? 'git failed');
      },
    );
  });
}

/** The files of a folder that Git has not finished merging. */
export interface Unmerged {
  /** From the folder. None outside of Git. */
  files: string[];
  /** Why Git does not know them, and the remedy. */
  problem?: string;
}

export async function unmergedFiles(folder: string): Promise<Unmerged> {
  const root = projectRoot(folder);
  if (!existsSync(join(root, '.git'))) return { files: [] };
  const output = await git(['ls-files', '--unmerged', '-z', '--', '.'], { cwd: folder });
  if (typeof output === 'string') return { files: [], problem: problemText(output, root) };
  const entries = output.toString().split('\0').slice(0, -1);
  return { files: [...new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)))] };
}

function problemText(reason: string, root: string): string {
  const remedy =
    reason === notInstalled
      ? 'Install Git, and make sure that it is in PATH.'
      : reason.includes('dubious ownership')
        ? `If you trust the repository, run "${shellCommand(['git', 'config', '--global', '--add', 'safe.directory', root])}".`
        : '"git status" should work in this folder.';
  return `Files with an unfinished merge cannot be detected: ${reason}. ${remedy}`;
}

const reasonIn = (text: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^(?:fatal|error): /, '')
    .replace(/\.$/, '');

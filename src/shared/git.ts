import { execFile } from 'node:child_process';

interface GitOptions {
  cwd?: string;
  /** In bytes. */
  maxOutput?: number;
}

/** Settings of a repository can name programs that git runs, and a stranger may have written them. */
const safeSettings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'diff.external=', 'log.showSignature=false'];

/** Runs git without questions. Objects that are missing here are not fetched. @returns its output, or why it failed */
export function git(
  args: readonly string[],
  { cwd, maxOutput = 16 * 2 ** 20 }: GitOptions = {},
): Promise<Buffer | string> {
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const env = {
    ...process.env,
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
        else if (error.code === 'ENOENT') settle('git is not installed');
        else settle(reasonIn(stderr.toString('utf8')) ?? 'git failed');
      },
    );
  });
}

const reasonIn = (text: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^(?:fatal|error): /, '')
    .replace(/\.$/, '');

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileReason } from '../../shared/file-reason.ts';
import { CommandError, exit, UsageError } from '../program/failure.ts';
import { configDir } from './paths.ts';
import { isOneWord, type Variables } from './token-sources.ts';

/** Tokens are short; a command that prints more is not the right one. */
const maxBytes = 64 * 1024;
/** A person may have to unlock a password manager first. */
const timeoutMs = 60_000;

/**
 * The words of a command line. Quotes and backslashes group words as in a shell; nothing else has a meaning.
 *
 * @throws UsageError
 */
export function wordsOfCommand(line: string): [string, ...string[]] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    const end = character === "'" || character === '"' ? line.indexOf(character, at + 1) : -1;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      if (end === -1) throw new UsageError(`token-command: the quote ${character} is not closed.`);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else {
      // Windows has backslashes in paths.
      const isEscape = character === '\\' && process.platform !== 'win32' && at + 1 < line.length;
      word = (word ?? '') + (isEscape ? line[++at]! : character);
    }
  }
  if (word !== undefined) words.push(word);
  const [program, ...args] = words;
  if (program === undefined || program === '') throw new UsageError('token-command has no program to run.');
  return [program, ...args];
}

interface CommandOptions {
  profile: string;
  env: Variables;
  signal: AbortSignal;
  /** Whether a person is at the terminal, whom the command may ask. */
  interactive: boolean;
}

/**
 * The token that a command prints on standard output. It runs without a shell, in the folder of the settings: in the
 * working directory, a cloned repository could contain a program of the same name.
 *
 * @throws CommandError (status 3) that never contains the output
 */
export async function tokenFromCommand(line: string, options: CommandOptions): Promise<string> {
  const { profile, env, signal, interactive } = options;
  const [program, ...args] = wordsOfCommand(line);
  const fail = (problem: string) =>
    new CommandError(`The token-command of the profile "${profile}" ${problem}.`, {
      exitCode: exit.unauthenticated,
      code: 'token-command',
      hint: `Run it yourself to see why: "docsctl config get token-command --profile ${profile}" prints it.`,
    });
  const child = spawn(program, args, {
    cwd: configDir(),
    env,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  // Reported where the end is awaited.
  child.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const [status]: unknown[] = await once(child, 'close', { signal: AbortSignal.any([signal, timeout]) });
    if (size > maxBytes) throw fail(`printed more than ${maxBytes / 1024} KB`);
    if (status !== 0) throw fail(typeof status === 'number' ? `exited with status ${status}` : 'was ended by a signal');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    child.kill('SIGKILL');
    child.stdout.destroy();
    signal.throwIfAborted();
    if (timeout.aborted) throw fail(`did not end within ${timeoutMs / 1000} s`);
    throw fail(`cannot be started: ${fileReason(error)}`);
  }
  const token = Buffer.concat(chunks).toString().trim();
  if (isOneWord(token)) return token;
  throw fail(token === '' ? 'printed nothing' : 'printed more than a token');
}

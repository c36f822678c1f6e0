import { readFileSync } from 'node:fs';
import { fileReason } from '../../shared/file-reason.ts';
import { CommandError, exit } from '../program/failure.ts';

export type Variables = Record<string, string | undefined>;

/** The variable that has the token for the address in the environment. */
export const tokenVariable = (env: Variables): 'DOCSCTL_TOKEN' | 'DOCSCTL_TOKEN_FILE' | undefined =>
  (['DOCSCTL_TOKEN', 'DOCSCTL_TOKEN_FILE'] as const).find((name) => env[name]);

/** The token in the environment. @throws CommandError (status 3) if it is in a file that cannot be used */
export function tokenInEnvironment(env: Variables): string | undefined {
  const { DOCSCTL_TOKEN: token, DOCSCTL_TOKEN_FILE: file } = env;
  if (token) return token.trim();
  return file ? tokenInFile(file) : undefined;
}

function tokenInFile(file: string): string {
  const code = 'token-file';
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`DOCSCTL_TOKEN_FILE: ${file} cannot be read: ${fileReason(error)}.`, {
      exitCode: exit.unauthenticated,
      code,
      hint: 'Check the path and the permissions of the file.',
    });
  }
  if (isOneWord(text)) return text;
  throw new CommandError(`DOCSCTL_TOKEN_FILE: ${file} ${text === '' ? 'is empty' : 'contains more than a token'}.`, {
    exitCode: exit.unauthenticated,
    code,
    hint: 'The file must contain only the token.',
  });
}

/** A token has no spaces. A page of an error that was saved instead of one does. */
export const isOneWord = (text: string) => /^\S+$/.test(text);

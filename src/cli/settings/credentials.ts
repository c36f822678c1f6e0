import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { broken, isOpen, readJson } from './config.ts';
import { exit } from '../program/exit-status.ts';
import { CommandError } from '../program/failure.ts';
import { NoKeyring, openKeyring } from './keyring.ts';
import { configDir } from './paths.ts';

/** Which token belongs to which profile, and the tokens that no keyring keeps. */
export const credentialsFile = () => join(configDir(), 'credentials.json');

export type TokenPlace = 'keyring' | 'file';

/** A token, or under which name the keyring has it. The name is made up, so that settings elsewhere have their own. */
type Credential = string | { keyring: string };
type Credentials = Record<string, Credential>;

function readCredentials(): Credentials {
  const file = credentialsFile();
  const found = readJson(file);
  if (found === undefined) return Object.create(null) as Credentials;
  // A file that others may read is closed to them when it is found.
  if (isOpen(file)) chmodSync(file, 0o600);
  for (const [profile, credential] of Object.entries(found)) {
    const isKnown =
      typeof credential === 'string' || typeof (credential as { keyring?: unknown } | null)?.keyring === 'string';
    if (!isKnown) throw broken(file, `the entry "${profile}" is no token`);
  }
  return Object.assign(Object.create(null), found) as Credentials;
}

/** Where the token of a profile lies, if one is kept. */
export function placeOfToken(profile: string): TokenPlace | undefined {
  const credential = readCredentials()[profile];
  if (credential === undefined) return undefined;
  return typeof credential === 'string' ? 'file' : 'keyring';
}

/** The token of a profile, if one is kept. @throws CommandError (status 3) where the keyring does not give it out */
export async function readToken(profile: string): Promise<string | undefined> {
  const credential = readCredentials()[profile];
  if (credential === undefined || typeof credential === 'string') return credential;
  try {
    const token = await (await openKeyring()).get(credential.keyring);
    if (token === undefined) throw new NoKeyring('it is not there any more');
    return token;
  } catch (error) {
    throw unreachable(profile, error);
  }
}

function unreachable(profile: string, error: unknown): unknown {
  if (!(error instanceof NoKeyring)) return error;
  return new CommandError(`The token of the profile "${profile}" is in the system's keyring: ${error.message}.`, {
    exitCode: exit.unauthenticated,
    hint: `Unlock the keyring, or sign in again with "docsctl auth login --profile ${profile}".`,
  });
}

/**
 * Keeps a token in the system's keyring, else in a file of mode 0600.
 *
 * @returns where it is, and why it is not in the keyring
 * @throws CommandError with `secureOnly` where there is no keyring
 */
export async function keepToken(
  profile: string,
  token: string,
  { secureOnly = false }: { secureOnly?: boolean } = {},
): Promise<{ place: TokenPlace; why?: string }> {
  try {
    const keyring = await openKeyring();
    const name = `${profile}-${process.getBuiltinModule('node:crypto').randomUUID()}`;
    await keyring.set(name, token);
    await replace(profile, { keyring: name });
    return { place: 'keyring' };
  } catch (error) {
    if (!(error instanceof NoKeyring)) throw error;
    if (secureOnly) {
      throw new CommandError(`The token was not kept: there is no keyring here (${error.message}).`, {
        hint: 'Leave --secure-only out to keep it in a file of mode 0600, or set DOCSCTL_URL and DOCSCTL_TOKEN for each run.',
      });
    }
    await replace(profile, token);
    return { place: 'file', why: error.message };
  }
}

/** Keeps a token in the file of mode 0600, whether or not there is a keyring; forgets it when undefined. */
export const writeToken = (profile: string, token: string | undefined): Promise<void> => replace(profile, token);

/** Removes a token from wherever it lies. @returns whether there was one @throws CommandError where it stays in the keyring */
export async function forgetToken(profile: string): Promise<boolean> {
  const credential = readCredentials()[profile];
  if (credential === undefined) return false;
  if (typeof credential === 'object') {
    try {
      await (await openKeyring()).delete(credential.keyring);
    } catch (error) {
      throw unreachable(profile, error);
    }
  }
  await replace(profile, undefined);
  return true;
}

/** Gives the token of a profile that has another name now. */
export const renameToken = (from: string, to: string): Promise<void> =>
  change((credentials) => {
    if (credentials[from] === undefined) return;
    credentials[to] = credentials[from];
    delete credentials[from];
  });

async function replace(profile: string, credential: Credential | undefined): Promise<void> {
  const before = await change((credentials) => {
    const old = credentials[profile];
    if (credential === undefined) delete credentials[profile];
    else credentials[profile] = credential;
    return old;
  });
  if (typeof before !== 'object') return;
  // One that cannot be reached now is of no use to anybody without the name that was just dropped.
  await openKeyring()
    .then((keyring) => keyring.delete(before.keyring))
    .catch(() => {});
}

async function change<T>(work: (credentials: Credentials) => T): Promise<T> {
  const { withLock, writeJson } = await import('./config-write.ts');
  return withLock(async () => {
    const credentials = readCredentials();
    const result = work(credentials);
    await writeJson(credentialsFile(), credentials);
    return result;
  });
}

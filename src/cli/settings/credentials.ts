import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { isOpen } from '../../shared/lock.ts';
import { CommandError, exit } from '../program/failure.ts';
import { broken, readJson, updateFile } from './file.ts';
import { configDir } from './paths.ts';

/** Which token belongs to which profile, and the tokens that no keyring keeps. */
export const credentialsFile = () => join(configDir(), 'credentials.json');

export type TokenPlace = 'keyring' | 'file';

/** A token, or the name it has in the keyring: a random one, so that two configuration folders do not share tokens. */
type Credential = string | { keyring: string };
type Credentials = Record<string, Credential>;

function readCredentials(): Credentials {
  const file = credentialsFile();
  // Without a prototype: a profile may be called "constructor".
  const credentials: Credentials = Object.create(null);
  const entries = readJson(file);
  if (entries === undefined) return credentials;
  // A file that others may read is closed to them as soon as it is read.
  if (isOpen(file)) chmodSync(file, 0o600);
  for (const [profile, credential] of Object.entries(entries)) {
    if (!isCredential(credential)) throw broken(file, `the entry "${profile}" is not a token`);
    credentials[profile] = credential;
  }
  return credentials;
}

const isCredential = (value: unknown): value is Credential =>
  typeof value === 'string' || (isObject(value) && typeof value.keyring === 'string');

/** Where the token of a profile is kept; undefined if there is none. */
export function placeOfToken(profile: string): TokenPlace | undefined {
  const credential = readCredentials()[profile];
  if (credential === undefined) return undefined;
  return typeof credential === 'string' ? 'file' : 'keyring';
}

/** The token of a profile; undefined if none is kept. @throws CommandError (status 3) if the keyring refuses it */
export async function readToken(profile: string): Promise<string | undefined> {
  const credential = readCredentials()[profile];
  if (credential === undefined || typeof credential === 'string') return credential;
  try {
    const token = await (await openKeyring()).get(credential.keyring);
    if (token === undefined) throw new NoKeyring('it is no longer there');
    return token;
  } catch (error) {
    throw unreachable(profile, error);
  }
}

function unreachable(profile: string, error: unknown): unknown {
  if (!(error instanceof NoKeyring)) return error;
  return new CommandError(`The token of the profile "${profile}" is in the system's keyring: ${error.message}.`, {
    exitCode: exit.unauthenticated,
    code: 'token-unreadable',
    hint: `Unlock the keyring, or sign in again with "docsctl auth login --profile ${profile}".`,
  });
}

/**
 * Keeps a token in the system's keyring, else in a file of mode 0600.
 *
 * @returns if it is, and why it is not in the keyring
 * @throws CommandError with `secureOnly` if there is no keyring
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
      throw new CommandError(`The token was not kept: no keyring is available (${error.message}).`, {
        hint: 'Leave --secure-only out to keep it in a file of mode 0600, or set DOCSCTL_URL and DOCSCTL_TOKEN for each run.',
      });
    }
    await replace(profile, token);
    return { place: 'file', why: error.message };
  }
}

/** Keeps a token in the file of mode 0600, whether or not there is a keyring; forgets it when undefined. */
export const writeToken = (profile: string, token: string | undefined): Promise<void> => replace(profile, token);

/** Removes a token from if it is kept. @returns whether there was one @throws CommandError if it stays in the keyring */
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

/** Moves the token of a profile to its new name. */
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
  // If this fails, the old token stays in the keyring, under a name that nothing refers to any more.
  await openKeyring()
    .then((keyring) => keyring.delete(before.keyring))
    .catch(() => {});
}

const change = <T>(work: (credentials: Credentials) => T): Promise<T> =>
  updateFile(credentialsFile(), readCredentials, work);

/** The secret store of the system: Keychain, Credential Manager, Secret Service. */
interface Keyring {
  get(id: string): Promise<string | undefined>;
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Why the keyring cannot be used, which is normal on servers. */
class NoKeyring extends Error {}

const service = 'docsctl';

/** @throws NoKeyring if the module is not installed or DOCSCTL_KEYRING turns it off */
async function openKeyring(env: Record<string, string | undefined> = process.env): Promise<Keyring> {
  if (['off', '0', 'false'].includes(env.DOCSCTL_KEYRING?.toLowerCase() ?? ''))
    throw new NoKeyring(`DOCSCTL_KEYRING=${env.DOCSCTL_KEYRING} turns it off`);
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(() => {
    throw new NoKeyring('the package @napi-rs/keyring is not installed for this system');
  });
  // The other store on Linux is that of the kernel, which loses everything at a restart.
  const entry = (id: string) => new AsyncEntry(service, id, { linux: { store: 'secret-service' } });
  return {
    get: (id) => keyringErrors(async () => (await entry(id).getPassword()) ?? undefined),
    set: (id, secret) => keyringErrors(() => entry(id).setPassword(secret)),
    delete: (id) =>
      keyringErrors(async () => {
        await entry(id).deletePassword();
      }),
  };
}

/** Turns errors of the keyring module into NoKeyring. */
async function keyringErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new NoKeyring(messageOf(error).replace(/^Platform failure: /, ''), { cause: error });
  }
}

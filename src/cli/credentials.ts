import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './config.ts';
import { configDir } from './places.ts';

/** Where tokens lie that no keyring keeps. */
export const credentialsFile = () => join(configDir(), 'credentials.json');

/** The token of a profile, if one is kept. */
export function readToken(profile: string): string | undefined {
  const file = credentialsFile();
  const tokens = readJson(file) as Record<string, string> | undefined;
  if (tokens) tighten(file);
  return tokens && Object.hasOwn(tokens, profile) ? tokens[profile] : undefined;
}

/** A file that others may read is closed to them when it is found. */
function tighten(file: string) {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}

/** Keeps a token, or forgets it when undefined. */
export async function writeToken(profile: string, token: string | undefined): Promise<void> {
  const { withLock, writeJson } = await import('./config-write.ts');
  const file = credentialsFile();
  await withLock(file, async () => {
    const tokens = { ...(readJson(file) as Record<string, string> | undefined) };
    if (token === undefined) delete tokens[profile];
    else tokens[profile] = token;
    await writeJson(file, tokens);
  });
}

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { configDir } from './paths.ts';

/** A service and how to reach it. Tokens are kept elsewhere. */
export interface Profile {
  /** `https://...`, or `embedded:<file>` for an instance in this process. */
  url: string;
  org?: string;
  space?: string;
  site?: string;
}

export interface Config {
  /** Name of the profile in use. */
  current?: string;
  profiles: Record<string, Profile>;
}

export const configFile = () => join(configDir(), 'config.json');

/** What a profile may be called: it stands in command lines and in files. */
export const isProfileName = (name: string) => /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name);

/** The settings as they are; none where there is no file. @throws CommandError that names a file that cannot be read */
export function readConfig(): Config {
  const file = configFile();
  const { current, profiles = {}, ...rest } = (readJson(file) ?? {}) as Partial<Config>;
  const isName = (value: unknown) => value === undefined || typeof value === 'string';
  if (!isName(current)) throw broken(file, '"current" must be the name of a profile');
  if (!isObject(profiles)) throw broken(file, '"profiles" must be an object');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile) || typeof profile.url !== 'string') throw broken(file, `the profile "${name}" has no "url"`);
    const odd = (['org', 'space', 'site'] as const).find((key) => !isName(profile[key]));
    if (odd) throw broken(file, `"${odd}" of the profile "${name}" must be text`);
  }
  return {
    ...rest,
    ...(current === undefined ? {} : { current }),
    profiles: Object.assign(Object.create(null), profiles),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined where there is no such file */
export function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read: ${fileReason(error)}.`, { hint: 'Check its permissions.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(file, (error as Error).message);
  }
  if (!isObject(value)) throw broken(file, 'it is no JSON object');
  return value;
}

/** Nothing is ever reset by itself: what is broken may still hold what somebody needs. */
export const broken = (file: string, reason: string) =>
  new CommandError(`${file} is broken: ${reason}.`, {
    hint: 'Mend it, or move it away and start again with "docsctl auth login".',
  });

/** Whether others may read a file or folder. Windows keeps that elsewhere. */
export const isOpen = (path: string) => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;

/**
 * Changes the settings under a lock that covers the reading too, so that commands that run at once lose nothing.
 *
 * @param change gets the settings as they are now; when it throws, nothing is written
 */
export async function updateConfig<T>(change: (config: Config) => T): Promise<T> {
  const { withLock, writeJson } = await import('./config-write.ts');
  return withLock(async () => {
    const config = readConfig();
    const result = change(config);
    await writeJson(configFile(), config);
    return result;
  });
}

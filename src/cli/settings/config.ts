import { join } from 'node:path';
import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import { CommandError, exit } from '../program/failure.ts';
import { broken, readJson, updateFile } from './file.ts';
import { configDir } from './paths.ts';

/** A service and how to reach it. Tokens are kept elsewhere. */
export interface Profile {
  /** `https://...`, or `embedded:<file>` for an instance in this process. */
  url: string;
  org?: string;
  space?: string;
  site?: string;
  /** `off` where changes are not kept in the journal. */
  journal?: string;
  /** A command line that prints the token. Only in this file: a project file cannot set it. */
  'token-command'?: string;
  /** File of the database behind the address, if "docsctl serve" on this machine made the profile. */
  database?: string;
}

export interface Config {
  /** Name of the profile in use. */
  current?: string;
  profiles: Record<string, Profile>;
  /** The words of command lines by their short names. */
  aliases?: Record<string, readonly string[]>;
}

/** What the file and its profiles hold. Other members are kept, as those of a later version of docsctl. */
export const configKeys = ['current', 'profiles', 'aliases'] as const satisfies (keyof Config)[];
export const profileKeys = [
  'url',
  'org',
  'space',
  'site',
  'journal',
  'token-command',
  'database',
] as const satisfies (keyof Profile)[];

export const configFile = () => join(configDir(), 'config.json');

/** What a profile may be called: the name is written in command lines and in files. */
export const isProfileName = (name: string) => /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name);

/** The settings; none if there is no file. @throws CommandError that names a file that cannot be read */
export function readConfig(): Config {
  const file = configFile();
  const { current, profiles = {}, aliases, ...others } = readJson(file) ?? {};
  if (!isOptionalText(current)) throw broken(file, '"current" must be the name of a profile');
  if (!isObject(profiles)) throw broken(file, '"profiles" must be an object');
  if (aliases !== undefined && !areAliases(aliases))
    throw broken(file, '"aliases" must be an object of lists of words');
  // Without a prototype: a profile may be called "constructor".
  const checked: Record<string, Profile> = Object.create(null);
  for (const [name, profile] of Object.entries(profiles)) {
    assertProfile(profile, name, file);
    checked[name] = profile;
  }
  // Members of a later version of docsctl are kept when the file is written again.
  return { ...others, ...(current === undefined ? {} : { current }), profiles: checked, ...(aliases && { aliases }) };
}

const areAliases = (value: unknown): value is Record<string, string[]> =>
  isObject(value) &&
  Object.values(value).every((words) => Array.isArray(words) && words.every((word) => typeof word === 'string'));

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string';

function assertProfile(profile: unknown, name: string, file: string): asserts profile is Profile {
  if (!isObject(profile) || typeof profile.url !== 'string') throw broken(file, `the profile "${name}" has no "url"`);
  const invalid = profileKeys.find((key) => !isOptionalText(profile[key]));
  if (invalid !== undefined) throw broken(file, `"${invalid}" of the profile "${name}" must be text`);
}

/** Changes the settings, under a lock. @param change gets the current settings; if it throws, nothing is written */
export const updateConfig = <T>(change: (config: Config) => T): Promise<T> =>
  updateFile(configFile(), readConfig, change);

/**
 * The profile of a name. If there is none, the status is "not found", as for an object of the service.
 *
 * @param source the flag, variable or file that names it; absent for an argument
 * @throws CommandError (status 5) with the most similar name
 */
export function profileNamed(profiles: Record<string, Profile>, name: string, source?: string): Profile {
  const profile = profiles[name];
  if (profile) return profile;
  const names = Object.keys(profiles);
  const near = nearest(name, names);
  throw new CommandError(`There is no profile "${name}"${source === undefined ? '' : ` (${source})`}.`, {
    exitCode: exit.notFound,
    code: 'unknown-profile',
    hint:
      names.length === 0
        ? 'Make one with "docsctl auth login" or "docsctl init".'
        : `${near === undefined ? '' : `Did you mean "${near}"? `}There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`,
  });
}

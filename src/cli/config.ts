import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './failure.ts';
import { configDir } from './places.ts';

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

/** The settings as they are; none where there is no file. @throws CommandError that names a file that cannot be read */
export function readConfig(): Config {
  return { profiles: {}, ...(readJson(configFile()) as Partial<Config> | undefined) };
}

/** @returns undefined where there is no such file */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`, { hint: 'Check its permissions.' });
  }
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below, together with JSON that is no object.
  }
  throw new CommandError(`${file} is not a JSON object.`, {
    hint: 'Mend it, or move it away and start again with "docsctl auth login".',
  });
}

/**
 * Changes the settings under a lock that covers the reading too, so that commands that run at once lose nothing.
 *
 * @param change gets the settings as they are now
 */
export async function updateConfig<T>(change: (config: Config) => T): Promise<T> {
  const { withLock, writeJson } = await import('./config-write.ts');
  return withLock(configFile(), async () => {
    const config = readConfig();
    const result = change(config);
    await writeJson(configFile(), config);
    return result;
  });
}

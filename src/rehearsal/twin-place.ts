import { join } from 'node:path';
import { dataDir } from '../cli/settings/paths.ts';

/** The profile of the twin. */
export const twinProfile = 'twin';

/** The file of the twin's database. */
export const twinDatabase = (env: Record<string, string | undefined>): string => join(dataDir(env), 'twin.db');

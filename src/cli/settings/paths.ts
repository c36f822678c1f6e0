import { join } from 'node:path';

type Env = Record<string, string | undefined>;

/** node:os is loaded only where HOME, which it reads first, is not set. */
const homeDir = () => process.env.HOME || process.getBuiltinModule('node:os').homedir();

/** The folder of DOCSCTL_<kind>_DIR, or else the one that the system intends for files of this kind. */
function folder(env: Env, kind: string, unixFolder: string, windowsFolder = ''): string {
  const own = env[`DOCSCTL_${kind}_DIR`];
  if (own) return own;
  if (process.platform !== 'win32') return join(env[`XDG_${kind}_HOME`] || join(homeDir(), unixFolder), 'docsctl');
  const [variable, name] = kind === 'CONFIG' ? ['APPDATA', 'Roaming'] : ['LOCALAPPDATA', 'Local'];
  return join(env[variable] ?? join(homeDir(), 'AppData', name), 'docsctl', windowsFolder);
}

export const configDir = (env: Env = process.env) => folder(env, 'CONFIG', '.config');
/** Contains the database of the local instance. */
export const dataDir = (env: Env = process.env) => folder(env, 'DATA', '.local/share');
/** Contains the journals. */
export const stateDir = (env: Env = process.env) => folder(env, 'STATE', '.local/state', 'state');
export const cacheDir = (env: Env = process.env) => folder(env, 'CACHE', '.cache', 'cache');

export const defaultDatabase = (env?: Env) => join(dataDir(env), 'local.db');

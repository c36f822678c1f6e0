import { join } from 'node:path';

type Env = Record<string, string | undefined>;

/** node:os is loaded only where HOME, which it reads first, is not set. */
const homeDir = () => process.env.HOME || process.getBuiltinModule('node:os').homedir();

/** Folder of the settings: DOCSCTL_CONFIG_DIR, else the system's place for them. */
export function configDir(env: Env = process.env): string {
  if (env.DOCSCTL_CONFIG_DIR) return env.DOCSCTL_CONFIG_DIR;
  if (process.platform === 'win32') return join(env.APPDATA ?? join(homeDir(), 'AppData', 'Roaming'), 'docsctl');
  return join(env.XDG_CONFIG_HOME || join(homeDir(), '.config'), 'docsctl');
}

/** Folder of the local instance's database: DOCSCTL_DATA_DIR, else the system's place for data. */
export function dataDir(env: Env = process.env): string {
  if (env.DOCSCTL_DATA_DIR) return env.DOCSCTL_DATA_DIR;
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(homeDir(), 'AppData', 'Local'), 'docsctl');
  return join(env.XDG_DATA_HOME || join(homeDir(), '.local', 'share'), 'docsctl');
}

/** Folder of the journals: DOCSCTL_STATE_DIR, else the system's place for what programs remember. */
export function stateDir(env: Env = process.env): string {
  if (env.DOCSCTL_STATE_DIR) return env.DOCSCTL_STATE_DIR;
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homeDir(), 'AppData', 'Local'), 'docsctl', 'state');
  return join(env.XDG_STATE_HOME || join(homeDir(), '.local', 'state'), 'docsctl');
}

/** Folder of caches. */
export function cacheDir(env: Env = process.env): string {
  if (env.DOCSCTL_CACHE_DIR) return env.DOCSCTL_CACHE_DIR;
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homeDir(), 'AppData', 'Local'), 'docsctl', 'cache');
  return join(env.XDG_CACHE_HOME || join(homeDir(), '.cache'), 'docsctl');
}

/** Default database of the local instance. */
export const defaultDatabase = (env?: Env) => join(dataDir(env), 'local.db');

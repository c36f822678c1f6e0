import { basename, dirname } from 'node:path';
import { privately, withLock } from '../../shared/lock.ts';
import { handledSignals, signalListeners } from '../program/signals.ts';
import { configDir } from './paths.ts';

/** Runs `work` while no other command changes the settings. @throws EngineError */
export const withSettingsLock = <T>(work: () => Promise<T>): Promise<T> =>
  withLock({ folder: configDir(), what: 'settings' }, work);

/** Replaces a file of settings whole: written beside it, then renamed, with mode 0600. */
export async function writeJson(file: string, value: object): Promise<void> {
  const Conf = await loadConf();
  const options = {
    cwd: dirname(file),
    configName: basename(file, '.json'),
    projectName: 'docsctl',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // The file was read and checked before; it is replaced, not merged.
    clearInvalidConfig: true,
  };
  privately(() => (new Conf<Record<string, unknown>>(options).store = { ...value }));
}

/**
 * Loads conf without the listeners that its file writer adds for signals. They send the signal to the process again; as a
 * second one it would end a server at once instead of letting it finish its requests.
 */
async function loadConf() {
  const signals = handledSignals.map((signal) => ({ signal, before: signalListeners(signal) }));
  const { default: Conf } = await import('conf');
  for (const { signal, before } of signals) {
    for (const listener of signalListeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
  }
  return Conf;
}

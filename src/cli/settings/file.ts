import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isObject } from '../../shared/is-object.ts';
import { privately, withLock } from '../../shared/lock.ts';
import { CommandError } from '../program/failure.ts';
import { handledSignals, signalListeners } from '../program/signals.ts';
import { configDir } from './paths.ts';

/** The object in a JSON file; undefined if there is no such file. @throws CommandError that names the file */
export function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Without its folder there is no file either: what writes it reports that.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw new CommandError(`${file} cannot be read: ${fileReason(error)}.`, {
      code: 'broken-settings',
      hint: 'Check its permissions.',
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(file, messageOf(error));
  }
  if (!isObject(value)) throw broken(file, 'it is not a JSON object');
  return value;
}

/** A broken file is never replaced: what is in it may still be needed. */
export const broken = (file: string, reason: string) =>
  new CommandError(`${file} is broken: ${reason}.`, {
    code: 'broken-settings',
    hint: 'Repair it, or move it away and start again with "docsctl auth login".',
  });

/**
 * Changes a settings file. The lock also covers the read, so that concurrent commands do not overwrite each other's
 * changes.
 *
 * @param change gets the current content; if it throws, nothing is written
 */
export const updateFile = <Content extends object, T>(
  file: string,
  read: () => Content,
  change: (content: Content) => T,
): Promise<T> =>
  withSettingsLock(async () => {
    const content = read();
    const result = change(content);
    await writeJson(file, content);
    return result;
  });

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

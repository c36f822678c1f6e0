import { UsageError } from '../../cli/program/failure.ts';
import { SettingsError } from '../../content/folder/folder-settings.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { UnreadableFolder } from '../../site/folder/disk-folder.ts';

/** Reads a folder of Markdown. @throws UsageError if it cannot be read */
export function readable<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Adds the folder to the message of a read error. */
export function unreadable(folder: string, error: unknown): unknown {
  if (error instanceof SettingsError) return new UsageError(`${folder}/${error.message}`, 'Pass a folder inside it.');
  if (error instanceof UnreadableFolder) return new UsageError(`${folder}: ${error.message}`, 'Pass a smaller one.');
  return codeOf(error) === '' ? error : new UsageError(`${folder} cannot be read: ${fileReason(error)}.`);
}

import { UsageError } from '../cli/program/failure.ts';
import { SettingsError } from '../content/folder/folder-settings.ts';
import { codeOf } from '../shared/error-text.ts';
import { fileReason } from '../shared/file-reason.ts';
import { UnreadableFolder } from '../site/folder/disk-folder.ts';

/** What `read` makes of a folder of Markdown. @throws UsageError where it cannot be read */
export function readable<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(`${folder}/${error.message}`, 'Name a folder inside it.');
    if (error instanceof UnreadableFolder) throw new UsageError(`${folder}: ${error.message}`, 'Name a smaller one.');
    if (codeOf(error) === '') throw error;
    throw new UsageError(`${folder} cannot be read: ${fileReason(error)}.`);
  }
}

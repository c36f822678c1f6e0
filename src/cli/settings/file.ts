import { readFileSync } from 'node:fs';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isObject } from '../../shared/is-object.ts';
import { CommandError } from '../program/failure.ts';

/** The object in a JSON file; undefined where there is no such file. @throws CommandError that names the file */
export function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Without its folder there is no file either: what writes it reports that.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw new CommandError(`${file} cannot be read: ${fileReason(error)}.`, { hint: 'Check its permissions.' });
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
    hint: 'Repair it, or move it away and start again with "docsctl auth login".',
  });

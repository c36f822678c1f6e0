import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where PATH has a program; undefined if it does not. */
export const programPath = (name: string): string | undefined => programPaths(name)[0];

/** All places where PATH has a program. */
export const programPaths = (name: string): string[] =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

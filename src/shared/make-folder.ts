import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './error-text.ts';

/**
 * Makes a folder and those above it. The platform's own recursive mkdir never ends if a parent refuses new entries, as
 * /proc does.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another command may have made it in the meantime.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

import {
  appendFileSync,
  closeSync,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes an empty file in the folder of `file`, to be filled and renamed. Nobody else knows its name, and what might have
 * been put there is neither followed nor shared: the file is created exclusively.
 *
 * @param mode of the file; the default leaves it to the umask
 * @returns its path
 */
export function createBeside(file: string, mode?: number): string {
  const beside = nameBeside(file);
  closeSync(openSync(beside, 'wx', mode));
  return beside;
}

function nameBeside(file: string): string {
  const name = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  return join(dirname(file), `.docsctl-${name}.tmp`);
}

/** Whether a file is one of those, which a killed command leaves. */
export const isBeside = (file: string): boolean => /(?:^|\/)\.docsctl-[0-9a-f]{12}\.tmp$/.test(file);

/**
 * Replaces a file in one step, so that no reader ever sees half of it. A symbolic link is replaced, not followed.
 * Devices, pipes and the process's own descriptors (/dev/stdout) are written to directly.
 *
 * @param mode of the file; the default leaves it to the umask
 */
export async function writeFileAtomic(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
  return isStream(file) ? promises.appendFile(file, content) : replaceFile(file, content, mode);
}

/** Unlike `writeFileAtomic`, replaces a pipe or device instead of writing into it. */
export async function replaceFile(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const beside = nameBeside(file);
  try {
    await promises.writeFile(beside, content, { flag: 'wx', mode });
    await promises.rename(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** As `writeFileAtomic`, before it returns. */
export function writeFileAtomicSync(file: string, content: string | Uint8Array, mode?: number): void {
  if (isStream(file)) return appendFileSync(file, content);
  const beside = createBeside(file, mode);
  try {
    writeFileSync(beside, content);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Whether another user may have put a link there that leads elsewhere; links of the system, such as /dev/stdout, do not
 * count.
 */
export function isSymbolicLink(file: string): boolean {
  return !isOwnDescriptor(file) && statOf(lstatSync, file)?.isSymbolicLink() === true;
}

function isStream(file: string): boolean {
  // Behind some of them is a regular file that the shell opened: if it were replaced, it would receive nothing.
  if (isOwnDescriptor(file)) return true;
  const stat = statOf(statSync, file);
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

const isOwnDescriptor = (file: string) =>
  /^\/(?:dev\/(?:stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/.test(resolve(file));

function statOf(stat: typeof lstatSync, file: string) {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch {
    // The error of the write tells the reason.
    return undefined;
  }
}

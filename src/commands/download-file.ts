import { CommandError } from '../cli/failure.ts';
import { fileReason } from '../cli/file.ts';
import type { Invocation } from '../cli/invocation.ts';
import { downloaderOf } from './download.ts';

/** Downloads what the service gave an address for into a file, or to standard output for `-`. */
export async function writeDownload(invocation: Invocation, url: string, file: string): Promise<void> {
  const downloader = downloaderOf(invocation);
  try {
    await writeOut(invocation, await downloader.bytes(url), file);
  } finally {
    await downloader.close();
  }
}

/** Writes beside the file and renames, so that there is never half of it. `-` is standard output. */
export async function writeOut({ io }: Invocation, bytes: Uint8Array, file: string): Promise<void> {
  if (file === '-') return io.out.write(bytes);
  const { rename, rm, writeFile } = await import('node:fs/promises');
  const beside = `${file}.${process.pid}.part`;
  try {
    await writeFile(beside, bytes);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw new CommandError(`${file} cannot be written: ${fileReason(error, 'folder')}.`, {
      hint: 'Check that its folder exists, may be written to and has room, or name another file.',
    });
  }
  await io.note(`Wrote ${file} (${bytes.byteLength} bytes).`);
}

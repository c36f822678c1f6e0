import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { Invocation } from '../../cli/command/command.ts';
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

/** Writes the file whole or not at all. `-` is standard output. */
export async function writeOut({ io }: Invocation, bytes: Uint8Array, file: string): Promise<void> {
  if (file === '-') return io.out.write(bytes);
  try {
    await writeFileAtomic(file, bytes);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${fileReason(error, 'folder')}.`, {
      hint: 'Check that its folder exists, may be written to and has room, or name another file.',
    });
  }
  await io.note(`Wrote ${file} (${bytes.byteLength} bytes).`);
}

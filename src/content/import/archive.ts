import type { Entry, ZipFile } from 'yauzl';
import type { Skipped } from './convert/skipped.ts';
import { ImportFailure } from './failure.ts';

interface ArchiveLimits {
  /** The total unpacked size of all entries. */
  maxBytes: number;
  maxEntries: number;
}

export const usualLimits: ArchiveLimits = { maxBytes: 200_000_000, maxEntries: 20_000 };

/**
 * Unpacks a zip archive. Archives with paths that lead out of them, or with too much content, are rejected. Symbolic links
 * are left out, and added to `skipped`.
 */
export async function unzip(
  bytes: Uint8Array,
  { limits = usualLimits, skipped = [] }: { limits?: ArchiveLimits; skipped?: Skipped[] } = {},
): Promise<Map<string, Uint8Array>> {
  const { default: yauzl } = await import('yauzl');
  const damaged = new ImportFailure('unreadable', 'The file cannot be read as a zip archive.');
  let zip: ZipFile;
  try {
    zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      lazyEntries: true,
      autoClose: false,
    });
  } catch {
    throw damaged;
  }
  try {
    const files = new Map<string, Uint8Array>();
    let room = limits.maxBytes;
    for (const entry of await fileEntries(zip, limits)) {
      if (isSymbolicLink(entry)) {
        skipped.push({ file: entry.fileName, reason: linkReason });
        continue;
      }
      const unpacked = await unpack(zip, entry, room, limits);
      room -= unpacked.length;
      files.set(entry.fileName, unpacked);
    }
    return files;
  } catch (error) {
    if (error instanceof ImportFailure) throw error;
    if (/relative path|absolute path|invalid characters/.test(String(error)))
      throw new ImportFailure('unreadable', 'The archive contains a path that leads out of it.');
    throw damaged;
  } finally {
    zip.close();
  }
}

/** Archives of Unix keep the mode of a file in the upper half. */
const isSymbolicLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

/** Links could lead out of the folder, and other special files have no text. */
export const linkReason = 'it is a link or a special file';

// The sizes in the archive can be wrong. They are only used to reject it before anything is unpacked.
async function fileEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Entry[]> {
  if (zip.entryCount > limits.maxEntries)
    throw new ImportFailure('too-large', `The archive contains more than ${limits.maxEntries} files.`);
  const entries: Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    total += entry.uncompressedSize;
    if (total > limits.maxBytes) throw tooLarge(limits.maxBytes);
    entries.push(entry);
  }
  return entries;
}

async function unpack(zip: ZipFile, entry: Entry, room: number, { maxBytes }: ArchiveLimits): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    length += chunk.length;
    if (length > room) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const tooLarge = (bytes: number) =>
  new ImportFailure('too-large', `The archive unpacks to more than ${Math.round(bytes / 1_000_000)} MB.`);

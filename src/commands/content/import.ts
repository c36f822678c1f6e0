import { UsageError } from '../../cli/program/failure.ts';
import { fileBytes } from '../../cli/command/read-input.ts';

/** Media types of the sources that an address may hold (open parts, 7, "Content"). */
const mediaTypes: Record<string, string> = {
  markdown: 'text/markdown',
  html: 'text/html',
  zip: 'application/zip',
};

// The service takes bodies of 10 MiB, and Base64 makes four bytes of three.
const maxBytes = 7 * 1024 * 1024;

/** A file as a `data:` address. @throws UsageError for sources that cannot be given so, and for large files */
export function dataAddress(file: string, source: string | undefined): string {
  const type = mediaTypes[source ?? ''];
  if (type === undefined) {
    throw new UsageError(
      `A file of this machine can be imported as ${Object.keys(mediaTypes).join(', ')} only.`,
      'Say which with --source, or put the file where the service can fetch it and give that address.',
    );
  }
  const bytes = fileBytes(file, '<url>');
  if (bytes.length > maxBytes) {
    throw new UsageError(
      `${file} is larger than ${maxBytes / 1024 / 1024} MiB, too large to be sent in a request.`,
      'Put it where the service can fetch it, and give that address.',
    );
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

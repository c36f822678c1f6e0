import { UsageError } from '../../cli/program/failure.ts';
import { fileBytes } from '../../cli/command/read-input.ts';

/** Media types of the sources that a `data:` address may hold. */
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
      `A local file can only be imported as ${Object.keys(mediaTypes).join(', ')}.`,
      'Pass --source, or upload the file to a place where the service can fetch it and give that address.',
    );
  }
  const bytes = fileBytes(file, '<url>');
  if (bytes.length > maxBytes) {
    throw new UsageError(
      `${file} is larger than ${maxBytes / 1024 / 1024} MiB, the limit of a request.`,
      'Upload it to a place where the service can fetch it, and give that address.',
    );
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

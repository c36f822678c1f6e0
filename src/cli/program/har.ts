import { isSymbolicLink, writeFileAtomicSync } from '../../shared/atomic-write.ts';
import type { Exchange } from '../../client/exchange.ts';
import { version } from '../../shared/version.ts';
import { CommandError } from './failure.ts';
import { messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';

/** Exchanges as a HAR 1.2 document. Their secrets are hidden already. */
function harOf(exchanges: readonly Exchange[]): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'docsctl', version },
      entries: exchanges.map(({ request, response, error, started, ms }) => ({
        startedDateTime: new Date(started).toISOString(),
        time: ms,
        request: {
          method: request.method,
          url: request.url,
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: pairs(request.headers),
          queryString: [...new URLSearchParams(request.url.split('?')[1] ?? '')].map(([name, value]) => ({
            name,
            value,
          })),
          headersSize: -1,
          bodySize: Buffer.byteLength(textOf(request.body)),
          ...(request.body === undefined
            ? {}
            : { postData: { mimeType: request.headers['content-type'] ?? '', text: textOf(request.body) } }),
        },
        response: {
          status: response?.status ?? 0,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: pairs(response?.headers ?? {}),
          content: {
            size: response?.body.length ?? 0,
            mimeType: response?.headers['content-type'] ?? '',
            text: textOf(response?.body),
          },
          redirectURL: response?.headers.location ?? '',
          headersSize: -1,
          bodySize: response?.body.length ?? -1,
        },
        cache: {},
        timings: { send: 0, wait: ms, receive: 0 },
        ...(error === undefined ? {} : { comment: messageOf(error) }),
      })),
    },
  };
}

const pairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const textOf = (body: string | Uint8Array | undefined) =>
  body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString();

/**
 * Replaces the whole file. A symbolic link is refused: another user may have made it to point to a different file.
 *
 * @throws CommandError if it cannot be written
 */
export function writeHar(file: string, exchanges: readonly Exchange[]): void {
  const notWritten = (reason: string) =>
    new CommandError(`${file} cannot be written: ${reason}.`, {
      hint: 'The command itself was carried out. Use another file with --debug=har.',
    });
  if (isSymbolicLink(file)) throw notWritten('it is a symbolic link');
  try {
    writeFileAtomicSync(file, `${JSON.stringify(harOf(exchanges), null, 2)}\n`, 0o600);
  } catch (error) {
    throw notWritten(fileReason(error, 'folder'));
  }
}

/** Turns `--debug=har FILE` into `--har FILE`. */
export function withHarFile(argv: readonly string[]): string[] {
  const index = argv.indexOf('--debug=har');
  return index < 0 ? [...argv] : argv.with(index, '--har');
}

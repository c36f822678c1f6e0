import type { IncomingMessage } from 'node:http';
import { DomainError } from './engine/errors.ts';
import { requireJson, tooLarge } from './engine/request.ts';

/** Bytes that the bodies of all requests under way may hold together, where nothing else is said. */
export const defaultBodyMemory = 256 * 1024 * 1024;

/** What the bodies of the requests under way hold together. */
export interface BodyMemory {
  /** In bytes. */
  readonly total: number;
  /** Begins the account of one request. */
  open(): Account;
}

export interface Account {
  /** Takes memory for so many bytes more. @throws DomainError `unavailable` when there is none left */
  take(bytes: number): void;
  /** Gives back all that was taken, once the request is done. */
  close(): void;
}

export function createBodyMemory(total: number): BodyMemory {
  let held = 0;
  return {
    total,
    open() {
      let own = 0;
      return {
        take(bytes) {
          if (held + bytes > total) {
            throw new DomainError(
              'unavailable',
              'The bodies of other requests take all the memory there is for them. Try again.',
              undefined,
              { 'retry-after': '1' },
            );
          }
          held += bytes;
          own += bytes;
        },
        close() {
          held -= own;
          own = 0;
        },
      };
    },
  };
}

/** What the headers say of the length of a body: undefined for one that comes in chunks. */
const announcedLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** Whether all of the body is here, as short ones are that come along with their headers. */
export const hasArrived = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength >= (announcedLength(request) ?? Infinity);

/**
 * Judged by its announced length and type before a byte is read, counted while it comes in. Bodies are never
 * decompressed.
 *
 * @throws DomainError `too-large`, `unsupported-media-type`, or `unavailable` where all the memory is taken
 */
export async function readBody(
  request: IncomingMessage,
  account: Account,
  { limit, begin }: { limit: number; /** Called before the first byte is waited for. */ begin(): void },
): Promise<Buffer | undefined> {
  const announced = announcedLength(request);
  if (announced === 0) return undefined;
  if (announced !== undefined) {
    if (announced > limit) throw tooLarge(limit);
    requireJson(request.headers['content-type']);
    account.take(announced);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new DomainError('unsupported-media-type', 'Bodies are taken as they are: send no Content-Encoding.');
  }
  if (!hasArrived(request)) begin();
  const chunks: Buffer[] = [];
  let whole: Buffer | undefined;
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (announced === undefined) {
      if (size + chunk.length > limit) throw tooLarge(limit);
      account.take(chunk.length);
      chunks.push(chunk);
    } else if (chunk.length === announced) whole = chunk;
    // Pieces that are joined at the end would be held twice.
    else chunk.copy((whole ??= Buffer.allocUnsafeSlow(announced)), size);
    size += chunk.length;
  }
  return whole ?? Buffer.concat(chunks);
}

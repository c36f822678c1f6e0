import type { IncomingMessage } from 'node:http';
import { DomainError, Unavailable } from '../engine/errors.ts';
import { requireJson, tooLarge } from '../engine/read-body.ts';

/** Bytes that the bodies of all current requests may take together, by default. */
export const defaultBodyMemory = 256 * 1024 * 1024;

/** The memory for the bodies of all current requests. */
export interface BodyMemory {
  /** In bytes. */
  readonly total: number;
  /** A reservation for one request, empty at first. */
  open(): Reservation;
}

export interface Reservation {
  /** Reserves more bytes. @throws Unavailable when there are not enough left */
  add(bytes: number): void;
  /** Frees all that was reserved. */
  release(): void;
}

export function createBodyMemory(total: number): BodyMemory {
  let used = 0;
  return {
    total,
    open() {
      let reserved = 0;
      return {
        add(bytes) {
          if (used + bytes > total)
            throw new Unavailable('The bodies of other requests take all the memory for bodies. Try again.');
          used += bytes;
          reserved += bytes;
        },
        release() {
          used -= reserved;
          reserved = 0;
        },
      };
    },
  };
}

/** The length of a body as its headers announce it; undefined for one that is sent in chunks. */
const announcedLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** Whether the whole body is here, as a short one is that arrives together with its headers. */
export const hasArrived = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength >= (announcedLength(request) ?? Infinity);

interface ReadOptions {
  /** In bytes. */
  limit: number;
  /** @throws DomainError `unsupported-media-type` */
  checkType?(contentType: string | undefined): void;
  /** Called before waiting for bytes that have not arrived. */
  onWait(): void;
}

/**
 * Reads a body. Its announced length and type are checked before the first byte, its real length while it arrives. A
 * compressed body is refused.
 *
 * @throws DomainError `too-large`, `unsupported-media-type`, or `unavailable` if there is no memory left
 */
export async function readBody(
  request: IncomingMessage,
  reservation: Reservation,
  { limit, checkType = requireJson, onWait }: ReadOptions,
): Promise<Buffer | undefined> {
  const length = announcedLength(request);
  if (length === 0) return undefined;
  if (length !== undefined) {
    if (length > limit) throw tooLarge(limit);
    checkType(request.headers['content-type']);
    reservation.add(length);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new DomainError('unsupported-media-type', 'Compressed bodies are not supported: send no Content-Encoding.');
  if (!hasArrived(request)) onWait();
  return length === undefined ? readChunked(request, reservation, limit) : readLength(request, length);
}

const chunksOf = (request: IncomingMessage): AsyncIterable<Buffer> => request.iterator({ destroyOnReturn: false });

async function readChunked(request: IncomingMessage, reservation: Reservation, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    if (size + chunk.length > limit) throw tooLarge(limit);
    reservation.add(chunk.length);
    chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

async function readLength(request: IncomingMessage, length: number): Promise<Buffer> {
  let body: Buffer | undefined;
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    if (chunk.length === length) body = chunk;
    // Chunks are copied as they arrive: joining them at the end would need twice the memory.
    else chunk.copy((body ??= Buffer.allocUnsafeSlow(length)), size);
    size += chunk.length;
  }
  return body ?? Buffer.alloc(0);
}

import { fstatSync, writeSync } from 'node:fs';
import { codeOf } from '../../shared/error-text.ts';
import { CommandError } from '../program/failure.ts';
import type { Sink } from './options.ts';

// process.stdout takes several milliseconds to create, a direct write takes none. But a direct write to a full pipe blocks
// the thread, and with it every signal handler, until the reader reads. This much fits into any new pipe.
const directBytes = 32 * 1024;

/** The functions of the system that a sink needs. */
export interface Descriptor {
  /** Whether a write may have to wait for a reader. */
  isPipe: boolean;
  /** @returns how many bytes were written */
  writeSync(bytes: Uint8Array): number;
  stream(): Pick<NodeJS.WriteStream, 'write' | 'on'>;
}

/**
 * Standard output. A write is done when all of it has left the process, which may end at any time after. If the reader
 * has closed the pipe, the process ends with status 0 and no message (`onGone`); any other failure is thrown.
 */
export function stdout(descriptor = descriptorOf(1), onGone: () => void = () => process.exit(0)): Sink {
  return sinkOf(descriptor, (error) => {
    if (isGone(error)) return onGone();
    throw new CommandError(`Standard output cannot be written: ${reasonOf(error)}.`, { cause: error });
  });
}

/** Standard error. Its failures are ignored: there is nowhere to report them. */
export function stderr(descriptor = descriptorOf(2)): Sink {
  return sinkOf(descriptor, () => {});
}

function descriptorOf(fd: 1 | 2): Descriptor {
  const stats = fstatSync(fd);
  return {
    isPipe: stats.isFIFO() || stats.isSocket(),
    writeSync: (bytes) => writeSync(fd, bytes),
    stream: () => (fd === 1 ? process.stdout : process.stderr),
  };
}

function sinkOf(descriptor: Descriptor, onError: (error: unknown) => void): Sink {
  let directlyWritten = 0;
  let stream: ReturnType<Descriptor['stream']> | undefined;

  function writeNow(bytes: Uint8Array): Promise<void> | undefined {
    const isDirect = !stream && (!descriptor.isPipe || directlyWritten + bytes.length <= directBytes);
    directlyWritten += bytes.length;
    try {
      const rest = isDirect ? writeDirectly(descriptor, bytes) : bytes;
      return rest.length > 0 ? writeToStream(rest).catch(onError) : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  function writeToStream(bytes: Uint8Array): Promise<void> {
    if (!stream) {
      stream = descriptor.stream();
      // A failure is reported by the callback of its write; without a listener it would also end the process.
      stream.on('error', () => {});
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    return promise;
  }

  return {
    // Once the stream is used, everything goes through it, which keeps the order.
    write: (text) => writeNow(typeof text === 'string' ? Buffer.from(text) : text),
  };
}

/** @returns the bytes that a full, non-blocking pipe did not accept */
function writeDirectly(descriptor: Descriptor, bytes: Uint8Array): Uint8Array {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(descriptor.writeSync(rest));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return rest;
      throw error;
    }
  }
  return rest;
}

function isGone(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET', 'EOF'].includes(codeOf(error));
}

const reasons: Record<string, string> = {
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EBADF: 'it is closed',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ? `${reasons[code]} (${code})` : code || String(error);
}

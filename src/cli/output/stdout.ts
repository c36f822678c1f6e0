import { fstatSync, writeSync } from 'node:fs';
import { codeOf } from '../../shared/error-text.ts';
import { OutputError } from './error.ts';
import type { Sink } from './options.ts';

// The stream of the process costs several milliseconds to make, a direct write nothing; but a direct write to a full
// pipe holds the thread, and with it every signal handler, until somebody reads. This much fits into any new pipe.
const directBytes = 32 * 1024;

/** What a sink needs of the system. */
export interface Descriptor {
  /** Whether a write may have to wait for a reader. */
  isPipe: boolean;
  /** Gives how many bytes were taken. */
  writeSync(bytes: Uint8Array): number;
  stream(): Pick<NodeJS.WriteStream, 'write' | 'on'>;
}

/**
 * Standard output. A write is done when all of it has left the process, which may end at any time after. A reader that
 * has gone away ends the process quietly with status 0 (`onGone`); any other failure is thrown.
 */
export function stdout(descriptor = descriptorOf(1), onGone: () => void = () => process.exit(0)): Sink {
  return sinkOf(descriptor, (error) => {
    if (isGone(error)) return onGone();
    throw new OutputError(`Standard output cannot be written: ${reasonOf(error)}.`, 1, error);
  });
}

/** Standard error. Nobody could be told that it cannot be written, so its failures are let go. */
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
  let directly = 0;
  let stream: ReturnType<Descriptor['stream']> | undefined;

  function writeNow(bytes: Uint8Array): Promise<void> | undefined {
    const isDirect = !stream && (!descriptor.isPipe || directly + bytes.length <= directBytes);
    directly += bytes.length;
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
      // Each failure reaches the write it belongs to; without a listener it would end the process as well.
      stream.on('error', () => {});
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    return promise;
  }

  return {
    // The stream keeps the order of what has to wait, and once there is one everything goes through it.
    write: (text) => writeNow(typeof text === 'string' ? Buffer.from(text) : text),
  };
}

/** Gives what a pipe that is full, and was set not to wait, has not taken. */
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
  ENOSPC: 'there is no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EBADF: 'it is closed',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ? `${reasons[code]} (${code})` : code || String(error);
}

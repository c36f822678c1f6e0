/** Gathers the pieces of one answer. */
export interface Gatherer {
  size: number;
  add(piece: Buffer): void;
  /** All pieces as one, and how to release their memory. */
  end(): { body: Uint8Array; release?: () => void };
}

const minBlockBytes = 64 * 1024;
/** At most this much is reserved for an announced length; for a longer answer, memory is added as it arrives. */
const maxReservedBytes = 4 * 1024 * 1024;
const maxFreeBlocks = 4;

/**
 * Memory for answers that is used again. The pages of a long list share a few blocks; without this, hundreds of unused
 * blocks would wait for the garbage collector.
 */
export function createMemory() {
  const free: Buffer[] = [];

  function acquire(size: number): Buffer {
    const fitting = free.findIndex((block) => block.length >= size);
    if (fitting >= 0) return free.splice(fitting, 1)[0]!;
    return Buffer.allocUnsafeSlow(Math.max(minBlockBytes, 2 ** Math.ceil(Math.log2(size))));
  }

  function release(block: Buffer) {
    if (free.length === maxFreeBlocks) free.shift();
    free.push(block);
  }

  return function gather(announced: number): Gatherer {
    let single: Buffer | undefined;
    let block: Buffer | undefined;
    let size = 0;

    function makeRoom(needed: number) {
      if (block && needed <= block.length) return;
      const larger = acquire(Math.max(needed, block ? 2 * block.length : Math.min(announced, maxReservedBytes)));
      block?.copy(larger, 0, 0, size);
      if (block) release(block);
      block = larger;
    }

    return {
      get size() {
        return size;
      },
      add(piece) {
        // Most answers arrive in one piece, which needs no copy.
        if (size === 0) single = piece;
        else {
          makeRoom(size + piece.length);
          single?.copy(block!);
          single = undefined;
          piece.copy(block!, size);
        }
        size += piece.length;
      },
      end() {
        if (single || !block) return { body: single ?? new Uint8Array() };
        const done = block;
        return { body: done.subarray(0, size), release: () => release(done) };
      },
    };
  };
}

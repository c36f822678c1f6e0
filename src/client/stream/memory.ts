/** Gathers the pieces of one answer. */
export interface Gatherer {
  size: number;
  add(piece: Buffer): void;
  /** All pieces as one, and how to give their memory back. */
  end(): { body: Uint8Array; release?: () => void };
}

const smallest = 64 * 1024;
/** An announced length is believed so far; a longer answer makes room as it comes. */
const largestAtOnce = 4 * 1024 * 1024;
const mostFree = 4;

/**
 * Memory for answers that is lent and given back: the pages of a long list use the same few blocks in turn, where the
 * collector would let hundreds of dead ones pile up.
 */
export function createMemory() {
  const free: Buffer[] = [];

  function acquire(size: number): Buffer {
    const fitting = free.findIndex((block) => block.length >= size);
    if (fitting >= 0) return free.splice(fitting, 1)[0]!;
    return Buffer.allocUnsafeSlow(Math.max(smallest, 2 ** Math.ceil(Math.log2(size))));
  }

  function release(block: Buffer) {
    if (free.length === mostFree) free.shift();
    free.push(block);
  }

  return function gather(announced: number): Gatherer {
    let single: Buffer | undefined;
    let block: Buffer | undefined;
    let size = 0;

    function makeRoom(needed: number) {
      if (block && needed <= block.length) return;
      const larger = acquire(Math.max(needed, block ? 2 * block.length : Math.min(announced, largestAtOnce)));
      block?.copy(larger, 0, 0, size);
      if (block) release(block);
      block = larger;
    }

    return {
      get size() {
        return size;
      },
      add(piece) {
        // Most answers come in one piece, which needs no copy.
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

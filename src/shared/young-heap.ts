/** At this size, collecting new objects takes little time, and few of them survive. */
const enoughBytes = 6e6;
/** The default growth factor of V8. */
const usualFactor = 2;

/**
 * Keeps the heap space of new objects small. V8 would let it grow to about 100 MB while rendering thousands of pages,
 * although almost nothing outlives its page.
 */
export class YoungHeap {
  #isLimited = false;

  /** Call this regularly. */
  check(): void {
    if (this.#isLimited) return;
    const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (size < enoughBytes) return;
    this.#isLimited = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  }

  /** Restores the default for later work in the process. */
  release(): void {
    if (!this.#isLimited) return;
    process.getBuiltinModule('node:v8').setFlagsFromString(`--semi-space-growth-factor=${usualFactor}`);
  }
}

/** The time in which commands read a few pages of a list. */
const intervalMs = 50;

/**
 * Collects old objects when the heap has grown by so much since the last time, instead of up to four times. Less costs more
 * processor time.
 */
export async function withHeapGrowth<T>(percent: number, run: () => Promise<T>): Promise<T> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  try {
    return await run();
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
}

/** Keeps the heap of a command small that would otherwise need several times the memory of its objects. */
export const withSmallHeap = <T>(run: () => Promise<T>): Promise<T> => withHeapGrowth(40, () => withYoungHeap(run));

let isKept = false;

/** Keeps the heap space of new objects small while something runs that reads much. Nested calls only run their function. */
export async function withYoungHeap<T>(run: () => Promise<T>): Promise<T> {
  if (isKept) return run();
  isKept = true;
  const heap = new YoungHeap();
  heap.check();
  const timer = setInterval(() => heap.check(), intervalMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    heap.release();
    isKept = false;
  }
}

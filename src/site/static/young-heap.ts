/** At this size, collecting new objects takes little time, and few of them outlive it. */
const enoughBytes = 6e6;
/** How V8 lets the space of new objects grow by default. */
const usualFactor = 2;

/**
 * Keeps the space of new objects small. V8 lets it grow to about 100 MB while thousands of pages are rendered, although
 * hardly anything of a page lives longer than the page.
 */
export class YoungHeap {
  #isLimited = false;

  /** To be called now and then. */
  check(): void {
    if (this.#isLimited) return;
    const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (size < enoughBytes) return;
    this.#isLimited = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  }

  /** What comes later in the process may need more. */
  release(): void {
    if (!this.#isLimited) return;
    process.getBuiltinModule('node:v8').setFlagsFromString(`--semi-space-growth-factor=${usualFactor}`);
  }
}

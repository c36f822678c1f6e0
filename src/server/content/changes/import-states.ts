import type { ImportState } from '../../../contract/instance.ts';

/** How long the state of an import can be read after its end. */
const keptMs = 600_000;
const maxKept = 1_000;

interface Limits {
  pages: number;
  depth: number;
  timeoutMs: number;
}

/** The states of the imports that run, or ended lately, by the ids that their clients made up. */
export class ImportStates {
  readonly #states = new Map<string, ImportState>();

  /** The state of a new import, which the import changes. Without an ID, it cannot be read. */
  begin(id: string | undefined, { pages, depth, timeoutMs }: Limits): ImportState {
    const state: ImportState = {
      step: 'fetching',
      fetched: 0,
      found: 0,
      leftOut: { pages: 0, depth: 0, time: 0, robots: 0, failed: 0 },
      limits: { pages, depth, seconds: timeoutMs / 1000 },
    };
    if (id === undefined || this.#states.has(id)) return state;
    const [oldest] = this.#states.keys();
    if (this.#states.size >= maxKept && oldest !== undefined) this.#states.delete(oldest);
    this.#states.set(id, state);
    return state;
  }

  end(id: string | undefined, state: ImportState, step: 'done' | 'failed'): void {
    state.step = step;
    // The timer must not keep the process running.
    if (id !== undefined) setTimeout(() => this.#states.delete(id), keptMs).unref();
  }

  find(id: string): ImportState | undefined {
    return this.#states.get(id);
  }
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { withLock } from '../../shared/lock.ts';
import type { Clock } from '../retry.ts';
import { currentPace, learn, type Pace, paceIn, type Refusal, takePlace } from './pace.ts';

export interface BudgetOptions {
  /** The folder of all budgets. It does not exist before a service first refuses a request with 429. */
  folder: string;
  /** What the service may count requests by: its address and the token. */
  key: readonly (string | undefined)[];
  /** Called once when requests have to wait. @param perMinute requests a minute, of all processes */
  onPace?: ((perMinute: number) => void) | undefined;
}

/** Another process holds the lock for less than a millisecond; one that was stopped must not stop the others. */
const lockTimeoutMs = 2000;
/** A wait that the service itself asks for ends the request instead, if it is longer. */
const longestWaitMs = 60_000;
const notedFromMs = 1000;

/** The budget in a file, which every process of the same address and token reads and writes. */
export class SharedBudget {
  readonly #folder: string;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #options: BudgetOptions;
  /** The requests of this process wait in line, so that only one of them asks for a place. */
  #line: Promise<unknown> = Promise.resolve();
  #isNoted = false;

  constructor(options: BudgetOptions, clock: Clock) {
    const name = createHash('sha256').update(JSON.stringify(options.key)).digest('hex').slice(0, 16);
    this.#folder = join(options.folder, name);
    this.#file = join(this.#folder, 'budget.json');
    this.#clock = clock;
    this.#options = options;
  }

  enter(signal?: AbortSignal): Promise<void> {
    const turn = this.#line.then(() => this.#enter(signal));
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      if (!existsSync(this.#file)) return;
      const wait = await this.#change((pace, now) => {
        const current = pace && currentPace(pace, now);
        if (!current) return { result: { ms: 0, interval: 0 } };
        const ms = takePlace(current, now);
        const isBlocked = current.since - now > longestWaitMs;
        return { pace: current, result: { ms: isBlocked ? 0 : ms, interval: current.interval } };
      });
      if (!wait || wait.ms <= 0) return;
      this.#note(wait);
      await this.#clock.sleep(Math.ceil(wait.ms), signal);
    }
  }

  async learn(refusal: Refusal): Promise<void> {
    await this.#change((pace) => {
      const current = pace && currentPace(pace, refusal.now);
      return { pace: learn(current, refusal), result: undefined };
    });
  }

  #note({ ms, interval }: { ms: number; interval: number }): void {
    if (this.#isNoted || ms < notedFromMs) return;
    this.#isNoted = true;
    this.#options.onPace?.(Math.max(1, Math.round(60_000 / interval)));
  }

  /** Changes the file under its lock. Without lock or file, requests are sent as if there were no budget. */
  async #change<T>(
    change: (pace: Pace | undefined, now: number) => { pace?: Pace; result: T },
  ): Promise<T | undefined> {
    try {
      return await withLock({ folder: this.#folder, what: 'request budget', timeoutMs: lockTimeoutMs }, () => {
        const { pace, result } = change(this.#read(), this.#clock.now());
        if (pace) writeFileAtomicSync(this.#file, JSON.stringify(pace), 0o600);
        return result;
      });
    } catch {
      return undefined;
    }
  }

  #read(): Pace | undefined {
    return existsSync(this.#file) ? paceIn(readFileSync(this.#file, 'utf8')) : undefined;
  }
}

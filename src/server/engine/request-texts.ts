import { DomainError, Unavailable } from './errors.ts';
import type { TextInput, TextOutput, TextTask } from '../text/tasks.ts';
import { runsInThisThread, type Texts } from '../text/texts.ts';

export interface TextLabel {
  /** Name of the text in error messages. */
  what: string;
  /** Tells this input from all others of the task, such as the id of a document. */
  key: string;
}

/** For all long texts of one request. */
const maxTotalMs = 60_000;

/** More rounds are only needed when others change the same content again and again. */
const maxRounds = 10;

/** Leaves a transaction so that no lock is held while a long text is worked on. */
class LeaveTransaction extends Error {
  readonly work: () => Promise<void>;

  constructor(work: () => Promise<void>) {
    super('A long text is worked on outside of the transaction.');
    this.work = work;
  }
}

/** Work on texts for one request. */
export class RequestTexts {
  readonly #texts: Texts;
  readonly #callerOf: () => string;
  /** What was worked on outside of the transaction, by task and key. */
  readonly #results = new Map<string, unknown>();
  #inTransaction = false;
  #spentMs = 0;

  /** @param callerOf the id of the caller, known once the request has begun; long texts are queued by caller */
  constructor(texts: Texts, callerOf: () => string) {
    this.#texts = texts;
    this.#callerOf = callerOf;
  }

  /**
   * Does work on a text. In a transaction only small texts are worked on directly: for a long one the transaction ends,
   * and starts again when the work is done.
   *
   * @throws DomainError `too-complex` beyond the limits
   */
  async run<N extends TextTask>(name: N, input: TextInput<N>, { what, key }: TextLabel): Promise<TextOutput<N>> {
    if (!this.#inTransaction || runsInThisThread(name, input)) return this.#work(name, input, what);
    const id = `${name} ${key}`;
    if (this.#results.has(id)) return this.#results.get(id) as TextOutput<N>;
    throw new LeaveTransaction(async () => void this.#results.set(id, await this.#work(name, input, what)));
  }

  async #work<N extends TextTask>(name: N, input: TextInput<N>, what: string): Promise<TextOutput<N>> {
    if (this.#spentMs > maxTotalMs) {
      throw new DomainError(
        'too-complex',
        `The texts of this request could not be read within ${maxTotalMs / 1000} s. Send fewer of them at once.`,
      );
    }
    const start = performance.now();
    try {
      return await this.#texts.run(name, input, { caller: this.#callerOf(), what });
    } finally {
      this.#spentMs += performance.now() - start;
    }
  }

  /** Runs a transaction, and runs it again after each long text that it needed. */
  async within<T>(transaction: () => Promise<T>): Promise<T> {
    for (let round = 0; round < maxRounds; round += 1) {
      this.#inTransaction = true;
      try {
        return await transaction();
      } catch (error) {
        if (!(error instanceof LeaveTransaction)) throw error;
        await error.work();
      } finally {
        this.#inTransaction = false;
      }
    }
    throw new Unavailable('The content changed several times while its texts were read. Try again.');
  }
}

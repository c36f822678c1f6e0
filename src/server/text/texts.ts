import { DomainError, Unavailable } from '../engine/errors.ts';
import type { TextLimits, TextPool } from './pool.ts';
import { isSmall } from './size.ts';
import type { TextInput, TextOutput, TextTask } from './tasks.ts';

export interface TextOptions {
  /** Who asks: each has one task under way at a time, and turns go round. */
  caller: string;
  /** What is read, for the message: `The text of /changes/0/document`. */
  what: string;
}

/**
 * Work on texts: small ones at once, all others in workers with limits of time and memory. So whatever a text holds,
 * others are answered meanwhile.
 */
export interface Texts {
  /**
   * @throws DomainError `too-complex` beyond the limits, `unavailable` when there are no workers any more
   * @throws ImportFailure where a task of an import does
   */
  run<N extends TextTask>(name: N, input: TextInput<N>, options: TextOptions): Promise<TextOutput<N>>;
  /** Ends all workers: what they were doing fails as unavailable. */
  close(): Promise<void>;
}

/** What these are given says little of how much they work on: they are never done in this thread. */
const unpacking: ReadonlySet<TextTask> = new Set(['readDocx', 'readZip', 'layOutPdf']);

/** Whether a task is done in this thread. */
export const runsInThisThread = (name: TextTask, input: unknown): boolean => !unpacking.has(name) && isSmall(input);

export function createTexts(limits: Partial<TextLimits> = {}): Texts {
  // Most commands have no long text: they load no workers.
  let pool: Promise<TextPool> | undefined;
  let isClosed = false;

  async function work<N extends TextTask>(name: N, input: TextInput<N>, caller: string): Promise<TextOutput<N>> {
    if (runsInThisThread(name, input)) return (await import('./tasks.ts')).runTask(name, input);
    if (isClosed) throw new Unavailable('The service is shutting down. Try again.');
    pool ??= import('./pool.ts').then((module) => new module.TextPool(limits));
    return (await pool).run(name, input, caller);
  }

  return {
    async run<N extends TextTask>(name: N, input: TextInput<N>, { caller, what }: TextOptions): Promise<TextOutput<N>> {
      try {
        return await work(name, input, caller);
      } catch (error) {
        const { limitExceeded } = await import('./failures.ts');
        const exceeded = limitExceeded(error);
        throw exceeded ? new DomainError('too-complex', `${what} ${exceeded.message}`) : error;
      }
    },
    async close() {
      isClosed = true;
      await (await pool)?.close(new Unavailable('The service is shutting down. Try again.'));
    },
  };
}

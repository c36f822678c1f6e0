import { DomainError, Unavailable } from '../engine/errors.ts';
import { isSmall } from '../../threads/size.ts';
import type { TaskLimits } from '../../threads/worker.ts';
import type { TextPool } from './pool.ts';
import type { TextInput, TextOutput, TextTask } from './tasks.ts';

interface TextOptions {
  /** The caller: each has at most two running tasks, and callers take turns. */
  caller: string;
  /** Name of the text for messages: `The text of /changes/0/document`. */
  what: string;
}

/**
 * Work on texts: on small ones in this thread, on all others in workers with limits of time and memory. So no text can
 * block other requests.
 */
export interface Texts {
  /**
   * @throws DomainError `too-complex` beyond the limits, `unavailable` after `close`
   * @throws ImportFailure if a task of an import does
   */
  run<N extends TextTask>(name: N, input: TextInput<N>, options: TextOptions): Promise<TextOutput<N>>;
  /** Ends all workers; their tasks fail as unavailable. */
  close(): Promise<void>;
}

/** Their work can be much larger than their input, or the input is known to be large, so they never run in this thread. */
const largeTasks: ReadonlySet<TextTask> = new Set(['readDocx', 'readZip', 'layOutPdf', 'readBody']);

/** Whether a task needs no worker. */
export const runsInThisThread = (name: TextTask, input: unknown): boolean => !largeTasks.has(name) && isSmall(input);

export function createTexts(limits: Partial<TaskLimits> = {}): Texts {
  // Most commands have no long text, so the workers are loaded on first use.
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
        const { limitExceeded } = await import('../../threads/failures.ts');
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

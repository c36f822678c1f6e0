import type { Failure } from './failures.ts';

/**
 * Work for a thread, by name. Inputs and outputs are plain data, because they are copied between threads. A task that
 * takes several steps reports each one before it begins.
 */
export type Tasks = Record<string, (input: never, onStep: (step: string) => void) => Promise<unknown>>;

export type TaskName<T extends Tasks> = keyof T & string;
export type TaskInput<T extends Tasks, N extends TaskName<T>> = Parameters<T[N]>[0];
export type TaskOutput<T extends Tasks, N extends TaskName<T>> = Awaited<ReturnType<T[N]>>;

/** A table whose tasks can be called by a name that is known only when the program runs. */
export type CallableTasks<T extends Tasks> = {
  [N in TaskName<T>]: (input: TaskInput<T, N>, onStep: (step: string) => void) => Promise<TaskOutput<T, N>>;
};

export interface TaskRequest {
  name: string;
  input: unknown;
}

/** What a thread sends: the steps of a task, then its result. */
export type TaskMessage = { step: string } | { value: unknown } | { failure: Failure };

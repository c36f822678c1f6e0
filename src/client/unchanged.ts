const answers = new WeakSet<object>();

/** Remembers the answer to a change that changed nothing, because all values were as requested. */
export const markUnchanged = (answer: object): void => void answers.add(answer);

/** Whether a change changed nothing; false if it is not known. */
export const isUnchanged = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && answers.has(answer);

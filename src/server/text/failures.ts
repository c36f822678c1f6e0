import { type FailureCode, ImportFailure } from '../../content/import/failure.ts';

const memory = 'the memory that there is for it';
const simpler = 'make it simpler, or split it.';

/** A text takes more than it may. The message goes on from what it is that is read. */
export class TextLimitExceeded extends Error {
  static readonly depth = `nests too deeply to be read: ${simpler}`;

  /** @param limit in words, such as `5 s` */
  static within(limit: string): TextLimitExceeded {
    return new TextLimitExceeded(`could not be read within ${limit}: ${simpler}`);
  }
}

/** An error on its way out of a thread, where classes are lost. */
export type Failure =
  | { kind: 'import'; code: FailureCode; message: string }
  | { kind: 'limit'; message: string }
  | { kind: 'other'; message: string; stack: string | undefined };

export function failureOf(error: unknown): Failure {
  if (error instanceof ImportFailure) return { kind: 'import', code: error.code, message: error.message };
  const exceeded = limitExceeded(error);
  if (exceeded) return { kind: 'limit', message: exceeded.message };
  const { message = String(error), stack } = error instanceof Error ? error : {};
  return { kind: 'other', message, stack };
}

export function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'import':
      return new ImportFailure(failure.code, failure.message);
    case 'limit':
      return new TextLimitExceeded(failure.message);
    case 'other':
      return Object.assign(new Error(failure.message), { stack: failure.stack });
  }
}

/** The same error, or what an error of the platform tells of a limit; undefined for all others. */
export function limitExceeded(error: unknown): TextLimitExceeded | undefined {
  if (error instanceof TextLimitExceeded) return error;
  const isOutOfMemory = (error as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isOutOfMemory) return TextLimitExceeded.within(memory);
  if (!(error instanceof RangeError)) return undefined;
  if (error.message.includes('call stack')) return new TextLimitExceeded(TextLimitExceeded.depth);
  const isTooLong = /^Invalid (?:string|array) length/.test(error.message);
  return isTooLong ? TextLimitExceeded.within(memory) : undefined;
}

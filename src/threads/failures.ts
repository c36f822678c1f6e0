import { codeOf } from '../shared/error-text.ts';
import { SettingsError } from '../content/folder/folder-settings.ts';
import { type FailureCode, ImportFailure } from '../content/import/failure.ts';

const memoryLimit = 'its limit of memory';
const advice = 'make it simpler, or split it.';

/** A text takes too much time or memory. The message is a predicate: the name of the text goes before it. */
export class TextLimitExceeded extends Error {
  static readonly depth = `is nested too deeply to be read: ${advice}`;

  /** @param limit in words, such as `5 s` */
  static within(limit: string): TextLimitExceeded {
    return new TextLimitExceeded(`could not be read within ${limit}: ${advice}`);
  }
}

/** An error as data: classes are lost between threads. */
export type Failure =
  | { kind: 'import'; code: FailureCode; message: string }
  | { kind: 'limit'; message: string }
  | { kind: 'settings'; message: string }
  | { kind: 'other'; message: string; stack: string | undefined; code?: unknown; path?: unknown };

export function failureOf(error: unknown): Failure {
  if (error instanceof ImportFailure) return { kind: 'import', code: error.code, message: error.message };
  const exceeded = limitExceeded(error);
  if (exceeded) return { kind: 'limit', message: exceeded.message };
  if (error instanceof SettingsError) return { kind: 'settings', message: error.message };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: undefined };
  const { message, stack, code, path }: Error & { code?: unknown; path?: unknown } = error;
  // Errors of the file system have these.
  return { kind: 'other', message, stack, ...(code !== undefined && { code }), ...(path !== undefined && { path }) };
}

export function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'import':
      return new ImportFailure(failure.code, failure.message);
    case 'limit':
      return new TextLimitExceeded(failure.message);
    case 'settings':
      return new SettingsError(failure.message);
    case 'other': {
      const { kind: _, message, ...members } = failure;
      return Object.assign(new Error(message), members);
    }
  }
}

/** The exceeded limit behind an error, be it our own or one of the platform; undefined for other errors. */
export function limitExceeded(error: unknown): TextLimitExceeded | undefined {
  if (error instanceof TextLimitExceeded) return error;
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') return TextLimitExceeded.within(memoryLimit);
  if (!(error instanceof RangeError)) return undefined;
  if (error.message.includes('call stack')) return new TextLimitExceeded(TextLimitExceeded.depth);
  const isTooLong = /^Invalid (?:string|array) length/.test(error.message);
  return isTooLong ? TextLimitExceeded.within(memoryLimit) : undefined;
}

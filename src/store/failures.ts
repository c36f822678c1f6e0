import { codeOf, messageOf } from '../shared/error-text.ts';
import { isBusy, isFull, isUniqueViolation as isUniqueInFile } from '../shared/sqlite-error.ts';

/** Whether a database error reports a duplicate value. */
export const isUniqueViolation = (error: unknown): boolean => isUniqueInFile(error) || codeOf(error) === '23505';

/** Whether a database rejected the character U+0000, which PostgreSQL cannot store in texts. */
export const isUnstorableText = (error: unknown): boolean => codeOf(error) === '22021';

/** PostgreSQL's codes for transactions that conflicted with others in every attempt, or waited too long. */
const contended = new Set(['40001', '40P01', '55P03', '57014']);

/** PostgreSQL's code for a full disk. */
const diskFull = '53100';

/** Codes of PostgreSQL and the system for a database that is unreachable, stopping, starting, or out of connections. */
const unreachable =
  /^(?:08\w{3}|57P0[1-4]|53300|25006|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages that the driver sends without a code. */
const lost =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/;

/** The message for a request that a database cannot process now, but perhaps later. */
export function unavailability(error: unknown): { message: string; retryAfterSeconds?: number } | undefined {
  const code = codeOf(error);
  if (isBusy(error) || contended.has(code)) return { message: 'The database is busy with another process. Try again.' };
  if (isFull(error) || code === diskFull) {
    return {
      message: 'The disk of this instance is full, so nothing can be written. Free space on it, then try again.',
      retryAfterSeconds: 30,
    };
  }
  if (unreachable.test(code) || lost.test(messageOf(error))) {
    return { message: 'The database does not answer. Try again.' };
  }
  return undefined;
}

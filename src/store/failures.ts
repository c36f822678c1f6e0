import { codeOf, messageOf } from '../shared/error-text.ts';
import { isBusy, isFull, isUniqueViolation as isUniqueInFile } from '../shared/sqlite-error.ts';

/** Whether an error of a database says that another row has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean => isUniqueInFile(error) || codeOf(error) === '23505';

/** Whether a database refused the character U+0000, which PostgreSQL does not hold in texts. */
export const isUnstorableText = (error: unknown): boolean => codeOf(error) === '22021';

/** Codes of PostgreSQL for transactions that others were in the way of: as often as they were tried, or for too long. */
const contended = new Set(['40001', '40P01', '55P03', '57014']);

/** The code of PostgreSQL for a full disk. */
const diskFull = '53100';

/** Codes of PostgreSQL and of the system for a database that cannot be reached, ends, begins, or has too many connections. */
const unreachable =
  /^(?:08\w{3}|57P0[1-4]|53300|25006|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** What the driver says without a code. */
const lost =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/;

/** What to tell who asked for something that a database cannot do now, and may be able to do later. */
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

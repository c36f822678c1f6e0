/** The extended result code of an error of SQLite. */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** Whether an error is a UNIQUE or PRIMARY KEY violation. */
export function isUniqueViolation(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 2067 || code === 1555;
}

/** Whether another process holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** Whether the disk is full: SQLITE_FULL, or SQLITE_IOERR when there is no room for the write-ahead log. */
export function isFull(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 13 || code === 10;
}

/** The primary result code: the lower byte of the extended one. */
export const primaryCode = (error: unknown): number => (sqliteCode(error) ?? 0) & 0xff;

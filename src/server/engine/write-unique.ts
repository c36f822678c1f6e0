import { isUniqueViolation } from '../../store/failures.ts';
import { Conflict } from './errors.ts';

/** @throws Conflict with this message if another row has a value that must be unique */
export async function writeUnique<T>(message: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Conflict('already-exists', message);
  }
}

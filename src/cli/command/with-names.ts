import { isDeepStrictEqual } from 'node:util';
import { HttpError } from '../../client/errors/http-error.ts';
import { reasons } from '../../contract/errors.ts';
import type { Call, Invocation } from './command.ts';

/**
 * Looks up what a call is about, with ids where the call has names. Texts that may be ids are taken as such, and looked up
 * as names only where there is no such object.
 */
export async function withNames<Part extends Pick<Call, 'endpoint' | 'params'>, Found>(
  invocation: Invocation,
  call: Part,
  find: (named: Part) => Promise<Found>,
): Promise<Found> {
  const names = await invocation.names();
  const prepared = { ...call, ...(await names.prepare(call.endpoint, call)) };
  try {
    const found = await find(prepared);
    // A title may have been looked up on the way.
    const named = { ...prepared, ...(await names.prepare(call.endpoint, prepared)) };
    return isDeepStrictEqual(named, prepared) ? found : await find(named);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== reasons['not-found']) throw error;
    return find({ ...prepared, ...(await names.resolve(call.endpoint, prepared)) });
  }
}

import { isMissing } from '../../../client/errors/http-error.ts';
import { paramNames, pathUpTo } from '../../../contract/path.ts';
import type { Call, Invocation } from '../command.ts';
import { lookUp } from '../dry-run/named-objects.ts';

/**
 * Whether a call would delete an object that does not exist.
 *
 * @throws the error of the service if what the object is in does not exist
 */
export async function isGone(invocation: Invocation, call: Call, error: unknown): Promise<boolean> {
  if (call.endpoint.method !== 'DELETE' || !isMissing(error)) return false;
  await assertParents(invocation, call);
  return true;
}

/** @throws the error of the service if what the object of a call is in does not exist */
export async function assertParents(invocation: Invocation, { endpoint, params }: Call): Promise<void> {
  const parent = paramNames(endpoint.path).at(-2);
  if (parent === undefined) return;
  const path = pathUpTo(endpoint.path, parent);
  const names = await invocation.names();
  const ids = await names.prepare({ ...endpoint, path }, { params });
  await lookUp(invocation, path, { ...params, ...ids.params });
}

import { UsageError } from '../../program/failure.ts';
import type { Invocation } from '../command.ts';
import { momentOf } from './moment.ts';
import { selectionOf } from './selection.ts';
import type { Selection } from './types.ts';

/** What `--filter` and `--sort-by` ask for, and `--older-than` beside them. @throws UsageError for a text that is no age */
export function olderThan({ command, values, flags }: Invocation, age: string): Selection | undefined {
  if (!momentOf(age, Date.now())?.isAge)
    throw new UsageError(`--older-than: "${age}" is not an age.`, 'Write a number with m, h, d or w: 30d.');
  const endpoint = (flags.cr === undefined ? undefined : command.changeRequestEndpoint) ?? command.endpoint;
  const filter = [...(flags.filter ?? []), `${command.output?.ageKey ?? 'updatedAt'}<${age}`];
  return selectionOf(command, endpoint, { ...values, filter });
}

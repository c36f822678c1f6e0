import type { Profile } from './config.ts';
import { nearest } from '../../shared/suggest.ts';
import { CommandError, exit } from '../program/failure.ts';

/**
 * The profile of a name. If there is none, the status is "not found", as for an object of the service.
 *
 * @param source the flag, variable or file that names it; absent for an argument
 * @throws CommandError (status 5) with the most similar name
 */
export function profileNamed(profiles: Record<string, Profile>, name: string, source?: string): Profile {
  const profile = profiles[name];
  if (profile) return profile;
  const names = Object.keys(profiles);
  const near = nearest(name, names);
  throw new CommandError(`There is no profile "${name}"${source === undefined ? '' : ` (${source})`}.`, {
    exitCode: exit.notFound,
    hint:
      names.length === 0
        ? 'Make one with "docsctl auth login" or "docsctl init".'
        : `${near === undefined ? '' : `Did you mean "${near}"? `}There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`,
  });
}

import type { Profile } from './config.ts';
import { nearest } from '../../shared/suggest.ts';
import { exit } from '../program/exit-status.ts';
import { CommandError } from '../program/failure.ts';

/**
 * A profile by its name, which is kept on this machine as other objects are in the service: where there is none, that
 * is "not found", whether a flag, a variable, a file or an argument names it.
 *
 * @param source what names it, where that is no argument
 * @throws CommandError (status 5) with the nearest name
 */
export function profileNamed(profiles: Record<string, Profile>, name: string, source?: string): Profile {
  const found = profiles[name];
  if (found) return found;
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

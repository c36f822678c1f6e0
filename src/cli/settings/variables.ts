import { nearest } from '../../shared/suggest.ts';

/** The variables that docsctl reads, and what each is for, in lines of the help. */
export const variables: Readonly<Record<string, readonly string[]>> = {
  DOCSCTL_URL: ['address of the service; takes precedence over the', 'profile, unless --profile is used'],
  DOCSCTL_TOKEN: ['token for DOCSCTL_URL or --url; never saved, and never', 'sent to the address of a profile'],
  DOCSCTL_TOKEN_FILE: ['file with the token, instead of DOCSCTL_TOKEN'],
  DOCSCTL_PROFILE: ['profile to use'],
  DOCSCTL_ORG: ['default organization'],
  DOCSCTL_SPACE: ['default space'],
  DOCSCTL_SITE: ['default site'],
  DOCSCTL_CONFIG_DIR: ['settings folder (default: docsctl in XDG_CONFIG_HOME)'],
  DOCSCTL_DATA_DIR: ['local instance (default: docsctl in XDG_DATA_HOME)'],
  DOCSCTL_STATE_DIR: ['journals (default: docsctl in XDG_STATE_HOME)'],
  DOCSCTL_CACHE_DIR: ['cache (default: docsctl in XDG_CACHE_HOME)'],
  DOCSCTL_JOURNAL: ['"off" turns off the journal, history and undo'],
  DOCSCTL_KEYRING: ['"off" saves tokens in a file with mode 0600 instead'],
  DOCSCTL_PROMPTS: ['"plain" uses numbered lines without redrawing, for screen', 'readers; also used with TERM=dumb'],
  DOCSCTL_SERVE_DB: ['database of "docsctl serve": a file, or postgres://...'],
  DOCSCTL_SERVE_TOKEN: ['administrator\'s token of "docsctl serve"'],
  DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: ['"1" lets the local instance fetch from private addresses'],
};

/** Variables that are not for people: those of the GitHub action, and one for finding errors of docsctl itself. */
const internal = new Set(['DOCSCTL_ACTION_VERSION', 'DOCSCTL_ACTION_COMMAND', 'DOCSCTL_DEBUG_STACK']);

const prefix = 'DOCSCTL_';

/** A variable that looks as if it were for docsctl and is not read, with the name that was probably meant. */
export interface UnknownVariable {
  name: string;
  meant: string | undefined;
}

/** The variables that are set and not read: a misspelt one would be ignored without a word. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  const known = Object.keys(variables);
  const ends = known.map((name) => name.slice(prefix.length));
  return Object.keys(env)
    .filter((name) => env[name] && !known.includes(name) && !internal.has(name))
    .toSorted()
    .flatMap((name) => {
      const end = endOf(name);
      if (end === undefined) return [];
      const near = nearest(end, ends);
      // Other programs have variables with a prefix like this one.
      if (near === undefined && !name.startsWith(prefix)) return [];
      return [{ name, meant: near === undefined ? undefined : prefix + near }];
    });
}

/** What follows the prefix, which may be misspelt itself; undefined for a variable of another program. */
function endOf(name: string): string | undefined {
  const end = name.slice(name.indexOf('_') + 1);
  const start = name.slice(0, name.length - end.length);
  return start === prefix || nearest(start, [prefix]) !== undefined ? end : undefined;
}

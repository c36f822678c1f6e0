import { names } from './names-topic.ts';
import { exitMeanings } from '../../cli/program/exit-status.ts';

const exitCodes = () => `Exit status of every command:

${exitMeanings.map(([status, meaning]) => `  ${String(status).padStart(3)}  ${meaning}`).join('\n')}

The help of a command says what each status means for it. After 7 you can try
again; docsctl has already done so, as often as --retries says. After 8, the
items that failed are named on standard error, and the others are done.

Errors are printed on standard error as "error: ...", with a "hint: ..." that
says what to do. With -o json an error is one JSON object; fields that do not
apply are left out:
  {"error":{"status","reason","message","details","hint","requestId"}}
`;

const environment = () => `Variables that docsctl reads:

  DOCSCTL_URL          address of the service; used instead of the profile,
                       unless --profile is given
  DOCSCTL_TOKEN        token for DOCSCTL_URL or --url; never saved, and never
                       sent to the address of a profile
  DOCSCTL_PROFILE      profile to use
  DOCSCTL_ORG          default organization
  DOCSCTL_SPACE        default space
  DOCSCTL_SITE         default site
  DOCSCTL_CONFIG_DIR   folder of the settings; else docsctl in XDG_CONFIG_HOME
  DOCSCTL_DATA_DIR     folder of the local instance; else in XDG_DATA_HOME
  DOCSCTL_CACHE_DIR    folder of the cache; else in XDG_CACHE_HOME
  DOCSCTL_KEYRING      "off" saves tokens in a file with mode 0600 instead
  DOCSCTL_PROMPTS      "plain" asks in numbered lines that are never redrawn, as
                       TERM=dumb does: for screen readers
  DOCSCTL_SERVE_TOKEN  administrator's token of "docsctl serve"
  DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS
                       "1" lets the local instance fetch from private addresses
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                       proxies for requests to the service
  NODE_EXTRA_CA_CERTS  file with more certificates to trust
  NO_COLOR, FORCE_COLOR, COLUMNS, TERM
                       how results look in a terminal
  CI                   when set, no questions are asked
  GITHUB_ACTIONS, GITLAB_CI
                       when "true", checks write annotations, unless --no-ci

Flags take precedence over variables, variables over .docsctl.yaml, and
.docsctl.yaml over the profile. "docsctl config list --show-origin" shows the
values in effect and where they come from.

The address "embedded:<file>" is an instance in the same process, without a
server or a token. "embedded:" alone is the local instance.
`;

const output = () => `How results are printed:

  In a terminal        a table for lists, a card for one object
  In a pipe            tab-separated values without a header; for one object
                       a line for each field: name, tab, value

  -o table             for people
  -o json              one JSON document: a list is one array
  -o jsonl             one JSON object per line, as pages arrive
  -o yaml              the same as JSON, but as YAML
  -o csv               with a header; formulas in cells are not run
  -o tsv               tabs and line breaks in cells are written \\t and \\n
  -o id                only ids, one per line: for "docsctl ... -"

  --columns a,b.c      only these fields
  --jq EXPRESSION      the result of jq; texts without quotes
  --header             a header in a pipe too
  --no-header          no header in tables and CSV

--dry-run prints requests on standard output, as JSON with -o json. With -o id,
--jq or --columns there is no response to select from: standard output is empty,
the requests go to standard error, and the status is 0. So
id=$(docsctl spaces create --title X -o id --dry-run) gives an empty id.

Results go to standard output, everything else to standard error. JSON and YAML
have all fields, also those that a table leaves out. Lists follow all pages;
--limit says how many items in all. Memory does not grow with the list.
`;

const profiles = () => `A profile is a service and how to reach it:

  docsctl auth login --profile work     asks for the address and the token
  docsctl init                          the profile "local": an instance in this
                                        process
  docsctl profiles list                 all profiles
  docsctl profiles use work             from now on
  docsctl --profile work members list   for this command

The first of these that is set chooses the service: --url; --profile;
DOCSCTL_URL; DOCSCTL_PROFILE; "profile:" in the nearest .docsctl.yaml; the
current profile. A token is sent only to the address it was saved for.
DOCSCTL_TOKEN is sent only to --url or DOCSCTL_URL, and not with --profile.

.docsctl.yaml holds settings of a project. It is searched for upwards from the
working directory. It can be committed, and never holds a token:

  profile: work
  org: ...
  space: handbook0001
  site: ...
  openapi:
    - { slug: petstore, path: api/petstore.yaml }
  content:
    - { space: handbook0001, path: docs }

The file may come from anybody: its profile is used only after you allowed it.

  docsctl profiles allow                for this folder and this profile
  docsctl profiles deny                 removes the permission

Its paths must be inside the project (the git repository, else the folder of the
file) and not in a hidden folder. A file that belongs to another user, or that
every user can write, is not read.
`;

/** Texts of `docsctl help <topic>`. */
export const topics: Record<string, () => string> = { 'exit-codes': exitCodes, environment, names, output, profiles };

/** The width that the topics are written for. */
const fullWidth = 80;
const meaningIndent = '      ';

/** A topic for a narrower screen: the meaning of a term goes below it, and paragraphs are wrapped again. */
export function fitted(text: string, width: number): string {
  if (width >= fullWidth) return text;
  return text
    .trimEnd()
    .split('\n\n')
    .flatMap((paragraph) => [...fittedParagraph(paragraph.split('\n'), width), ''])
    .join('\n');
}

function fittedParagraph(paragraph: string[], width: number): string[] {
  const lines: string[] = [];
  let words: string[] = [];
  let indent = '';
  const endBlock = () => {
    if (words.length > 0) lines.push(...wrapped(words.join(' '), indent, width));
    words = [];
  };
  for (const line of paragraph) {
    // slow-regexp: the texts are those of the help
    const [, term, meaning = ''] = /^( +\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    const continued = /^ {10,}(\S.*)$/.exec(line)?.[1];
    if (term !== undefined) {
      endBlock();
      lines.push(term);
      indent = meaningIndent;
      words = [meaning];
    } else if (continued !== undefined) {
      indent = meaningIndent;
      words.push(continued);
    } else if (line.startsWith(' ')) {
      endBlock();
      lines.push(line);
    } else {
      indent = '';
      words.push(line);
    }
  }
  endBlock();
  return lines;
}

function wrapped(text: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

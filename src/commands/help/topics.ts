import { exitMeanings } from '../../cli/program/exit-status.ts';

const exitCodes = () => `Exit status of every command:

${exitMeanings.map(([status, meaning]) => `  ${String(status).padStart(3)}  ${meaning}`).join('\n')}

What each means for a command is in its help. After 7 it is worth trying again:
docsctl itself did, as often as --retries says. After 8 the items that failed
are named on standard error, and the others are done.

An error is told on standard error as "error: ..." with a "hint: ..." that says
what to do. With -o json it is one JSON object, without what does not apply:
  {"error":{"status","reason","message","details","hint","requestId"}}
`;

const environment = () => `Variables that docsctl reads:

  DOCSCTL_URL          service to talk to; goes before profiles, but --profile
  DOCSCTL_TOKEN        token for it, or for --url; never stored, and never
                       sent to the address of a profile
  DOCSCTL_PROFILE      profile to use
  DOCSCTL_ORG          organization where none is named
  DOCSCTL_SPACE        space where none is named
  DOCSCTL_SITE         site where none is named
  DOCSCTL_CONFIG_DIR   folder of the settings; else docsctl in XDG_CONFIG_HOME
  DOCSCTL_DATA_DIR     folder of the local instance; else in XDG_DATA_HOME
  DOCSCTL_CACHE_DIR    folder of what may be lost; else in XDG_CACHE_HOME
  DOCSCTL_KEYRING      "off" keeps tokens in a file of mode 0600 instead
  DOCSCTL_PROMPTS      "plain" asks in numbered lines that are never redrawn, as
                       TERM=dumb does: for screen readers
  DOCSCTL_SERVE_TOKEN  administrator's token of "docsctl serve"
  DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS
                       "1" lets the local instance fetch from private addresses
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                       proxies on the way to the service
  NODE_EXTRA_CA_CERTS  file with further certificates to trust
  NO_COLOR, FORCE_COLOR, COLUMNS, TERM
                       how results look in a terminal
  CI                   when set, nothing is asked
  GITHUB_ACTIONS, GITLAB_CI
                       when "true", checks write annotations; --no-ci says no

Flags go before variables, these before .docsctl.yaml, that before the profile:
"docsctl config list --show-origin" tells what counts, and why.

An address "embedded:<file>" is an instance in the same process: no server, no
token. "embedded:" alone is the local one.
`;

const output = () => `How results are printed:

  In a terminal        a table for lists, a card for one object
  In a pipe            tab-separated values without a header; for one object
                       a line for each field, its name before a tab

  -o table             for people
  -o json              one JSON document: a list is one array
  -o jsonl             one JSON object a line, as pages arrive
  -o yaml              the same as YAML
  -o csv               with a header; no cell runs as a formula
  -o tsv               tabs and line breaks in cells are written \\t and \\n
  -o id                ids alone, one a line: for "docsctl ... -"

  --columns a,b.c      these paths only
  --jq EXPRESSION      what jq makes of the JSON; texts without quotes
  --header             a header in a pipe too
  --no-header          no header in tables and CSV

--dry-run prints requests on standard output, as JSON with -o json. An answer is
not there to be picked from, so with -o id, --jq or --columns standard output is
empty, the requests go to standard error, and the status is 0 all the same: in
id=$(docsctl spaces create --title X -o id --dry-run) nothing is an id.

Results go to standard output, everything else to standard error. JSON and YAML
are whole, whatever a table shows. Lists follow all pages; --limit says how many
in all. Memory does not grow with the list.
`;

const profiles = () => `A profile is a service and how to reach it:

  docsctl auth login --profile work     asks for the address and the token
  docsctl init                          the profile "local": an instance in this
                                        process
  docsctl profiles list                 what there is
  docsctl profiles use work             from now on
  docsctl --profile work members list   for this command

Which service counts, first to last: --url; --profile; DOCSCTL_URL;
DOCSCTL_PROFILE; "profile:" in the nearest .docsctl.yaml; the current profile.
A token is sent only to the address it was kept for. DOCSCTL_TOKEN goes to --url
or DOCSCTL_URL only, and not with --profile.

.docsctl.yaml is looked for upwards from the working directory. It is for a
project, may be committed, and never holds a token:

  profile: work
  org: ...
  space: handbook0001
  site: ...
  openapi:
    - { slug: petstore, path: api/petstore.yaml }
  content:
    - { space: handbook0001, path: docs }

The file may come from anybody: its profile counts once you allowed it.

  docsctl profiles allow                for this folder and this profile
  docsctl profiles deny                 not any more

Its paths lead nowhere outside of the project (the git repository, else the
folder of the file) and into no hidden folder. A file that belongs to another
user, or that every user can write, is not read.
`;

/** Texts of `docsctl help <topic>`. */
export const topics: Record<string, () => string> = { 'exit-codes': exitCodes, environment, output, profiles };

const written = 80;

/** A topic for a narrower screen: what a term means goes below it, and paragraphs flow. */
export function fitted(text: string, width: number): string {
  if (width >= written) return text;
  const lines: string[] = [];
  for (const paragraph of text.trimEnd().split('\n\n')) {
    let indent = '';
    let flowing: string[] = [];
    const end = () => {
      if (flowing.length > 0) lines.push(...flow(flowing.join(' '), indent, width));
      flowing = [];
    };
    for (const line of paragraph.split('\n')) {
      // slow-regexp: the texts are those of the help
      const [, term, meaning] = /^( +\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
      const further = /^ {10,}(\S.*)$/.exec(line)?.[1];
      if (term !== undefined) {
        end();
        lines.push(term);
        indent = '      ';
        flowing = [meaning!];
      } else if (further !== undefined) {
        indent = '      ';
        flowing.push(further);
      } else if (line.startsWith(' ')) {
        end();
        lines.push(line);
      } else {
        indent = '';
        flowing.push(line);
      }
    }
    end();
    lines.push('');
  }
  return lines.join('\n');
}

function flow(text: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

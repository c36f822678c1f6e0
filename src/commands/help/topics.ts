import { names } from './names-topic.ts';
import { globalOptions } from '../../cli/program/globals.ts';
import { exitMeanings } from '../../cli/program/exit-status.ts';
import { variables } from '../../cli/settings/variables.ts';
import { filters } from './filters-topic.ts';

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

const nameWidth = 19;

/** Each variable with what it is for, which may take several lines. */
const variableLines = () =>
  Object.entries(variables)
    .flatMap(([name, lines]) => {
      const [first = '', ...rest] = name.length > nameWidth ? ['', ...lines] : lines;
      return [
        `  ${name.padEnd(nameWidth)}  ${first}`.trimEnd(),
        ...rest.map((line) => `  ${''.padEnd(nameWidth)}  ${line}`),
      ];
    })
    .join('\n');

const environment = () => `Variables that docsctl reads:

${variableLines()}
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                       proxies for requests to the service
  NODE_EXTRA_CA_CERTS  file with more certificates to trust
  DOCSCTL_PAGER, PAGER
                       program for long output in a terminal; else less, with
                       LESS=FRX where LESS is not set
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
                       a line for each field: name, tab, value; for one object
                       and one column the bare value

  -o table             for people
  -o json              one JSON document: a list is one array
  -o jsonl             one JSON object per line, as pages arrive
  -o yaml              the same as JSON, but as YAML
  -o csv               with a header; formulas in cells are not run
  -o tsv               tabs and line breaks in cells are written \\t and \\n
  -o id                only ids, one per line: for "docsctl ... -"

  --columns a,b.c      only these fields: of the columns, or any field of the
                       JSON by its path; a wrong name lists all
  --jq EXPRESSION      the result of jq; texts without quotes
  --header             a header in a pipe too
  --no-header          no header in tables and CSV
  --no-pager           long output in a terminal is not shown through a pager

In a terminal, output that is longer than the screen goes through the pager of
DOCSCTL_PAGER or PAGER, else less; "cat" or an empty value means none. There is
none with --no-input, --debug, CI or TERM=dumb either.

Tables, cards and rows of CSV and TSV show the titles of objects where JSON and
the fields of one object in a pipe have ids, as in the section of a site's
space. In a narrow terminal a table leaves out columns, and says how many.

A guest has no role: JSON has null where tables, CSV and --role say guest. With
the word in JSON:
  docsctl members list --jq 'map(.role //= "guest")'

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

const termWidth = 22;

const options = () => {
  const shown = globalOptions().filter(({ hidden }) => !hidden);
  const groups = [...Map.groupBy(shown, ({ helpGroupHeading }) => helpGroupHeading)].map(([heading, group]) =>
    [heading, ...group.flatMap((option) => optionLines(option))].join('\n'),
  );
  return `Every command has these options:\n\n${groups.join('\n\n')}\n`;
};

function optionLines({ flags, description, argChoices }: ReturnType<typeof globalOptions>[number]): string[] {
  const text = `${description}${argChoices ? `: ${argChoices.join(', ')}` : ''}`;
  const indent = ' '.repeat(2 + termWidth + 2);
  const [first = '', ...rest] = wrapped(text, indent, fullWidth);
  return [`  ${flags.padEnd(termWidth)}  ${first.trimStart()}`, ...rest.map((line) => indent + line.trimStart())];
}

/** Texts of `docsctl help <topic>`. */
export const topics: Record<string, () => string> = {
  'exit-codes': exitCodes,
  environment,
  filters,
  names,
  options,
  output,
  profiles,
};

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

import { names } from './names-topic.ts';
import { globalOptions } from '../../cli/program/globals.ts';
import { exitMeanings } from '../../cli/program/failure.ts';
import { variables } from '../../cli/settings/variables.ts';
import { explainedCodes } from './error-codes.ts';
import { filters } from './filters-topic.ts';

const exitCodes = () => `Exit statuses of all commands:

${exitMeanings.map(([status, meaning]) => `  ${String(status).padStart(3)}  ${meaning}`).join('\n')}

The help of a command describes its own statuses. Before exiting with status 7,
docsctl retries as often as --retries allows; you can try again. With status 8,
the failed items are listed on standard error, and the others succeeded.

Errors are printed on standard error as "error: ...", with a "hint: ..." that
suggests what to do. With -o json, an error is one JSON object; fields that do
not apply are omitted:
  {"error":{"code","status","reason","message","details","hint","requestId",
            "docs"}}

Codes never change their meaning. "docsctl help errors <code>" explains one.
`;

function errors(): string {
  const meanings = new Map(exitMeanings);
  const sections = [...Map.groupBy(explainedCodes, ({ exitStatus }) => exitStatus)].map(([status, codes]) => {
    const lines = wrapped(codes.map(({ code }) => code).join(', '), '  ', fullWidth);
    return `${status}: ${meanings.get(status)}\n\n${lines.join('\n')}\n`;
  });
  return `Codes of errors, by exit status. "-o json" prints them. To explain one, run for
example "docsctl help errors no-token".

${sections.join('\n')}`;
}

const nameWidth = 19;

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
  ALL_PROXY            proxy for addresses without one of their own
  NODE_EXTRA_CA_CERTS  file with additional certificates to trust
  DOCSCTL_PAGER, PAGER
                       pager for long output in a terminal (default: less, with
                       LESS=FRX unless LESS is set)
  NO_COLOR, FORCE_COLOR, COLUMNS, TERM
                       colors and width of output in a terminal
  FORCE_HYPERLINK      "0" turns off links in a terminal, "1" turns them on
  CI                   if set, docsctl asks no questions
  GITHUB_ACTIONS, GITLAB_CI
                       if "true", checks write annotations, unless --no-ci

Flags take precedence over variables, variables over .docsctl.yaml, and
.docsctl.yaml over the profile. "docsctl config list --show-origin" shows the
values in effect and where they come from.

The address "embedded:<file>" runs an instance in the docsctl process, without a
server or a token. "embedded:" is the local instance.
`;

const output = () => `Output formats:

  In a terminal        a table for lists, a card for one object
  In a pipe            tab-separated values without a header; for one object,
                       one line per field with name, tab and value, or only the
                       value if there is one column

  -o table             for reading
  -o json              one JSON document; a list is an array
  -o jsonl             one JSON object per line, printed as pages arrive
  -o yaml              the same as JSON, as YAML
  -o csv               with a header; formulas in cells are escaped
  -o tsv               tabs and line breaks in cells become \\t and \\n
  -o id                IDs only, one per line, for "docsctl ... -"

  --columns a,b.c      only these columns or JSON fields; an unknown name is an
                       error that lists all
  --jq EXPRESSION      the result of jq, with text unquoted
  --header             print a header in a pipe, too
  --no-header          print no header in tables and CSV
  --no-pager           do not use a pager

In a terminal, output longer than the screen goes to the pager in DOCSCTL_PAGER
or PAGER, or else to less. Set it to "cat" or an empty value to turn it off.
--no-input, --debug, CI and TERM=dumb also turn it off.

Tables, cards, CSV and TSV show the titles of related objects where JSON and the
fields of one object in a pipe have IDs. A table in a narrow terminal hides
columns, and says how many.

Guests have no role: JSON has null where tables, CSV and --role have "guest". To
get the word in JSON:
  docsctl members list --jq 'map(.role //= "guest")'

--dry-run prints requests on standard output, as JSON with -o json. With -o id,
--jq or --columns, standard output stays empty, because there is no response,
and the requests go to standard error with status 0. For example,
id=$(docsctl spaces create --title X -o id --dry-run) sets an empty id.

Results go to standard output, everything else to standard error. JSON and YAML
contain all fields, including those that tables hide; "docsctl help COMMAND
--json" has their JSON Schema. Lists fetch all pages, in constant memory;
--limit sets the total number of items.
`;

const profiles = () => `A profile is a service with an account:

  docsctl auth login --profile work     asks for the address and the token
  docsctl init                          creates the profile "local", an instance
                                        in the docsctl process
  docsctl profiles list                 lists all profiles
  docsctl profiles use work             makes "work" the current profile
  docsctl --profile work members list   uses "work" for one command

The service is the first of these that is set: --url; --profile; DOCSCTL_URL;
DOCSCTL_PROFILE; "profile:" in the nearest .docsctl.yaml; the current profile.
A token is sent only to the address it was saved for. DOCSCTL_TOKEN, or the
token in the file DOCSCTL_TOKEN_FILE, is sent only to --url or DOCSCTL_URL, and
not with --profile. Otherwise, the token is the output of "token-command" of the
profile, or else the saved one:

  docsctl config set token-command X    X is a command line that prints a token,
                                        such as "pass show docsctl/work"

It runs without a shell, in the settings folder, for at most 60 s. Quotes and
backslashes group words; variables, pipes and ~ have no meaning. It must print
only the token. A .docsctl.yaml cannot set it.

.docsctl.yaml contains the settings of a project. docsctl looks for it in the
working directory and its parents. Commit it; it never contains a token:

  profile: work
  org: ...
  space: handbook0001
  site: ...
  openapi:
    - { slug: petstore, path: api/petstore.yaml }
  content:
    - { space: handbook0001, path: docs }

Because anyone may have written the file, you must allow its profile first:

  docsctl profiles allow                allows this profile in this folder
  docsctl profiles deny                 removes the permission

Its paths must be inside the project (the git repository, or else the folder of
the file) and not in a hidden folder. docsctl ignores files that belong to
another user or that every user can write.
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

/** The texts of `docsctl help <topic>`. */
export const topics: Record<string, () => string> = {
  'exit-codes': exitCodes,
  environment,
  errors,
  filters,
  names,
  options,
  output,
  profiles,
};

export const fullWidth = 80;
const meaningIndent = '      ';

/** Fits a topic to a narrower screen: puts definitions below their terms, and wraps paragraphs. */
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

export function wrapped(text: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

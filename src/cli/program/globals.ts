import { Option } from 'commander';
import { UsageError } from './failure.ts';
import { formats } from '../output/index.ts';

/** Options that every command has. */
export interface Globals {
  profile?: string;
  url?: string;
  as?: string;
  output?: (typeof formats)[number];
  json?: boolean;
  columns?: string[];
  jq?: string;
  header?: boolean;
  timeout?: number;
  retries?: number;
  dryRun?: boolean;
  journal?: boolean;
  yes?: boolean;
  input?: boolean;
  quiet?: boolean;
  pager?: boolean;
  debug?: boolean;
  har?: string;
  /** Not an option: a rehearsal keeps what its command sends and gets. */
  record?: boolean;
  /** Not an option: requests that would change the service are refused. */
  readOnly?: boolean;
  /** Not an option: the change was approved, or is made on a copy. */
  isApproved?: boolean;
  color?: boolean;
}

export const headings = {
  own: 'Options:',
  context: 'Context:',
  selection: 'Filter and sort:',
  paging: 'Paging:',
  output: 'Output:',
  connection: 'Connection:',
  safety: 'Safety:',
  more: 'More:',
} as const;

const under = (heading: string, ...options: Option[]) => options.map((option) => option.helpGroup(heading));

export const list = (text: string, before: string[] | undefined = []) => [
  ...before,
  ...text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

/** For options whose values may contain commas. */
export const verbatim = (text: string, before: string[] = []) => [...before, text];

const wholeNumber = (name: string) => (text: string) => {
  if (!/^\d+$/.test(text))
    throw new UsageError(`${name} must be a whole number, not "${text}".`, undefined, 'invalid-value');
  return Number(text);
};
const seconds = (text: string) => {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0)
    throw new UsageError(`--timeout must be a number of seconds above 0, not "${text}".`, undefined, 'invalid-value');
  return Number(text);
};

/** Other users of the machine can see command lines, and the shell saves them. */
export function refuseToken(): never {
  throw new UsageError(
    "A token is not accepted on the command line: other users of this machine could see it there, and your shell's history saves it.",
    'Sign in with "docsctl auth login", which asks for it or reads it with --with-token, or set DOCSCTL_URL and DOCSCTL_TOKEN.',
    'token-on-command-line',
  );
}

/** Created for each program, because commander keeps values in them. */
export const globalOptions = (): Option[] => [
  ...under(
    headings.output,
    new Option('-o, --output <format>', 'output format').choices(formats),
    new Option('--json', 'same as --output json').implies({ output: 'json' }),
    new Option('--columns <paths>', 'columns to show, separated by commas: title,user.email').argParser(list),
    new Option('--jq <expression>', 'filter the JSON output with jq'),
    new Option('--header', 'print a header'),
    new Option('--no-header', 'print no header'),
    new Option('-q, --quiet', 'print only results and errors'),
    new Option('--no-pager', 'do not use a pager'),
    new Option('--no-color', 'disable colors'),
  ),
  ...under(
    headings.connection,
    new Option('--profile <name>', 'profile to use instead of the current one'),
    new Option('--token <token>').hideHelp().argParser(refuseToken),
    new Option('--url <address>', 'address of the service: https://... or embedded:<file>'),
    new Option('--as <user>', 'act as this user (ID or email address); embedded instances only'),
    new Option('--timeout <seconds>', 'how long to wait for the service to send data (default 30)').argParser(seconds),
    new Option('--retries <number>', 'number of retries after temporary failures (default 3)').argParser(
      wholeNumber('--retries'),
    ),
    new Option('--debug', 'print requests and responses on standard error, without secrets'),
    new Option('--har <file>', 'write all requests and responses to a HAR file; also --debug=har <file>'),
  ),
  ...under(
    headings.safety,
    new Option('-n, --dry-run', 'print the requests instead of sending them'),
    new Option('-y, --yes', 'skip confirmation'),
    new Option('--no-journal', 'do not record the changes for "docsctl undo"'),
    new Option('--no-input', 'never ask questions'),
  ),
];

/** Options of commands that list. */
export const selectionOptions = (): Option[] =>
  under(
    headings.selection,
    new Option(
      '--filter <condition>',
      "list items matching 'FIELD OP VALUE', such as 'title~api'; OP is = != < <= > >= or ~ (contains); see \"docsctl help filters\" (repeatable: all must match)",
    ).argParser(verbatim),
    new Option(
      '--sort-by <field>',
      'sort by this field; FIELD:desc for descending (repeatable or comma-separated)',
    ).argParser(list),
    new Option('--watch', 'read again every 2 seconds, and print whenever something has changed'),
  );

/** Options of commands that list page by page. */
export const pagingOptions = (): Option[] =>
  under(
    headings.paging,
    new Option('--limit <number>', 'maximum number of items (default all)').argParser(wholeNumber('--limit')),
    new Option('--page-size <number>', 'number of items per request (1 to 1000)').argParser(wholeNumber('--page-size')),
    new Option('--page <token>', 'start at the page with this token'),
  );

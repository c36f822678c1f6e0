import { exitMeanings } from '../cli/exit.ts';

const exitCodes = () => `Exit status of every command:

${exitMeanings.map(([status, meaning]) => `  ${String(status).padStart(3)}  ${meaning}`).join('\n')}

An error is told on standard error as "error: ..." with a "hint: ..." that says what
to do. With -o json it is one JSON object:
  {"error":{"status","reason","message","details","hint","requestId"}}
`;

const environment = () => `Variables that docsctl reads:

  DOCSCTL_URL          service to talk to; wins over the current profile
  DOCSCTL_TOKEN        token for it; never stored
  DOCSCTL_PROFILE      profile to use
  DOCSCTL_ORG          organization where none is named
  DOCSCTL_SPACE        space where none is named
  DOCSCTL_SITE         site where none is named
  DOCSCTL_CONFIG_DIR   folder of the settings
  DOCSCTL_DATA_DIR     folder of the local instance's database
  DOCSCTL_CACHE_DIR    folder of what completions remember
  DOCSCTL_KEYRING      "off" keeps tokens in a file of mode 0600 instead
  DOCSCTL_SERVE_TOKEN  administrator's token of "docsctl serve"
  DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS
                       "1" lets the local instance fetch from private addresses
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                       proxies on the way to the service
  NODE_EXTRA_CA_CERTS  file with further certificates to trust
  NO_COLOR, FORCE_COLOR, COLUMNS, TERM
                       how results look in a terminal
  CI                   when set, nothing is asked
  DOCSCTL_PROMPTS      "plain" asks in numbered lines that are never redrawn, as
                       TERM=dumb does: for screen readers

An address "embedded:<file>" is an instance in the same process: no server, no token.
`;

const output = () => `How results are printed:

  In a terminal        a table for lists, a card for one object
  In a pipe            tab-separated values without a header; field<TAB>value for one object

  -o table             for people
  -o json              one JSON document: a list is one array
  -o jsonl             one JSON object a line, as pages arrive
  -o yaml              the same as YAML
  -o csv               with a header; no cell runs as a formula
  -o tsv               tabs and line breaks in cells are written \\t and \\n
  -o id                ids alone, one a line: for "docsctl ... -"

  --columns a,b.c      these paths only
  --jq EXPRESSION      what jq makes of the JSON
  --header, --no-header

Results go to standard output, everything else to standard error. Lists follow all
pages; --limit says how many in all. Memory does not grow with the list.
`;

const profiles = () => `A profile is a service and how to reach it:

  docsctl auth login --profile work     asks for the address and the token
  docsctl init                          the profile "local": an instance in this process
  docsctl profiles list                 what there is
  docsctl profiles use work             from now on
  docsctl --profile work members list   for this command

Which one counts, first to last: --profile, DOCSCTL_URL with DOCSCTL_TOKEN,
DOCSCTL_PROFILE, "profile:" in the nearest .docsctl.yaml, the current profile.

.docsctl.yaml is looked for upwards from the working directory. It may hold
profile, org, space, site, openapi: [{slug, path}] and content: [{space, path}],
and never a token.
`;

/** Texts of `docsctl help <topic>`. */
export const topics: Record<string, () => string> = { 'exit-codes': exitCodes, environment, output, profiles };

import type { Flag } from '../../cli/command/command.ts';
import type { InvocationOf } from '../../cli/command/define.ts';

export const defaultHost = '127.0.0.1';
export const defaultPort = '4000';
export const defaultLog = 'text';
export const defaultTokenLabel = 'docsctl serve token';

/** The flag of the commands that open the database of an instance. */
export const databaseFlag = {
  flags: '--db <database>',
  description:
    'database file, or postgres://... (default that of the current profile, else local.db in the data folder)',
} as const satisfies Flag;

export const serveFlags = [
  { flags: '--host <host>', description: 'address to listen on', default: defaultHost },
  { flags: '--port <port>', description: 'port to listen on; 0 picks a free one', default: defaultPort },
  {
    flags: '--db <database>',
    description: 'database file, or postgres://user@host/name (default local.db in the data folder)',
  },
  { flags: '--seed <what>', description: 'add example data to an empty database', choices: ['demo'] },
  { flags: '--public-url <address>', description: 'address at which others can reach the instance' },
  { flags: '--allow-host <name>', description: 'also accept this host name (repeatable)', repeatable: true },
  {
    flags: '--log <form>',
    description: 'how to log each request on standard error',
    choices: ['text', 'json', 'off'],
    default: defaultLog,
  },
  {
    flags: '--fault <what>',
    description:
      'inject faults into requests (repeatable): rate=0.1,status=429,retry-after=1; limit=60/60s; latency=200ms; reset-after=7pages; truncate',
    // Rules hold commas.
    repeatable: 'verbatim',
  },
  { flags: '--import-pages <number>', description: 'maximum number of pages in a website import (default 500)' },
  { flags: '--import-depth <number>', description: 'maximum depth of links in a website import (default 10)' },
  {
    flags: '--allow-private-addresses',
    description: 'let imports reach private networks and this machine, for an intranet',
  },
  {
    flags: '--body-memory <MiB>',
    description: 'memory limit for the bodies of concurrent requests; others get 503 (default 256)',
  },
  {
    flags: '--font <file>',
    description: 'use this font in PDFs for scripts that the built-in ones lack (repeatable)',
    repeatable: 'verbatim',
  },
  { flags: '--record <file>', description: 'append every request and response to this file, without tokens' },
  { flags: '--replay <file>', description: 'answer from a recording instead of the database' },
  {
    flags: '--cors <origin>',
    description: 'allow requests from web pages with this origin (repeatable)',
    repeatable: true,
  },
  { flags: '--no-app', description: 'serve no pages for browsers to look, review and merge' },
] as const satisfies readonly Flag[];

export type ServeInvocation = InvocationOf<'serve', typeof serveFlags>;

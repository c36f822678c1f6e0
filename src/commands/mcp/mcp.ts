import { command } from '../../cli/command/define.ts';
import { clientNames } from './client-names.ts';

const flags = [
  {
    flags: '--folder <folder>',
    description: 'folder that the agent can plan from (repeatable); none by default',
    repeatable: 'verbatim',
  },
  { flags: '--read-only', description: 'without the tool that proposes changes' },
] as const;

export default command({
  use: 'mcp',
  changes: ['service'],
  prints: 'text',
  summary: 'Let an AI agent read and propose, over MCP.',
  description:
    'Serves the Model Context Protocol on standard input and output, for agents that start docsctl themselves. The tools find objects, read and search pages, check access and links, plan from files, rehearse commands and propose them. The only change they can make is to add proposals, which a person approves. Give the agent a profile with its own token.',
  examples: {
    'Print the configuration for a client': 'docsctl mcp install claude-code',
    'Serve an agent that may also plan from a folder': 'docsctl mcp --profile agent --folder ./organization',
    'Serve an agent that may only read': 'docsctl mcp --profile agent --read-only',
  },
  exitStatuses: { 2: 'a folder cannot be read' },
  docs: 'docs/mcp.md',
  seeAlso: ['rehearse', 'plan', 'auth login'],
  flags,
  input: { context: ['org'] },
  endsQuietly: true,
  run: async (invocation) => (await import('./run-mcp.ts')).runMcp(invocation),
  subcommands: [
    command({
      use: 'install [client]',
      changes: [],
      prints: 'anything',
      summary: 'Print the configuration of an MCP client.',
      description: `Prints what to add to the client's settings, and to which file. Nothing is written. The configuration names the profile and never contains a token. Clients: ${clientNames.join(', ')}.`,
      examples: {
        'List the clients': 'docsctl mcp install',
        'Print the configuration for Claude Code': 'docsctl mcp install claude-code --profile agent',
        'Print the configuration for Cursor, without proposals': 'docsctl mcp install cursor --read-only',
      },
      exitStatuses: { 2: 'no such client' },
      docs: 'docs/mcp.md',
      seeAlso: ['mcp', 'profiles create'],
      flags: [
        ...flags,
        {
          flags: '--full-path',
          description: 'use the full path of docsctl, for applications that cannot find it',
        },
      ],
      input: { suggestions: { client: () => clientNames } },
      output: { columns: [{ key: 'client' }, { key: 'file' }] },
      run: async (invocation) => (await import('./install.ts')).install(invocation),
    }),
  ],
});

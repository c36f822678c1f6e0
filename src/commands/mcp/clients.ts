import type { ClientName } from './client-names.ts';

type Words = readonly [string, ...string[]];

/** How a client is told about a server. */
export interface Client {
  /** Where the configuration belongs. */
  file: string;
  configuration(words: Words): string;
  /** A command of the client that does the same. */
  command?(words: Words): string[];
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The member that most clients have. */
const mcpServers = ([command, ...args]: Words) => json({ mcpServers: { docsctl: { command, args } } });

/** A list or a text is the same in TOML and in JSON. */
const toml = ([command, ...args]: Words) =>
  `[mcp_servers.docsctl]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]\n`;

export const clients: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    file: '.mcp.json in the project',
    configuration: ([command, ...args]) => json({ mcpServers: { docsctl: { type: 'stdio', command, args } } }),
    command: (words) => ['claude', 'mcp', 'add', 'docsctl', '--', ...words],
  },
  'claude-desktop': {
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    configuration: mcpServers,
  },
  codex: {
    file: '~/.codex/config.toml',
    configuration: toml,
    command: (words) => ['codex', 'mcp', 'add', 'docsctl', '--', ...words],
  },
  cursor: { file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project', configuration: mcpServers },
  'gemini-cli': { file: '~/.gemini/settings.json, or .gemini/settings.json in the project', configuration: mcpServers },
  vscode: {
    file: '.vscode/mcp.json in the workspace',
    configuration: ([command, ...args]) => json({ servers: { docsctl: { type: 'stdio', command, args } } }),
  },
  windsurf: { file: '~/.codeium/windsurf/mcp_config.json', configuration: mcpServers },
  zed: {
    file: 'settings.json (zed: open settings file)',
    configuration: ([command, ...args]) => json({ context_servers: { docsctl: { command, args, env: {} } } }),
  },
};

import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { clientNames } from '../../../src/commands/mcp/client-names.ts';

test('the configuration of each client names the profile and the folders, and no token', async ({ docsctl, home }) => {
  const env = { DOCSCTL_TOKEN: 'secret-token', DOCSCTL_URL: 'https://docs.example' };
  expect((await docsctl('profiles', 'create', 'agent', '--url', 'https://docs.example')).exitCode).toBe(0);
  for (const client of clientNames) {
    const run = await docsctl('mcp', 'install', client, '--profile', 'agent', '--folder', 'org', '--read-only', {
      env,
    });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('docsctl');
    const words = ['mcp', '--profile', 'agent', '--folder', join(home.dir, 'org'), '--read-only'];
    expect(run.stdout.replaceAll(/\s+/g, '')).toContain(words.map((word) => JSON.stringify(word)).join(','));
    expect(run.stdout + run.stderr).not.toContain('secret-token');
    if (client !== 'codex') expect(Object.keys(run.json)).toHaveLength(1);
  }
});

test('clients have names of their own for the list of servers', async ({ docsctl }) => {
  const server = { command: 'docsctl', args: ['mcp'] };
  const of = async (client: string) => (await docsctl('mcp', 'install', client)).json;
  expect(await of('claude-desktop')).toEqual({ mcpServers: { docsctl: server } });
  expect(await of('vscode')).toEqual({ servers: { docsctl: { type: 'stdio', ...server } } });
  expect(await of('zed')).toEqual({ context_servers: { docsctl: { ...server, env: {} } } });
  const codex = await docsctl('mcp', 'install', 'codex');
  expect(codex.stdout).toBe('[mcp_servers.docsctl]\ncommand = "docsctl"\nargs = ["mcp"]\n');
  expect(codex.stderr).toContain('codex mcp add docsctl -- docsctl mcp');
});

test('without a client, the clients are listed, and an unknown one is an error', async ({ docsctl }) => {
  const list = await docsctl('mcp', 'install', '-o', 'json');
  expect(list.json.map(({ client }: { client: string }) => client)).toEqual([...clientNames]);
  const unknown = await docsctl('mcp', 'install', 'curser');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "cursor"?')]);
  const data = await docsctl('mcp', 'install', 'codex', '-o', 'json');
  expect(data.json).toMatchObject({ client: 'codex', command: 'codex mcp add docsctl -- docsctl mcp' });
});

test('--full-path names the program by its path', async ({ docsctl }) => {
  const { mcpServers } = (await docsctl('mcp', 'install', 'claude-desktop', '--full-path')).json;
  expect(mcpServers.docsctl.command).toBe(process.execPath);
});

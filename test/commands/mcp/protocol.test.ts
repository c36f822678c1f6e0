import { expect } from 'vitest';
import { test as base } from '../../support/cli.ts';
import { type McpClient, modern, startMcp } from '../../support/mcp-client.ts';

const test = base.extend<{ mcp: McpClient }>({
  mcp: async ({ demo }, use) => {
    const client = startMcp(demo);
    await use(client);
    await client.close();
    expect(client.strange).toEqual([]);
  },
});

const names = [
  'check_access',
  'find',
  'help',
  'plan_files',
  'proposals',
  'propose',
  'read_page',
  'rehearse',
  'report',
  'search',
];

test('a client of 2025-11-25 begins with initialize', async ({ mcp }) => {
  const early = await mcp.request('tools/list');
  expect(early.error).toMatchObject({ code: -32602, message: expect.stringContaining('initialize') });
  expect((await mcp.request('ping')).result).toEqual({});

  const { result } = await mcp.initialize();
  expect(result).toMatchObject({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'docsctl' },
    instructions: expect.stringContaining('[data WORD'),
  });
  mcp.send({ jsonrpc: '2.0', method: 'notifications/initialized' });

  const { tools } = (await mcp.request('tools/list')).result;
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
  const found = (await mcp.request('tools/call', { name: 'find', arguments: { kind: 'spaces' } })).result;
  expect(found.content[0].text).toContain('"Handbook"');
  expect(found).not.toHaveProperty('resultType');
  expect((await mcp.request('ping')).result).toEqual({});
  expect((await mcp.request('server/discover')).error).toMatchObject({ code: -32602 });
  expect((await mcp.request('resources/list')).error).toMatchObject({ code: -32601 });
});

test('initialize answers with a version that both know', async ({ mcp }) => {
  expect((await mcp.initialize('2025-06-18')).result.protocolVersion).toBe('2025-06-18');
  expect((await mcp.initialize('2026-07-28')).result.protocolVersion).toBe('2025-11-25');
  expect((await mcp.initialize('1.0.0')).result.protocolVersion).toBe('2025-11-25');
  expect((await mcp.request('initialize', {})).error).toMatchObject({ code: -32602 });
});

test('a client of 2026-07-28 describes itself in each request', async ({ mcp }) => {
  const { result } = await mcp.request('server/discover', modern);
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    capabilities: { tools: {} },
    ttlMs: expect.any(Number),
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'docsctl', version: expect.any(String) } },
  });
  const list = (await mcp.request('tools/list', modern)).result;
  expect(list).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' });
  expect(list.tools).toHaveLength(names.length);
  expect(await mcp.call('find', { kind: 'me' })).toMatchObject({ resultType: 'complete' });

  // Handshakes and pings are of the other revision.
  for (const method of ['ping', 'initialize', 'logging/setLevel', 'prompts/list', 'resources/list'])
    expect((await mcp.request(method, modern)).error).toMatchObject({ code: -32601 });
  const key = 'io.modelcontextprotocol/protocolVersion';
  const other = { _meta: { ...modern._meta, [key]: '1900-01-01' } };
  expect((await mcp.request('tools/list', other)).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: '1900-01-01' },
  });
  expect((await mcp.request('tools/list', { _meta: { [key]: '2026-07-28' } })).error).toMatchObject({ code: -32602 });
});

test('both revisions work in one process', async ({ mcp }) => {
  await mcp.initialize();
  expect((await mcp.request('tools/list')).result).not.toHaveProperty('resultType');
  expect((await mcp.request('tools/list', modern)).result).toHaveProperty('resultType');
});

test('the list of tools takes few tokens, and says which tool changes something', async ({ mcp }) => {
  const { tools } = (await mcp.request('tools/list', modern)).result;
  // About 4 characters per token.
  expect(JSON.stringify(tools).length / 4).toBeLessThan(1_500);
  const changing = tools.filter(({ annotations }: any) => !annotations.readOnlyHint).map(({ name }: any) => name);
  expect(changing).toEqual(['propose']);
  for (const { inputSchema, title, description } of tools) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect([title, description].every(Boolean)).toBe(true);
  }
});

test('a subscription is acknowledged, and ends when it is cancelled or the server stops', async ({ mcp }) => {
  const params = { ...modern, notifications: { toolsListChanged: true } };
  const ended = mcp.request('subscriptions/listen', params, 'one');
  void mcp.request('subscriptions/listen', params, 'two');
  mcp.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'two' } });
  mcp.end();
  expect(await ended).toMatchObject({
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'one' } },
  });
  const acknowledged = mcp.messages.filter(({ method }) => method === 'notifications/subscriptions/acknowledged');
  expect(acknowledged.map(({ params: { notifications } }) => notifications)).toEqual([{}, {}]);
  await mcp.exited;
  expect(mcp.messages.some(({ id }) => id === 'two')).toBe(false);
});

test('messages that are not valid are answered with errors, and the server goes on', async ({ mcp }) => {
  const invalid: [string, number][] = [
    ['{"jsonrpc":"2.0","id":1', -32700],
    ['nonsense', -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['"text"', -32600],
    ['null', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":101,"method":"ping"}', -32600],
    ['{"id":102,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":103}', -32600],
    ['{"jsonrpc":"2.0","id":104,"method":7}', -32600],
    ['{"jsonrpc":"2.0","id":105,"method":"ping","params":[]}', -32600],
    [`{"jsonrpc":"2.0","id":106,"method":"${'x'.repeat(2_000_000)}"}`, -32600],
    [`${'['.repeat(100_000)}`, -32700],
  ];
  for (const [line] of invalid) mcp.sendLine(line);
  // Neither of them is answered.
  mcp.sendLine('');
  mcp.sendLine('{"jsonrpc":"2.0","id":7,"result":{}}');
  mcp.sendLine('{"jsonrpc":"2.0","method":"notifications/unknown"}');
  mcp.sendLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}');
  expect((await mcp.request('ping', undefined, 'last')).result).toEqual({});
  const errors = mcp.messages.filter(({ error }) => error);
  expect(errors.map(({ error }) => error!.code)).toEqual(invalid.map(([, code]) => code));
  expect(errors.map(({ id }) => id).filter((id) => id !== undefined)).toEqual([101, 102, 103, 104, 105]);
});

test('unknown methods and tools, and wrong arguments', async ({ mcp }) => {
  expect((await mcp.request('nothing/here', modern)).error).toMatchObject({ code: -32601 });
  expect((await mcp.call('delete_everything')).error).toMatchObject({ code: -32602 });
  const list = { ...modern, cursor: 'abc' };
  expect((await mcp.request('tools/list', list)).error).toMatchObject({ code: -32602 });
  const params = { ...modern, name: 'find', arguments: [] };
  expect((await mcp.request('tools/call', params)).error).toMatchObject({ code: -32602 });
  // A model can correct these.
  expect(await mcp.call('find', {})).toMatchObject({ isError: true, text: expect.stringContaining('"kind"') });
  const unknown = await mcp.call('find', { kind: 'spaces', url: 'http://evil.example' });
  expect(unknown).toMatchObject({ isError: true, text: 'There is no argument "url".' });
  expect((await mcp.call('find', { kind: 'spaces', text: 'x'.repeat(100_000) })).isError).toBe(true);
});

test('fifty calls at the same time are all answered', async ({ mcp }) => {
  const calls = Array.from({ length: 50 }, (_, index) =>
    mcp.call('find', index % 2 === 0 ? { kind: 'spaces' } : { kind: 'pages', in: 'handbook0001' }),
  );
  const answers = await Promise.all(calls);
  expect(answers.every(({ isError, text }) => !isError && text.includes('[end of data'))).toBe(true);
  // Each answer has a word of its own.
  expect(new Set(answers.map(({ text }) => /\[data (\w+)/.exec(text)?.[1])).size).toBe(50);
});

test('a cancelled call is not answered', async ({ mcp }) => {
  const params = { ...modern, name: 'rehearse', arguments: { command: ['spaces', 'delete', 'handbook0001'] } };
  void mcp.request('tools/call', params, 'slow');
  mcp.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow', reason: 'test' } });
  // The same ID can be used again, once the first request has ended.
  await expect.poll(async () => (await mcp.request('ping', modern, 'slow')).error?.code).toBe(-32601);
  expect(mcp.messages.filter(({ id, result }) => id === 'slow' && result)).toEqual([]);
  expect((await mcp.call('find', { kind: 'me' })).isError).toBeUndefined();
});

test('progress is reported to clients that ask for it', async ({ mcp }) => {
  const meta = { progressToken: 'token' };
  await mcp.call('rehearse', { command: ['spaces', 'edit', 'handbook0001', '--title=New'] }, meta);
  const reports = mcp.messages.filter(({ method }) => method === 'notifications/progress');
  const values = reports.map(({ params }) => params.progress);
  expect(values.length).toBeGreaterThan(0);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(reports.every(({ params }) => params.progressToken === 'token')).toBe(true);
});

test('calls are answered after the input has ended, and the status is 0', async ({ mcp }) => {
  const answer = mcp.call('find', { kind: 'spaces' });
  mcp.end();
  expect((await answer).text).toContain('Handbook');
  expect(await mcp.exited).toBe(0);
});

test('SIGTERM ends the server with status 0, also during a call', async ({ mcp }) => {
  await mcp.request('server/discover', modern);
  void mcp.call('rehearse', { command: ['spaces', 'delete', 'handbook0001'] });
  void mcp.request('ping', modern, 'sent');
  await expect.poll(() => mcp.messages.some(({ id }) => id === 'sent')).toBe(true);
  mcp.kill('SIGTERM');
  expect(await mcp.exited).toBe(0);
});

test('without a service, tools say what to do', async ({ home }) => {
  const mcp = startMcp(home);
  const answer = await mcp.call('find', { kind: 'spaces' });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('No service is set.') });
  expect(await mcp.close()).toBe(0);
});

test('--read-only leaves out proposals', async ({ demo }) => {
  const mcp = startMcp(demo, ['--read-only']);
  const { tools } = (await mcp.request('tools/list', modern)).result;
  expect(tools.map(({ name }: { name: string }) => name)).not.toContain('propose');
  const answer = await mcp.call('propose', { title: 'T', command: ['spaces', 'edit', 'handbook0001', '--title=T'] });
  expect(answer.error).toMatchObject({ code: -32602 });
  await mcp.close();
});

test('a folder that cannot be read is an error', async ({ demo }) => {
  const run = await demo.docsctl('mcp', '--folder', 'missing');
  expect([run.exitCode, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toContain('--folder: missing cannot be read');
});

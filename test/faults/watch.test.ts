import { lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, serve, type Served, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';

const ask = (service: Served, path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers: { authorization: `Bearer ${service.token}`, ...headers } });

test('serve --log prints each request as text, as JSON, or not at all, on one line without secrets', async ({
  home,
}) => {
  const logs: Record<string, string> = {};
  for (const form of ['text', 'json', 'off']) {
    const service = await serve(home, '--log', form, '--db', join(home.dir, `${form}.db`));
    await ask(service, '/v1/user?token=not-for-logs');
    await ask(service, `/v1/orgs/${service.organization}/%1b[2Jteams%0a`);
    await service.stop();
    logs[form] = service.log();
    expect(service.log()).not.toContain(service.token);
    expect(service.log()).not.toContain('not-for-logs');
  }

  const [first, second, ...more] = logs.text!.trimEnd().split('\n');
  expect(first).toMatch(/^GET \/v1\/user 200 [\d.]+ ms \w{8}$/);
  expect(second).toMatch(/^GET \/v1\/orgs\/\w+\/%1b\[2Jteams%0a 404 [\d.]+ ms \w{8}$/);
  expect(more).toEqual([]);
  const lines = logs.json!.trimEnd().split('\n');
  expect(JSON.parse(lines[0]!)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    method: 'GET',
    path: '/v1/user',
    status: 200,
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^\w{8}$/),
  });
  expect(lines).toHaveLength(2);
  expect(logs.off).toBe('');
});

test('health, readiness and metrics are served, the metrics in the format of Prometheus', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  await ask(service, `/v1/orgs/${service.organization}/members`);
  await ask(service, '/v1/user', { authorization: 'Bearer wrong' });
  const health = await fetch(`${service.url}/healthz`);
  const ready = await fetch(`${service.url}/readyz`);
  const metrics = await fetch(`${service.url}/metrics`);
  const text = await metrics.text();
  await service.stop();

  expect(await health.json()).toEqual({ status: 'ok' });
  expect(await ready.json()).toEqual({ status: 'ready', background: 0 });
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.trimEnd().split('\n')) {
    const [, name, kind] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined) types.set(name, kind!);
    if (line.startsWith('#')) {
      expect(line).toMatch(/^# (HELP|TYPE) \w+ \S/);
      continue;
    }
    const [, key, value] = /^(\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})?) ([\d.e+-]+|\+Inf)$/.exec(line) ?? [];
    expect(key, line).toBeDefined();
    samples.set(key!, Number(value));
    // Every sample belongs to a metric whose type was told before.
    const metric = key!.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '');
    expect(types.has(metric) || types.has(key!.replace(/\{.*/, '')), line).toBe(true);
  }
  expect(text.endsWith('\n')).toBe(true);
  const count = (labels: string) => samples.get(`docsctl_http_requests_total{${labels}}`);
  expect(count('method="GET",route="/v1/orgs/{orgId}/members",status="200"')).toBe(1);
  expect(count('method="GET",route="/v1/user",status="401"')).toBe(1);
  const labels = 'method="GET",route="/v1/user",status="401"';
  const buckets = [...samples].filter(([key]) =>
    key.startsWith(`docsctl_http_request_duration_seconds_bucket{${labels}`),
  );
  expect(buckets.map(([, value]) => value)).toEqual(buckets.map(([, value]) => value).toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toEqual([`docsctl_http_request_duration_seconds_bucket{${labels},le="+Inf"}`, 1]);
  expect(samples.get('docsctl_database_bytes')).toBeGreaterThan(4096);
  expect(samples.get('docsctl_background_jobs')).toBe(0);
});

const token = 'se&cret/tok"en+%41';

/** Every spelling in which a service may give it back. */
const spellings = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)];

test('--debug=har records requests and responses without secrets, in a file that only its owner can read', async ({
  home,
}) => {
  const url = await listen((request, response) => {
    let body = '';
    request
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        response.writeHead(request.url!.includes('fail') ? 404 : 200, {
          'content-type': 'application/json',
          'set-cookie': 'session=of-nobody',
          'x-echo': encodeURIComponent(request.headers.authorization ?? ''),
        });
        response.end(
          JSON.stringify({ headers: request.headers, body, items: [{ id: '1' }], error: { message: token } }),
        );
      });
  });
  const env = { DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'Or1' };
  const file = join(home.dir, 'sent.har');

  const made = await home.docsctl('spaces', 'create', '--title', 'Pümps', '--debug=har', file, '-o', 'json', { env });
  const one = JSON.parse(await readFile(file, 'utf8'));
  const failed = await home.docsctl('--debug=har', file, 'api', 'fail?a=b&a=c', '--debug', { env });
  const two = JSON.parse(await readFile(file, 'utf8'));
  const text = JSON.stringify([one, two]);

  expect([made.exitCode, failed.exitCode]).toEqual([0, 5]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(one.log).toMatchObject({ version: '1.2', creator: { name: 'docsctl', version: expect.any(String) } });
  const [policy, user, entry, ...more] = one.log.entries;
  // The space of the approval policy is looked for, and the journal has the user.
  const read = [policy, user].map(({ request }) => request.url);
  expect([read, more]).toEqual([[`${url}/v1/orgs/Or1/spaces?limit=1000`, `${url}/v1/user`], []]);
  expect(entry).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
    time: expect.any(Number),
    request: {
      method: 'POST',
      url: `${url}/v1/orgs/Or1/spaces`,
      httpVersion: 'HTTP/1.1',
      postData: { mimeType: 'application/json', text: '{"title":"Pümps"}' },
    },
    response: { status: 200, content: { mimeType: 'application/json' } },
    cache: {},
    timings: { send: expect.any(Number), wait: expect.any(Number), receive: expect.any(Number) },
  });
  expect(entry.request.headers).toContainEqual({ name: 'authorization', value: '[hidden]' });
  expect(entry.response.headers).toContainEqual({ name: 'set-cookie', value: '[hidden]' });
  expect(two.log.entries[0].request.queryString).toEqual([
    { name: 'a', value: 'b' },
    { name: 'a', value: 'c' },
  ]);
  expect(two.log.entries[0].response.status).toBe(404);
  for (const spelling of spellings) {
    // A HAR file is JSON, in which a quotation mark is written with a backslash.
    expect(text).not.toContain(JSON.stringify(spelling).slice(1, -1));
    for (const run of [made, failed]) expect(run.stderr).not.toContain(spelling);
  }
});

test('a HAR file that cannot be written is reported, and the command still does its work', async ({ demo }) => {
  const before = await demo.docsctl('spaces', 'list', '-o', 'id');
  await writeFile(join(demo.dir, 'file'), '');

  const run = await demo.docsctl('spaces', 'create', '--title', 'New', '-o', 'id', '--debug=har', 'file/x.har');
  const after = await demo.docsctl('spaces', 'list', '-o', 'id');

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(
    /^error: file\/x\.har cannot be written: .+\nhint: The command itself was carried out\. .+\n$/,
  );
  expect(after.stdout.trim().split('\n')).toHaveLength(before.stdout.trim().split('\n').length + 1);
});

test('a HAR file follows no symbolic link, at its place or beside it', async ({ demo }) => {
  const pathOf = (name: string) => join(demo.dir, name);
  for (const name of ['one', 'two']) await writeFile(pathOf(name), 'of somebody');
  await symlink(pathOf('one'), pathOf('link.har'));
  await symlink(pathOf('two'), pathOf('sent.har.partial'));
  const list = ['members', 'list', '--limit', '1', '-o', 'id'];

  const refused = await demo.docsctl(...list, '--debug=har', 'link.har');
  const written = await demo.docsctl(...list, '--debug=har', 'sent.har');

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/^error: link\.har cannot be written: it is a symbolic link\.\nhint: .+\n$/);
  expect(written).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await lstat(pathOf('sent.har'))).mode & 0o777).toBe(0o600);
  for (const name of ['one', 'two']) expect(await readFile(pathOf(name), 'utf8')).toBe('of somebody');
});

test('a HAR file and a download can go to what the shell opened', { tags: 'posix' }, async ({ demo }) => {
  const options = { cwd: demo.dir, env: demo.env, extendEnv: false, stripFinalNewline: false };
  const sh = (line: string, ...words: string[]) => execa('sh', ['-c', line, process.execPath, bin, ...words], options);
  const list = ['members', 'list', '--limit', '1', '-o', 'id', '--debug=har'];

  const har = await sh('"$0" "$@" 2>&1 >/dev/null | cat', ...list, '/dev/stderr');
  const piped = await sh('"$0" "$@" | cat', 'openapi', 'download', 'pumps', '--out', '/dev/stdout');
  await sh('"$0" "$@" > spec.json', 'openapi', 'download', 'pumps', '--out', '/dev/stdout');

  expect(JSON.parse(har.stdout).log.entries).not.toEqual([]);
  expect(JSON.parse(piped.stdout)).toHaveProperty('openapi');
  expect(await readFile(join(demo.dir, 'spec.json'), 'utf8')).toBe(piped.stdout);
});

test('each attempt of a request without a response is in the HAR file too', async ({ home }) => {
  const url = await listen((request) => request.socket.destroy());
  const env = { DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'Or1' };
  const file = join(home.dir, 'sent.har');

  const run = await home.docsctl('members', 'list', '--retries', '1', '--debug=har', file, { env });
  const { entries } = JSON.parse(await readFile(file, 'utf8')).log;

  expect(run.exitCode).toBe(7);
  expect(entries).toHaveLength(2);
  for (const { response, comment } of entries) {
    expect(response.status).toBe(0);
    expect(comment).toContain('closed before an answer came');
  }
});

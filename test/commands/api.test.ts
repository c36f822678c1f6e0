import { rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Docsctl, type Home, partsOf } from '../support/cli.ts';
import { makeHome, test } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';
import { listen } from '../support/service.ts';

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const token = 'token-of-test';

/** A service that records requests. Its responses come from `respond`. */
async function recordingService(
  respond: (request: ReceivedRequest) => { status?: number; body?: unknown } = () => ({}),
) {
  const requests: ReceivedRequest[] = [];
  const url = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      requests.push(received);
      const { status = 200, body = { ok: true } } = respond(received);
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-echo', String(request.headers.authorization));
      response.end(JSON.stringify(body));
    });
  });
  return { url, requests };
}

const docsctlFor =
  ({ docsctl }: Home, url: string): Docsctl =>
  (...call) => {
    const { words, options } = partsOf(call);
    return docsctl(...words, { ...options, env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'lumen' } });
  };

describe('the path', () => {
  test.for([
    ['user', '/v1/user'],
    ['/user', '/v1/user'],
    ['/v1/user', '/v1/user'],
    ['v1/user', '/v1/user'],
    ['/orgs/{org}/members?limit=1', '/v1/orgs/lumen/members?limit=1'],
    ['orgs/{org}', '/v1/orgs/lumen'],
    ['/files/pump', '/files/pump'],
    ['{service}/v1/user', '/v1/user'],
    ['{service}/files/pump?x=1', '/files/pump?x=1'],
    ['spaces/a%2Fb/search?query=ä ö', '/v1/spaces/a%2Fb/search?query=%C3%A4%20%C3%B6'],
  ] as [string, string][])('%s is %s', async ([path, expected], { home }) => {
    const { url, requests } = await recordingService();
    const run = await docsctlFor(home, url)('api', path.replace('{service}', url));

    expect(run).toMatchObject({ exitCode: 0, stdout: '{"ok":true}\n', stderr: '' });
    expect(requests.map(({ method, url: received }) => [method, received])).toEqual([['GET', expected]]);
    expect(requests[0]!.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('of another service is refused before a request is sent', async ({ home }) => {
    const service = await recordingService();
    const other = await recordingService();
    const run = await docsctlFor(home, service.url)('api', `${other.url}/v1/user`);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^error: .* is not below .*, the only address the token is sent to\.\nhint: /);
    expect([...service.requests, ...other.requests]).toEqual([]);
  });

  test('that begins with // is sent to the service, not to that host', async ({ home }) => {
    const service = await recordingService();
    const other = await recordingService();
    await docsctlFor(home, service.url)('api', other.url.replace('http:', ''));

    expect(service.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });
});

describe('the request', () => {
  test.for([
    ['fields make it a POST', ['orgs', '-f', 'title=007'], 'POST', '/v1/orgs', { title: '007' }],
    ['any method', ['delete', 'spaces/x/ping/y'], 'DELETE', '/v1/spaces/x/ping/y', undefined],
    ['PUT without a body', ['PUT', 'orgs/x/ping'], 'PUT', '/v1/orgs/x/ping', undefined],
    [
      'typed fields',
      [
        'PATCH',
        'orgs/x/ping',
        '-F',
        'a=true',
        '-F',
        'b=null',
        '-F',
        'c=12',
        '-F',
        'd=007',
        '-F',
        'e=[1,"x"]',
        '-F',
        'f=word',
      ],
      'PATCH',
      '/v1/orgs/x/ping',
      { a: true, b: null, c: 12, d: '007', e: [1, 'x'], f: 'word' },
    ],
    [
      'nested fields and lists',
      [
        'POST',
        'orgs',
        '-f',
        'a[b][c]=1',
        '-f',
        'a[d]=2',
        '-f',
        'list[]=x',
        '-F',
        'list[]=2',
        '-f',
        'o[][k]=1',
        '-f',
        'o[][l]=2',
        '-f',
        'o[][k]=3',
      ],
      'POST',
      '/v1/orgs',
      { a: { b: { c: '1' }, d: '2' }, list: ['x', 2], o: [{ k: '1', l: '2' }, { k: '3' }] },
    ],
    ['a value with equals signs', ['POST', 'orgs', '-f', 'a=b=c='], 'POST', '/v1/orgs', { a: 'b=c=' }],
    [
      'a key that every object inherits',
      ['POST', 'orgs', '-f', '__proto__[x]=1'],
      'POST',
      '/v1/orgs',
      JSON.parse('{"__proto__":{"x":"1"}}'),
    ],
    [
      'fields of GET are the query',
      ['GET', 'orgs', '-f', 'search=a b&c', '-F', 'limit=2', '-f', 'x[]=1', '-f', 'x[]=2'],
      'GET',
      '/v1/orgs?search=a+b%26c&x=1&x=2&limit=2',
      undefined,
    ],
    [
      'more of it after a query in the path',
      ['GET', 'orgs?limit=1', '-f', 'search=x'],
      'GET',
      '/v1/orgs?limit=1&search=x',
      undefined,
    ],
  ] as [string, string[], string, string, unknown][])('%s', async ([, words, method, path, body], { home }) => {
    const { url, requests } = await recordingService();
    const run = await docsctlFor(home, url)('api', ...words);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests).toHaveLength(1);
    const [{ body: sent, ...request }] = requests as [ReceivedRequest];
    expect(request).toMatchObject({ method, url: path });
    expect(sent.length === 0 ? undefined : JSON.parse(sent.toString())).toEqual(body);
    expect(request.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
  });

  test('--input sends a file as it is, with fields in the query', async ({ home }) => {
    const { url, requests } = await recordingService();
    const bytes = Buffer.from([0, 255, 10, 13, 0xc3, 0x28]);
    await writeFile(join(home.dir, 'body.bin'), bytes);
    const run = await docsctlFor(home, url)(
      'api',
      'PUT',
      'x',
      '--input',
      'body.bin',
      '-f',
      'a=1',
      '-H',
      'content-type: image/png',
    );

    expect(run.exitCode).toBe(0);
    expect(requests[0]).toMatchObject({ method: 'PUT', url: '/v1/x?a=1', body: bytes });
    expect(requests[0]!.headers['content-type']).toBe('image/png');
  });

  test('--input - sends standard input as it is', async ({ home }) => {
    const { url, requests } = await recordingService();
    const bytes = Buffer.from([0, 255, 10, 13, 0xc3, 0x28]);
    const run = await docsctlFor(home, url)('api', 'x', '--input', '-', { stdin: 'pipe', input: bytes } as never);

    expect(run.exitCode).toBe(0);
    expect(requests[0]).toMatchObject({ method: 'POST', body: bytes });
  });

  test('-F reads a file after @, and standard input after @-', async ({ home }) => {
    const { url, requests } = await recordingService();
    await writeFile(join(home.dir, 'text.md'), '# Pumps\n');
    await docsctlFor(home, url)('api', 'x', '-F', 'a=@text.md', '-F', 'b=@-', { stdin: 'pipe', input: 'in' } as never);

    expect(JSON.parse(requests[0]!.body.toString())).toEqual({ a: '# Pumps\n', b: 'in' });
  });

  test('-H adds headers and replaces default ones', async ({ home }) => {
    const { url, requests } = await recordingService();
    await docsctlFor(home, url)(
      'api',
      'user',
      '-H',
      'Accept: text/markdown',
      '-H',
      'if-match: "3"',
      '-H',
      'Authorization: Bearer other',
    );

    expect(requests[0]!.headers).toMatchObject({
      accept: 'text/markdown',
      'if-match': '"3"',
      authorization: 'Bearer other',
    });
  });
});

describe('mistakes are reported before anything is sent', () => {
  test.for([
    [['FETCH', 'user'], '"FETCH" is not an HTTP method.'],
    [['GET'], '<path> is missing.'],
    [['orgs', '-f', 'title'], '"title" is not in the form key=value.'],
    [['orgs', '-f', 'a]=1'], '"a]" is not a valid key.'],
    [['orgs', '-f', 'a=1', '-f', 'a[b]=1'], '"a[b]=1" sets a nested field, but its key already has a value.'],
    [['orgs', '-f', 'a[]=1', '-f', 'a[b]=1'], '"a[b]=1" sets a named field, but its key is a list.'],
    [['GET', 'orgs', '-f', 'a[b]=1'], 'a: a query cannot have nested fields.'],
    [['orgs', '-F', 'a={'], '-F: "{" is not JSON'],
    [['orgs', '-F', 'a=@nowhere.md'], '-F: nowhere.md cannot be read: there is no such file'],
    [['orgs', '--input', 'nowhere.json'], '--input: nowhere.json cannot be read: there is no such file'],
    [['orgs', '-H', 'nothing'], '-H: "nothing" is not in the form name:value.'],
    [['POST', 'orgs', '--paginate'], '--paginate works with GET only, and without --input.'],
    [['orgs', '--paginate', '--input', '-'], '--paginate works with GET only, and without --input.'],
  ] as [string[], string][])('%j', async ([words, message], { home }) => {
    const { url, requests } = await recordingService();
    const run = await docsctlFor(home, url)('api', ...words);

    expect(run.exitCode).toBe(2);
    expect(run.stderr.startsWith(`error: ${message}`)).toBe(true);
    expect(requests).toEqual([]);
  });
});

describe('the answer', () => {
  let demo: Home;
  beforeAll(async () => {
    demo = await makeHome();
    await initialize(demo, 'demo');
  });
  afterAll(() => rm(demo.dir, { recursive: true, force: true }));

  test('of all pages is one JSON array, a line an item as jsonl, and rows as csv', async () => {
    const all = (await demo.docsctl('members', 'list', '-o', 'id')).stdout;
    const words = ['api', 'orgs/{org}/members', '--paginate', '-f', 'limit=400'];
    const [plain, json, lines, ids, csv, counted] = await Promise.all([
      demo.docsctl(...words),
      demo.docsctl(...words, '-o', 'json'),
      demo.docsctl(...words, '-o', 'jsonl'),
      demo.docsctl(...words, '-o', 'id'),
      demo.docsctl(...words, '-o', 'csv', '--columns', 'id,user.displayName'),
      demo.docsctl(...words, '--jq', 'length'),
    ]);
    const idsOf = (items: { id: string }[]) => items.map(({ id }) => `${id}\n`).join('');

    expect(plain.stdout).toBe(json.stdout);
    expect(idsOf(json.json)).toBe(all);
    expect(
      idsOf(
        lines.stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    ).toBe(all);
    expect(ids.stdout).toBe(all);
    expect(csv.stdout.split('\n')).toHaveLength(json.json.length + 2);
    expect(counted.stdout).toBe(`${json.json.length}\n`);
  });

  test('of an empty list is an empty list', async () => {
    const run = await demo.docsctl('api', '/orgs/{org}/members', '--paginate', '-f', 'search=nobody at all');
    expect(run).toMatchObject({ exitCode: 0, stdout: '[]\n' });
  });

  test('is printed as --jq, --columns and --output say', async () => {
    const words = ['api', 'spaces/handbook0001'];
    expect((await demo.docsctl(...words, '--jq', '.title')).stdout).toBe('Handbook\n');
    expect((await demo.docsctl(...words, '--columns', 'id,title')).stdout).toBe('id\thandbook0001\ntitle\tHandbook\n');
    expect((await demo.docsctl(...words, '-o', 'yaml', '--columns', 'title')).stdout).toBe('title: Handbook\n');
  });

  test('is printed with status and headers with --include', async () => {
    const run = await demo.docsctl('api', 'spaces/handbook0001', '--include');
    expect(run.stdout).toMatch(
      /^HTTP 200\n(?:[\w-]+: .*\n)*content-type: application\/json.*\n(?:[\w-]+: .*\n)*\n\{.*\}\n$/,
    );
    const deleted = await demo.docsctl('api', 'DELETE', 'spaces/quickstart01', '-i');
    expect(deleted.stdout).toMatch(/^HTTP 205\n/);
    const refused = await demo.docsctl('api', 'spaces/nowhere', '-i');
    expect(refused.exitCode).toBe(5);
    expect(refused.stdout).toMatch(/^HTTP 404\n(?:[\w-]+: .*\n)+\n\{"error":\{.*\}\n$/);
    expect(refused.stderr).toMatch(/^error: /);
  });

  test('that is not JSON is printed unchanged, and refused with --output', async () => {
    const plain = await demo.docsctl('api', '/files/pumpphoto001', { encoding: 'buffer' } as never);
    expect(plain.exitCode).toBe(0);
    const asYaml = await demo.docsctl('api', '/files/pumpphoto001', '-o', 'yaml');
    expect(asYaml).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.for([
    ['not found', ['spaces/nowhere'], 5],
    ['refused', ['PATCH', 'spaces/handbook0001', '-F', 'title=3'], 6],
    ['no such method', ['POST', 'user'], 6],
  ] as [string, string[], number][])('that is an error sets the exit status: %s', async ([, words, status]) => {
    const run = await demo.docsctl('api', ...words, '-o', 'json');
    expect(run).toMatchObject({ exitCode: status, stdout: '' });
    expect(JSON.parse(run.stderr).error.status).toBeGreaterThanOrEqual(400);
  });

  test('of a page that fails ends the list with a status; the printed part is valid JSON', async ({ home }) => {
    const { url } = await recordingService(({ url: path }) =>
      path.includes('page=')
        ? { status: 403, body: { error: { status: 403, reason: 'forbidden', message: 'No more.' } } }
        : { body: { items: [{ id: 'a' }], next: { page: 'b' } } },
    );
    const run = await docsctlFor(home, url)('api', 'orgs', '--paginate');
    expect(run.exitCode).toBe(4);
    expect(run.json).toEqual([{ id: 'a' }]);
  });

  test('that is not a list is refused with --paginate', async ({ home }) => {
    const { url } = await recordingService();
    const run = await docsctlFor(home, url)('api', 'user', '--paginate');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('The response of /v1/user is not a list.');
  });

  test('is asked for page by page, with the query and the headers of the first one', async ({ home }) => {
    const { url, requests } = await recordingService(({ url: path }) =>
      path.includes('page=')
        ? { body: { items: [{ id: 'b' }] } }
        : { body: { items: [{ id: 'a' }], next: { page: 'p&2' } } },
    );
    const run = await docsctlFor(home, url)('api', 'orgs?search=x', '--paginate', '-H', 'x-test: 1', '--include');
    expect(run.stdout).toMatch(/^HTTP 200\n(?:[\w-]+: .*\n)+\n\[\s*\{[^]*\}\s*\]\n$/);
    expect(run.stdout.match(/HTTP 200/g)).toHaveLength(1);
    expect(requests.map((request) => [request.url, request.headers['x-test']])).toEqual([
      ['/v1/orgs?search=x&limit=1000', '1'],
      ['/v1/orgs?search=x&limit=1000&page=p%262', '1'],
    ]);
  });

  test('that repeats a page token ends with an error', async ({ home }) => {
    const { url, requests } = await recordingService(() => ({ body: { items: [{ id: 'a' }], next: { page: 'b' } } }));
    const run = await docsctlFor(home, url)('api', 'orgs', '--paginate');
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toContain('the same page token twice');
    expect(requests).toHaveLength(2);
  });
});

describe('secrets', () => {
  test('are hidden in --debug: the token of the profile and those of -H', async ({ home }) => {
    const { url } = await recordingService(() => ({ body: { said: `Bearer ${token} own-secret` } }));
    const withHeader = await docsctlFor(home, url)('api', 'user', '-H', 'Authorization: Bearer own-secret', '--debug');
    const withProfile = await docsctlFor(home, url)('api', 'user', '--debug');

    expect(withHeader.stderr).toContain('> GET ');
    expect(withHeader.stderr).not.toMatch(/own-secret|token-of-test/);
    expect(withProfile.stderr).not.toContain(token);
  });

  test('--dry-run sends nothing and shows no token', async ({ home }) => {
    const { url, requests } = await recordingService();
    const run = await docsctlFor(home, url)(
      'api',
      'POST',
      '/orgs',
      '-H',
      'Authorization: Bearer own-secret',
      '-f',
      'title=x',
      '--dry-run',
    );

    expect(run.stdout).toBe(`POST ${url}/v1/orgs\nauthorization: [hidden]\n\n{\n  "title": "x"\n}\n`);
    expect(requests).toEqual([]);
  });
});

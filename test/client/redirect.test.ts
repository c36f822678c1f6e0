import { expect, test } from 'vitest';
import type { HttpError } from '../../src/client/errors/http-error.ts';
import { errorOf, httpClient, json, serve, things } from './support.ts';

const get = { params: { thing: '1' } };

test.for([301, 302, 303, 307, 308])('a GET follows %i within the origin', async (status) => {
  await using service = await serve((request, response) =>
    request.url === '/moved/here?x=1'
      ? json(response, { id: '1' })
      : response.writeHead(status, { location: '/moved/here?x=1' }).end(),
  );
  await using client = httpClient(`${service.url}/base`, { token: 'secret-token' });
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer secret-token',
    'Bearer secret-token',
  ]);
});

test('a location is relative to the address that redirects', async () => {
  await using service = await serve((request, response) => {
    if (request.url === '/v1/others/1') json(response, { id: '1' });
    else response.writeHead(302, { location: '../others/1' }).end();
  });
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
});

test('a redirect in circles ends after five steps', async () => {
  await using service = await serve((_, response) => response.writeHead(302, { location: '/v1/round' }).end());
  await using client = httpClient(service.url, { retries: 3 });
  await expect(client.call(things.get, get)).rejects.toThrow('redirects more than 5 times');
  expect(service.requests).toHaveLength(6);
});

test('nothing is sent to another origin, and the error names it', async () => {
  await using other = await serve((_, response) => json(response, { id: 'stolen' }));
  for (const status of [301, 302, 307, 308]) {
    await using service = await serve((_, response) =>
      response.writeHead(status, { location: `${other.url}/login/secret-token?back=secret-token` }).end(),
    );
    await using client = httpClient(service.url, { token: 'secret-token' });
    const error = await errorOf<HttpError>(client.call(things.get, get));
    expect(error).toMatchObject({ name: 'HttpError', status });
    expect(error.message).toContain(
      `redirects (${status}) to ${other.url}/login/[hidden], which is not the configured address`,
    );
    expect(error.hint).toContain(other.url);
    expect(JSON.stringify(error) + error.stack).not.toContain('secret-token');
  }
  expect(other.requests).toHaveLength(0);
});

test.for([
  ['another port', 'http://127.0.0.1:1/v1/x'],
  ['another scheme', 'https://{host}/v1/x'],
  ['another host', '//elsewhere.example/v1/x'],
  ['a user name', 'http://user:pass@elsewhere.example/x'],
  ['no web address', 'javascript:alert(1)'],
  ['nothing readable', 'http://['],
])('a redirect to %s is refused', async ([, location]) => {
  await using service = await serve((request, response) =>
    response.writeHead(302, { location: location!.replace('{host}', request.headers.host!) }).end(),
  );
  await using client = httpClient(service.url);
  const error = await errorOf<HttpError>(client.call(things.get, get));
  expect(error.message).toContain('not the configured address');
  expect(error.message).not.toContain('pass@');
  expect(service.requests).toHaveLength(1);
});

test('a write is not sent on', async () => {
  await using service = await serve((_, response) => response.writeHead(307, { location: '/v1/there' }).end());
  await using client = httpClient(service.url);
  await expect(client.call(things.create, { body: { title: 'x' } })).rejects.toThrow(
    'redirects (307) this POST to /v1/there: only GET and HEAD requests follow redirects.',
  );
  expect(service.requests).toHaveLength(1);
});

test('a redirect without a location is an error like any other', async () => {
  await using service = await serve((_, response) => response.writeHead(302).end());
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).rejects.toMatchObject({
    status: 302,
    message: 'The service answered 302 Found.',
  });
});

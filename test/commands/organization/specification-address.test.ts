import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoHome, serveHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
const description = 'openapi: 3.1.0\ninfo: { title: Valves, version: 1.0.0 }\npaths: {}\n';
let home: DemoHome;
let address: string;
let stop: () => Promise<void>;
beforeEach(async () => {
  const server = createServer((request, response) => {
    if (request.url === '/none.yaml') response.writeHead(404);
    response.end(description);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/valves.yaml`;
  home = await demo.copy();
  const service = await serveHere(home.database, { allowPrivateSources: true });
  Object.assign(home.env, service.env);
  stop = async () => {
    await service.stop();
    server.close();
  };
});
afterEach(() => stop());

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const valves = () => home.run(['openapi', 'view', 'valves', '-o', 'json']);

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

async function publish(url: string) {
  const source = JSON.stringify({ url });
  await done('api', 'PUT', '/v1/orgs/{org}/openapi/valves', '-F', `source=${source}`);
  await done('wait', 'openapi', 'valves');
}

test('a specification that the service fetches is exported, planned and applied by its address', async () => {
  await publish(address);
  await done('export', 'o');
  expect(await readFile(at('openapi/valves.yaml'), 'utf8')).toBe(`source: ${address}\n`);
  expect((await done('drift', 'o')).stdout).toBe('');

  // A comment is no change.
  await writeFile(at('openapi/valves.yaml'), `# Fetched from the build.\nsource: ${address}?v=2\n`);
  const plan = await done('plan', 'o');
  expect(plan.stdout).toContain('~ specification valves\n');
  expect(plan.stdout).toContain(`~ source: ${address} -> ${address}?v=2`);
  await done('apply', 'o', '--yes');
  expect((await valves()).json).toMatchObject({ sourceURL: `${address}?v=2`, processingState: 'complete' });
  expect((await done('plan', 'o')).stdout).toBe('');

  await publish(address);
  const drift = await home.run(['drift', 'o']);
  expect([drift.exitCode, drift.stdout]).toEqual([9, expect.stringContaining('source')]);
});

test('a file can get an address instead of a text, or a text instead of an address', async () => {
  await done('export', 'o');
  await writeFile(at('openapi/pumps.yaml'), `source: ${address}\n`);
  await done('apply', 'o', '--yes');
  expect((await home.run(['openapi', 'view', 'pumps', '-o', 'json'])).json).toMatchObject({ sourceURL: address });

  await writeFile(at('openapi/pumps.yaml'), description);
  expect((await done('plan', 'o', '--diff')).stdout).toContain('+openapi: 3.1.0');
  await done('apply', 'o', '--yes');
  expect((await home.run(['openapi', 'view', 'pumps', '-o', 'json'])).json).not.toHaveProperty('sourceURL');
  expect((await done('plan', 'o')).stdout).toBe('');
});

test('an address that cannot be fetched fails, and one that is none is a problem of the file', async () => {
  await done('export', 'o');
  await writeFile(at('openapi/valves.yaml'), `source: ${address.replace('valves', 'none')}\n`);
  const apply = await home.run(['apply', 'o', '--yes']);
  expect(apply.exitCode).not.toBe(0);
  expect(apply.stderr).toContain('FETCH_ERROR');

  await writeFile(at('openapi/valves.yaml'), 'source: ./valves.yaml\n');
  const plan = await home.run(['plan', 'o']);
  expect([plan.exitCode, plan.stderr]).toEqual([
    2,
    expect.stringContaining('valves.yaml:1:9: source must be an http or https address'),
  ]);
});

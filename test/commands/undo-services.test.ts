import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DemoHome, serveHere, sharedDemo } from '../support/shell.ts';
import { forwardTo } from './twin/forwarding.ts';

// Undoing changes of services whose answers contain less than those of docsctl.

const { demo } = await sharedDemo();

/** A home whose service is behind another one. */
async function homeBehind(options?: Parameters<typeof forwardTo>[1]): Promise<DemoHome & { requests: string[] }> {
  const home = await demo.copy();
  const service = await serveHere(home.database);
  const forwarding = await forwardTo(service.env['DOCSCTL_URL']!, options);
  onTestFinished(async () => {
    forwarding.stop();
    await service.stop();
  });
  Object.assign(home.env, service.env, { DOCSCTL_URL: forwarding.url });
  return { ...home, requests: forwarding.requests };
}

test('a site is read again if the answer to its publication does not say whether it is published', async () => {
  const home = await homeBehind({
    answer: (path, text) => (path.endsWith('/publish') ? text.replace('"published":true,', '') : text),
  });
  const published = async () => (await home.run(['sites', 'view', 'intranet0001', '--jq', '.published'])).stdout.trim();

  expect((await home.run(['sites', 'publish', 'intranet0001'])).exitCode).toBe(0);
  expect(await published()).toBe('true');
  const undo = await home.run(['undo', '--yes']);

  expect(undo.exitCode, undo.stderr).toBe(0);
  expect(await published()).toBe('false');
});

test('a request that a push created is archived, also if the service answers with the request alone', async () => {
  const home = await homeBehind({ address: (url) => url.replace('compat=false', 'compat=true') });
  await home.run(['content', 'pull', 'docs', '--space', 'handbook0001']);
  await appendFile(join(home.dir, 'docs', 'glossary.md'), '\nOne more line.\n');
  const archived = async () =>
    (await home.run(['api', 'GET', 'spaces/handbook0001/change-requests?status=archived'])).stdout;

  const push = await home.run(['content', 'push', 'docs', '--space', 'handbook0001', '--new', 'More']);
  expect(push.exitCode).not.toBe(0);
  expect(await archived()).not.toContain('"More"');
  const undo = await home.run(['undo', '--yes']);

  expect(undo.exitCode, undo.stderr).toBe(0);
  expect(await archived()).toContain('"More"');
});

test('a merge that opens the request reads it once, also for the journal', async () => {
  const home = await homeBehind();
  const { stdout } = await home.run(['cr', 'create', '--space', 'handbook0001', '--subject', 'More', '-o', 'id']);
  const id = stdout.trim();
  home.requests.length = 0;

  const merge = await home.run(['cr', 'merge', id, '--open', '--space', 'handbook0001', '--yes']);

  expect(merge.exitCode, merge.stderr).toBe(0);
  const address = `/v1/spaces/handbook0001/change-requests/${id}`;
  expect(home.requests.filter((request) => request.includes(address))).toEqual([
    `GET ${address}`,
    `PATCH ${address}`,
    `POST ${address}/merge`,
  ]);
});

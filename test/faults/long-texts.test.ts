import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Home, serve, type Served, test } from '../support/cli.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { dataUrl, docx, hostileMarkdown, wordParagraph } from '../support/hostile.ts';
import { isLong } from '../support/long-form.ts';

const megabytes = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;

interface Client extends Served {
  space: string;
  post(path: string, body: object): Promise<{ status: number; body: any }>;
}

async function client(home: Home): Promise<Client> {
  home.env.DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS = '1';
  const served = await serve(home, '--log', 'off');
  const post = async (path: string, body: object) => {
    const response = await fetch(served.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const space = (await post(`/v1/orgs/${served.organization}/spaces`, { title: 'Texts' })).body.id;
  return { ...served, post, space };
}

const change = (markdown: string) => ({ changes: [{ operation: 'insert_page', document: { markdown } }] });

/** How long another client waits for its answers, in order, until `work` is done; and the most memory used. */
async function meanwhile({ url, organization, token, pid }: Served, work: Promise<unknown>) {
  const took: number[] = [];
  let memory = 0;
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => {});
  while (!isDone) {
    const start = performance.now();
    const response = await fetch(`${url}/v1/orgs/${organization}/members`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    took.push(performance.now() - start);
    memory = Math.max(memory, await megabytes(pid));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  took.sort((a, b) => a - b);
  return { p99: took[Math.floor(took.length * 0.99)]!, memory };
}

test(
  'a text made to slow the parser gets 422, and others are answered meanwhile',
  { timeout: 300_000 },
  async ({ home }) => {
    const files: Record<string, Uint8Array> = { '/large.docx': docx(wordParagraph('a').repeat(200_000)) };
    const web = createServer((request, response) => response.end(files[request.url!]));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const large = `http://127.0.0.1:${(web.address() as AddressInfo).port}/large.docx`;
    const service = await client(home);
    const { post, space } = service;
    const before = await megabytes(service.pid);
    const inserting = (markdown: string) => () => post(`/v1/spaces/${space}/content`, change(markdown));
    const importing = (source: string, url: string) => () =>
      post(`/v1/spaces/${space}/content/import`, { source, url });

    const hostile: [name: string, send: () => ReturnType<typeof post>][] = [
      ['nested lists', inserting(hostileMarkdown['nested lists']!(1_000_000))],
      ['a document', importing('docx', large)],
    ];
    if (isLong) {
      const paragraphs = `<main>${'<p>a</p>'.repeat(100_000)}</main>`;
      hostile.push(['html', importing('html', dataUrl('text/html', paragraphs))]);
      for (const [kind, make] of Object.entries(hostileMarkdown)) hostile.push([kind, inserting(make(1_000_000))]);
    }
    for (const [name, send] of hostile) {
      const start = performance.now();
      const work = send();
      const { p99, memory } = await meanwhile(service, work);
      const { status, body } = await work;
      const outcome = [name, status, body.error?.reason];
      if (status === 422) expect(body.error.message).toMatch(/ could not be read within (?:5 s|256 MiB of memory)/);
      else expect(outcome).toEqual([name, 200, undefined]);
      // The limit is 5 s, and others wait 100 ms at most, on a machine that does nothing else.
      expect([name, performance.now() - start < 30_000, p99 < 3_000]).toEqual([name, true, true]);
      expect([name, memory - before < 1_000]).toEqual([name, true]);
    }
    expect(await service.stop()).toBe(0);
  },
);

test('SIGTERM ends a service within 5 s while it reads a text made to slow it', async ({ home }) => {
  const service = await client(home);
  const { post, space } = service;
  const texts = ['nested lists', 'lazy lines of a quote'].map((kind) => hostileMarkdown[kind]!(1_000_000));
  const work = texts.map((text) => post(`/v1/spaces/${space}/content`, change(text)));
  const before = await cpuMs(service.pid);
  await expect.poll(async () => (await cpuMs(service.pid)) - before).toBeGreaterThan(500);

  const start = performance.now();
  expect(await service.stop()).toBe(0);

  // The promise is 5 s; the rest is for a machine that is busy.
  expect(performance.now() - start).toBeLessThan(15_000);
  // Nothing was cut off: each text was read, was too much, or was given up because the service ends.
  for (const { status } of await Promise.all(work)) expect([200, 422, 503]).toContain(status);
});

test('a command without a service is refused the same way, and ends', async ({ home, docsctl }) => {
  const { json } = await docsctl('spaces', 'create', '--title', 'Texts', '--json');
  const file = join(home.dir, 'change.json');
  await writeFile(file, JSON.stringify(change(hostileMarkdown['nested lists']!(1_000_000))));

  const { exitCode, stderr } = await docsctl('api', 'POST', `/v1/spaces/${json.id}/content`, '--input', file);

  expect(stderr).toContain('The text of /changes/0/document could not be read within');
  expect(exitCode).toBe(6);
});

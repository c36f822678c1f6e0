import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { bin, type Home, serve, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';

const pageCount = 60;

/** A site that answers slowly. `asked` counts its requests. */
async function slowSite() {
  const site = { url: '', asked: 0 };
  const links = Array.from({ length: pageCount }, (_, index) => `<a href="p${index}">p</a>`).join(' ');
  const base = await listen((request, response) => {
    site.asked += 1;
    response.setHeader('content-type', 'text/html');
    const body = request.url === '/docs/' ? links : `Text of ${request.url}.`;
    setTimeout(() => response.end(`<title>T</title><main><h1>${request.url}</h1><p>${body}</p></main>`), 40);
  });
  site.url = `${base}/docs/`;
  return site;
}

const privateImports = { DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: '1' };

/** Starts an import; resolves once the site was asked for some pages. */
async function startImport(home: Home, site: { url: string; asked: number }, words: string[], env = {}) {
  site.asked = 0;
  const child = execa(process.execPath, [bin, 'content', 'import', site.url, '--source', 'website', ...words], {
    cwd: home.dir,
    env: { ...home.env, ...privateImports, ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  await vi.waitUntil(() => site.asked > 8, { timeout: 120_000, interval: 5 });
  // Within an object: the child is also a promise.
  return { child };
}

/** All that an import could leave behind. */
function rowsOf(database: string) {
  const db = new DatabaseSync(database, { readOnly: true });
  const count = (table: string) => db.prepare(`select count(*) as count from ${table}`).get()!['count'];
  const rows = Object.fromEntries(
    ['page_version', 'document', 'document_link', 'blob', 'file_version', 'revision'].map((table) => [
      table,
      count(table),
    ]),
  );
  db.close();
  return rows;
}

test('an import that is cut off leaves nothing behind: Ctrl-C, a lost client, SIGKILL', async ({ home }) => {
  const stopped = 'Interrupted: the instance stops the import, and nothing is imported.';
  const site = await slowSite();
  const token = 'token-of-the-import';
  const serveHome = { ...home, env: { ...home.env, ...privateImports, DOCSCTL_SERVE_TOKEN: token } };
  const service = await serve(serveHome);
  const env = { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token };
  const space = (await home.docsctl('spaces', 'create', '--title', 'S', '-o', 'id', { env })).stdout.trim();
  const before = rowsOf(service.database);

  const { child: interrupted } = await startImport(home, site, ['--space', space], env);
  interrupted.kill('SIGINT');
  expect(await interrupted).toMatchObject({ exitCode: 130, stdout: '', stderr: stopped });

  const { child: lost } = await startImport(home, site, ['--space', space], env);
  lost.kill('SIGKILL');
  await lost;
  // The crawl stops too.
  await vi.waitFor(async () => {
    const { asked } = site;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(site.asked).toBe(asked);
  });
  expect(site.asked).toBeLessThan(pageCount);
  expect(rowsOf(service.database)).toEqual(before);

  const { child: killed } = await startImport(home, site, ['--space', space, '--retries', '0'], env);
  process.kill(service.pid, 'SIGKILL');
  const run = await killed;
  expect(run.exitCode).toBe(7);
  expect(run.stderr).toContain('the connection was closed before an answer came');
  expect(rowsOf(service.database)).toEqual(before);

  const { child: inProcess } = await startImport(home, site, [
    '--space',
    space,
    '--url',
    `embedded:${service.database}`,
  ]);
  inProcess.kill('SIGINT');
  expect(await inProcess).toMatchObject({ exitCode: 130, stdout: '', stderr: stopped });
  expect(rowsOf(service.database)).toEqual(before);

  const { child: whole } = await startImport(home, site, [
    '--space',
    space,
    '--url',
    `embedded:${service.database}`,
    '-o',
    'json',
  ]);
  expect(JSON.parse((await whole).stdout)).toMatchObject({ importedResources: pageCount + 1 });
  expect(rowsOf(service.database)).toMatchObject({ page_version: Number(before['page_version']) + pageCount + 1 });
});

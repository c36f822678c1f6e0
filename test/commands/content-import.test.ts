import { expect } from 'vitest';
import { progressText } from '../../src/commands/content/import.ts';
import { test } from '../support/in-process.ts';
import { listen } from '../support/service.ts';
import { writeFiles } from '../support/write-files.ts';

/** A service that is none of docsctl: it imports after a while, or never. */
async function otherService(answer: 'late' | 'never') {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'POST' && answer === 'never') return;
    const body =
      request.method === 'POST'
        ? { revision: 'Rev1', importedResources: 2, totalResources: 5 }
        : { object: 'space', id: 'Space0000001', title: 'S' };
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    setTimeout(() => response.end(JSON.stringify(body)), request.method === 'POST' ? 300 : 0);
  });
  return { asked, env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token' } };
}

const words = ['content', 'import', 'https://lumen.example/', '--source', 'website', '--space', 'Space0000001'];

test('another service gets no request that it does not know, and what it left out is said', async ({ home }) => {
  const { asked, env } = await otherService('late');
  const run = await home.docsctl(...words, { env });

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toBe('error: 3 of 5 pages and files were not imported.\n');
  expect(asked.filter((line) => !line.startsWith('GET /v1/'))).toEqual(['POST /v1/spaces/Space0000001/content/import']);

  const refused = await home.docsctl(...words, '--replace', { env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--replace works on a local instance only');
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

test('an import that takes too long is given up with 7, and what may have happened is said', async ({ home }) => {
  const { asked, env } = await otherService('never');
  const run = await home.docsctl(...words, '--timeout', '0.3', { env });

  expect(run.exitCode).toBe(7);
  expect(run.stderr).toContain('The import was not done within 0.3 s; docsctl no longer waits for it.');
  expect(run.stderr).toContain('The service may still go on');
  expect(run.stderr).toContain('docsctl content pages list --space Space0000001');
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

test('a dry run checks flags and the space, and sends no import', async ({ home }) => {
  const { asked, env } = await otherService('late');
  const dry = await home.docsctl(...words, '--dry-run', { env });
  expect(dry.exitCode).toBe(0);
  expect(dry.stdout).toContain('/v1/spaces/Space0000001/content/import');
  expect((await home.docsctl(...words, '--dry-run', '--replace', { env })).exitCode).toBe(2);
  expect((await home.docsctl(...words, '--dry-run', '--overwrite', { env })).stderr).toContain('needs --replace');
  expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('a local folder is imported, and what is not imported is named and in the exit status', async ({ home }) => {
  const { env } = await otherService('late');
  await writeFiles(home.dir, { 'wiki/Home.md': '[[FAQ]]', 'wiki/FAQ.md': 'x', 'wiki/_Footer.md': 'foot' });
  const run = await home.docsctl('content', 'import', 'wiki', '--space', 'Space0000001', { env });
  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain('not imported: _Footer.md: the wiki shows it on every page\n');
  expect(run.stderr).toContain('4 of 6 pages and files were not imported.');
});

test('a dry run names what would not be imported, and --source says what a file is', async ({ home }) => {
  const { env, asked } = await otherService('late');
  await writeFiles(home.dir, { 'wiki/Home.md': 'x', 'wiki/_Footer.md': 'foot', 'notes.txt': '<h1>Notes</h1>' });
  const space = ['--space', 'Space0000001', '--dry-run'];
  const wiki = await home.docsctl('content', 'import', 'wiki', ...space, { env });
  expect(wiki.exitCode).toBe(8);
  expect(wiki.stderr).toContain('not imported: _Footer.md');
  expect(wiki.stderr).toContain('1 file would not be imported.');

  expect((await home.docsctl('content', 'import', 'notes.txt', ...space, { env })).exitCode).toBe(2);
  const notes = await home.docsctl('content', 'import', 'notes.txt', '--source', 'html', ...space, { env });
  expect(notes.exitCode).toBe(0);
  const folder = await home.docsctl('content', 'import', 'wiki', '--source', 'docx', ...space, { env });
  expect(folder.exitCode).toBe(2);
  expect(folder.stderr).toContain('a folder cannot be imported as docx');
  expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('the progress tells what has arrived, else the time', () => {
  const state = {
    step: 'fetching',
    fetched: 12,
    found: 40,
    leftOut: { pages: 0, depth: 0, time: 0, robots: 0, failed: 0 },
    limits: { pages: 500, depth: 10, seconds: 840 },
  } as const;
  expect(progressText(state, 31)).toBe('Importing: 12 of 40 pages found so far are fetched, 31 s');
  expect(progressText(undefined, 125)).toBe('Importing: 2 min 5 s so far');
});

import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { root } from '../support/cli.ts';
import { writeFiles } from '../support/write-files.ts';

const broken = { 'docs/README.md': '# Home\n\n[a](none.md)\n\n{% strange %}\n' };

test('a folder without problems', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n\n[a](a.md#steps)\n', 'docs/a.md': '# A\n\n## Steps\n' });

  const run = await docsctl('content', 'check', 'docs');

  expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: '2 pages checked: nothing is wrong.\n' });
});

test('findings are printed with file and line, and end it with status 9', async ({ docsctl, home }) => {
  await writeFiles(home.dir, broken);

  const run = await docsctl('content', 'check', 'docs');

  expect(run.stdout).toMatch(
    /^docs\/README\.md:3(:\d+)? error none\.md does not lead to a file in the folder\. \(broken-link\)$/m,
  );
  expect(run.stdout).toMatch(/^docs\/README\.md:5(:\d+)? error .*strange.* \(unknown-block\)$/m);
  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('2 findings in 1 page.');
  expect((await docsctl('content', 'check', 'docs', '--fail-on', 'none')).exitCode).toBe(0);
});

test('blocks of integrations are accepted unless --deny-blocks is given', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n\n{% @marketo/form formid="7" %}\n' });

  const accepted = await docsctl('content', 'check', 'docs', '--fail-on', 'warning');
  const denied = await docsctl('content', 'check', 'docs', '--deny-blocks');

  expect(accepted).toMatchObject({ exitCode: 0, stdout: '' });
  expect(denied.exitCode).toBe(9);
  expect(denied.stdout).toMatch(/^docs\/README\.md:3(:\d+)? error .*@marketo\/form.* \(integration-block\)$/m);
});

test('the address of an integration is not checked, and --deny-blocks reports blocks that are shown as links', async ({
  docsctl,
  home,
}) => {
  await writeFiles(home.dir, {
    'docs/README.md':
      '# Home\n\n{% @acme/form url="u" %}\n\n{% @acme/video url="https://acme.example/v" %}\n\n[a](u)\n\n--8<-- "b.md"\n',
  });

  const { stdout } = await docsctl('content', 'check', 'docs', '--deny-blocks');

  expect(stdout.match(/^.*\(broken-link\)$/gm)).toEqual([
    'docs/README.md:7 error u does not lead to a file in the folder. (broken-link)',
  ]);
  expect(stdout.match(/\(integration-block\)$/gm)).toHaveLength(2);
  expect(stdout).toContain('docs/README.md:9 warning "--8<-- "b.md"" is');
});

test('a large folder that did not change is not checked again', async ({ docsctl, home }) => {
  const files = Object.fromEntries(Array.from({ length: 210 }, (_, page) => [`docs/p${page}.md`, `# Page ${page}\n`]));
  await writeFiles(home.dir, {
    ...files,
    'docs/p7.md': '# Page 7\n\n[a](none.md) {% @acme/form %}\n',
    'docs/a.png': 'a',
  });
  const check = async (...flags: string[]) => (await docsctl('content', 'check', 'docs', ...flags)).stdout;

  const first = await check();
  const again = await check();
  const other = await check('--deny-blocks');
  await writeFiles(home.dir, { 'docs/p8.md': '# Page 8\n\n![b](b.png) ![a](a.png)\n' });
  const edited = await check();
  await rm(join(home.dir, 'docs/a.png'));
  const removed = await check();

  expect(first).toContain('p7.md:3');
  expect(again).toBe(first);
  expect(other).toContain('(integration-block)');
  expect(edited).toContain('b.png');
  expect(edited).not.toContain('a.png');
  expect(removed).toContain('a.png');
});

test('pages that several threads read are checked against each other', async ({ docsctl, home }) => {
  const page = (n: number) =>
    `# Page ${n}\n\n## Part ${n}\n\n[Next](p${n + 1}.md#part-${n + 1}) and [No](p0.md#none)\n`;
  const pages = Array.from({ length: 240 }, (_, n) => [`docs/p${n}.md`, page(n)]);
  await writeFiles(home.dir, { ...Object.fromEntries(pages), 'docs/p240.md': '# Last\n\n$$x$$\n' });

  const run = await docsctl('content', 'check', 'docs');

  const findings = run.stdout.split('\n').filter((line) => line.includes('(missing-anchor)'));
  expect(findings).toHaveLength(241);
  expect(findings.filter((line) => line.includes('part-240'))).toHaveLength(1);
  expect(run.exitCode).toBe(9);
});

test('Markdown of other tools is reported with the way to write it', async ({ docsctl, home }) => {
  const lines = [
    '---\ntitle: Home\n---',
    '!!! note "Read this"',
    '=== "Shell"',
    '--8<-- "a.md"',
    'See [[Other page]], but not `[[code]]` and [[1]](a.md).',
    '??? tip',
    '```\n!!! note\n```',
    ':::details More\n\nUnderstood\n\n:::',
    ':::code-group\n\nText\n\n:::',
    ':::tip\n\nUnderstood\n\n:::',
    '> [!NOTE]\n> Understood',
  ];
  await writeFiles(home.dir, { 'docs/README.md': `${lines.join('\n\n')}\n`, 'docs/a.md': '# A\n' });

  const run = await docsctl('content', 'check', 'docs');

  const findings = run.stdout.split('\n').filter((line) => line.includes('(other-markdown)'));
  expect(findings.map((line) => line.split(' ', 1)[0])).toEqual(
    [5, 7, 9, 11, 13, 25].map((line) => `docs/README.md:${line}`),
  );
  expect(findings[0]).toContain('Write it as {% hint style="info" %}');
  expect(run.exitCode).toBe(0);
});

test('reports for build servers', async ({ docsctl, home }) => {
  await writeFiles(home.dir, broken);
  const report = async (format: string) => (await docsctl('content', 'check', 'docs', '--format', format)).stdout;

  expect(JSON.parse(await report('json'))).toMatchObject([{ rule: 'broken-link', file: 'docs/README.md' }, {}]);
  expect(await report('github')).toContain('::error file=docs/README.md,line=3');
  expect(JSON.parse(await report('gitlab'))).toMatchObject([{ check_name: 'broken-link' }, {}]);
  expect(JSON.parse(await report('sarif')).runs[0].results).toHaveLength(2);
  expect(await report('junit')).toContain('<testsuite name="docs/README.md" tests="2" failures="2">');
});

test('accepted findings are skipped', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    ...broken,
    'ignore.yaml': `- { rule: broken-link, path: "READ*", reason: Comes later }
- { rule: missing-file, reason: Nothing has it }
- { rule: unknown-block, until: 2020-01-01, reason: Over }
`,
    'wrong.yaml': '- { rule: broken-lnk, reason: x }\n',
  });

  const ignored = await docsctl('content', 'check', 'docs', '--ignore', 'ignore.yaml');
  expect(ignored.stdout).not.toContain('broken-link');
  expect(ignored.stdout).toContain('ignore.yaml warning the entry has expired and has no effect: unknown-block');
  expect(ignored.stderr).toContain('1 finding is ignored by ignore.yaml.');
  expect(ignored.stderr).toContain('ignore.yaml: missing-file (Nothing has it) matches no finding.');

  const wrong = await docsctl('content', 'check', 'docs', '--ignore', 'wrong.yaml');
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('did you mean "broken-link"?') });

  await docsctl('content', 'check', 'docs', '--write-baseline', 'known.json');
  const known = await docsctl('content', 'check', 'docs', '--baseline', 'known.json');
  expect(known).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2 findings accepted by the baseline') });
});

test('a folder that cannot be checked', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'empty/picture.png': '', 'out/.gitbook.yaml': 'root: ../..\n', 'out/a.md': '' });

  expect(await docsctl('content', 'check', 'none')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('content', 'check', 'empty')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('empty contains no pages.'),
  });
  expect(await docsctl('content', 'check', 'out')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('leads out of the folder'),
  });
});

test('links to other hosts are asked for with --external, and only what is gone fails', async ({
  docsctl,
  home,
  onTestFinished,
}) => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    if (url === '/old') return void response.writeHead(301, { location: '/there' }).end();
    response.writeHead(url === '/there' ? 200 : url === '/busy' ? 503 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFiles(home.dir, {
    'docs/README.md': `# Home\n\n[a](${host}/there) [b](${host}/old#x)\n\n[c](${host}/gone) [d](${host}/busy)\n`,
  });
  const env = { DOCSCTL_CACHE_DIR: join(home.dir, 'cache') };

  expect((await docsctl('content', 'check', 'docs', { env })).exitCode).toBe(0);
  expect(asked).toEqual([]);
  const run = await docsctl('content', 'check', 'docs', '--external', { env });

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain(
    `docs/README.md:5 error ${host}/gone does not exist: the response was 404. (external-link)`,
  );
  expect(run.stdout).toContain(`${host}/busy could not be checked: the response was 503. (external-not-checked)`);
  expect(run.stdout.split('\n')).toHaveLength(3);
  asked.length = 0;
  await docsctl('content', 'check', 'docs', '--external', { env });
  expect(asked).not.toContain('HEAD /there');
});

test('the documentation of docsctl', async ({ docsctl }) => {
  const run = await docsctl('content', 'check', join(root, 'docs'), '--fail-on', 'warning');

  expect(run.stdout).toBe('');
  expect(run.exitCode).toBe(0);
});

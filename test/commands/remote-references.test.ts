import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';
import { writeFiles } from '../support/write-files.ts';

const { home } = await sharedDemo();

async function done(...words: string[]): Promise<string> {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run.stdout.trim();
}

const files = {
  'api/SUMMARY.md': `# Contents

* [Home](README.md)
* [API](ref/README.md)
  * \`\`\`yaml
    type: builtin:openapi
    props: { downloadLink: true }
    dependencies: { spec: { ref: { kind: openapi, spec: pumps } } }
    \`\`\`
`,
  'api/README.md': `# Home

{% include ".gitbook/includes/note.md" %}

Version <code class="expression">space.vars.version</code>

{% openapi-operation spec="pumps" path="/pumps" method="get" %}
{% endopenapi-operation %}
`,
  'api/ref/README.md': '# API\n',
  'api/.gitbook/includes/note.md': 'A shared note.\n',
  'api/.gitbook/vars.yaml': 'version: "2.4"\n',
};

const read = (path: string) => readFile(join(home.dir, 'out', path), 'utf8');

const publish = async (summary: string) => {
  const paths = { '/pumps': { get: { summary, responses: { 200: { description: 'All.' } } } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pumps', version: '1' }, paths });
  await writeFile(join(home.dir, 'pumps.json'), text);
  await done('openapi', 'publish', 'pumps.json', '--slug', 'pumps', '--wait', '-q');
};

test('the export of a site draws references, blocks of specifications, reusable texts and variables', async () => {
  await writeFiles(home.dir, files);
  const space = await done('spaces', 'create', '--title', 'Api', '-o', 'id');
  await done('content', 'push', 'api', '--space', space, '--new', 'All', '--merge');
  const site = await done('sites', 'create', '--title', 'Apis', '--spaces', space, '-o', 'id');
  await publish('List pumps');

  const first = await done('sites', 'export', site, '--out', 'out', '--check', '-o', 'json');
  const start = await read('index.html');
  const group = await read('ref/operations.html');
  await publish('List all pumps');
  await done('sites', 'export', site, '--out', 'out', '--check');

  expect(first).toContain('"pages":4');
  expect(start).toContain('A shared note.');
  expect(start).toMatch(/Version <code[^>]*>2\.4<\/code>|Version 2\.4/);
  expect(start).toContain('List pumps');
  expect(start).toContain('href="ref/operations.html#');
  expect(group).toContain('List pumps');
  expect(await read('ref/operations.md')).toContain('`GET /pumps`');
  const [, offered = ''] = /href="\.\.\/([^"]+)" download/.exec(await read('ref/overview.html')) ?? [];
  expect(JSON.parse(await read(offered))).toMatchObject({ info: { title: 'Pumps' } });
  expect(await read('llms.txt')).toContain('[Overview](ref/overview.md)');
  expect(await read('index.html')).toContain('List all pumps');
  expect(await read('ref/operations.html')).toContain('List all pumps');
});

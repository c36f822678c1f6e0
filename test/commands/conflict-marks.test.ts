import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../support/shell.ts';

// Files in which a merge conflict was committed are never published.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

const conflict = '<<<<<<< HEAD\nx-one: 1\n=======\nx-two: 2\n>>>>>>> other\n';
const example = `# Merge\n\n\`\`\`diff\n${conflict}\`\`\`\n`;

async function write(path: string, text: string): Promise<void> {
  const file = join(home.dir, ...path.split('/'));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
const append = async (path: string, text: string) =>
  write(path, (await readFile(join(home.dir, ...path.split('/')), 'utf8')) + text);

/** A run that fails and sends nothing. */
async function refused(status: number, ...words: string[]): Promise<string> {
  const run = await home.run([...words, '--debug']);
  expect([run.exitCode, words, run.stderr]).toEqual([status, words, run.stderr]);
  expect(run.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  return run.stdout + run.stderr;
}

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

describe('in an organization', () => {
  test.each(['openapi/pumps.yaml', 'teams/writers.yaml', 'members.csv', 'collections.yaml'])('%s', async (file) => {
    await done('export', 'o');
    await append(`o/${file}`, conflict);

    for (const command of [
      ['plan', 'o'],
      ['apply', 'o', '--yes'],
      ['drift', 'o'],
    ])
      expect(await refused(2, ...command)).toMatch(new RegExp(`o/${file}:\\d+: The file has conflict marks`));
  });

  test.each(['glossary.md', 'SUMMARY.md'])('a content folder: %s', async (file) => {
    await done('export', 'o');
    await append(`o/spaces/handbook/content/${file}`, conflict);

    for (const command of [
      ['plan', 'o'],
      ['apply', 'o', '--yes'],
      ['drift', 'o'],
    ])
      expect(await refused(6, ...command)).toMatch(new RegExp(`o/spaces/handbook/content/${file}:\\d+`));
  });
});

describe('in a folder of Markdown', () => {
  beforeEach(async () => {
    await write('docs/README.md', '# Start\n\n{% include ".gitbook/includes/note.md" %}\n');
    await write('docs/SUMMARY.md', '* [Start](README.md)\n* [Merge](merge.md)\n');
    await write('docs/.gitbook/includes/note.md', 'A note.\n');
    await write('docs/.gitbook.yaml', 'root: ./\n');
    await write('docs/merge.md', example);
  });

  test('an example in a code block is published', async () => {
    await done('content', 'check', 'docs');
    await done('content', 'push', 'docs', '--space', 'Handbook', '--new', 'Examples', '--adopt');
  });

  test.each(['README.md', 'SUMMARY.md', '.gitbook/includes/note.md', '.gitbook.yaml', 'merge.md'])(
    '%s',
    async (file) => {
      await append(`docs/${file}`, conflict);

      expect(await refused(9, 'content', 'check', 'docs')).toMatch(new RegExp(`docs/${file}:\\d+.*conflict`));
      expect(await refused(6, 'content', 'push', 'docs', '--space', 'Handbook', '--new', 'Examples')).toMatch(
        new RegExp(`docs/${file}:\\d+`),
      );
      const exported = await home.run(['sites', 'export', 'docs', '--out', 'public', '--check']);
      expect([exported.exitCode, exported.stdout + exported.stderr]).toEqual([9, expect.stringContaining('conflict')]);
    },
  );
});

test('in a description of an API', async () => {
  await done('export', 'o', '--only', 'openapi');
  await append('o/openapi/pumps.yaml', conflict);
  const file = 'o/openapi/pumps.yaml';
  await write('good.yaml', (await readFile(join(home.dir, file), 'utf8')).replace(conflict, ''));

  expect(await refused(9, 'openapi', 'validate', file)).toMatch(/o\/openapi\/pumps\.yaml:\d+:1.*conflict marks/);
  expect(await refused(9, 'openapi', 'publish', file, '--slug', 'pumps')).toContain('conflict marks');
  const compared = await home.run(['openapi', 'diff', 'good.yaml', file]);
  expect([compared.exitCode, compared.stdout + compared.stderr]).toEqual([
    9,
    expect.stringContaining('conflict marks'),
  ]);
});

describe('a specification that the service cannot process', () => {
  beforeEach(async () => {
    await done('export', 'o', '--only', 'openapi');
    await write('o/openapi/pumps.yaml', 'title: No description\n');
  });

  test('fails in an apply, with the reason of the service', async () => {
    const run = await home.run(['apply', 'o', '--yes', '-o', 'json']);

    expect([run.exitCode, run.json]).toEqual([
      9,
      [expect.objectContaining({ name: 'pumps', result: 'failed', error: expect.stringContaining('PARSE_ERROR') })],
    ]);
    expect((await home.run(['plan', 'o', '--exit-code'])).exitCode).toBe(9);
  });

  test('is named by a plan and a drift afterwards', async () => {
    await home.run(['apply', 'o', '--yes']);
    for (const command of ['plan', 'drift'])
      expect((await home.run([command, 'o'])).stderr).toMatch(
        /The specification pumps failed to be processed when it was last published: .*PARSE_ERROR/,
      );
  });
});

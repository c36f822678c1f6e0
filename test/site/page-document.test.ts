import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FolderPreview } from '../../src/site/preview/folder-preview.ts';
import { writeFiles } from '../support/write-files.ts';

async function documentOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-document-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFiles(folder, { 'README.md': text });
  const answer = await new FolderPreview(folder, { onProblems() {}, onMissingMermaid() {} }).answer('');
  return 'html' in answer ? answer.html : '';
}

const descriptionIn = (html: string) => /<meta name="description" content="([^"]*)"/.exec(html)?.[1];

test('the first paragraph describes a page without a description', async () => {
  expect(descriptionIn(await documentOf('# A\n\n## B\n\nFish & *chips* < 3.\n\nMore.\n'))).toBe(
    'Fish &amp; chips &lt; 3.',
  );
  expect(descriptionIn(await documentOf('---\ndescription: Own\n---\n\n# A\n\nText.\n'))).toBe('Own');
  expect(descriptionIn(await documentOf('# A\n'))).toBeUndefined();
  const long = descriptionIn(await documentOf(`# A\n\n${'word '.repeat(80)}\n`));
  expect(long).toMatch(/ word…$/);
  expect(long!.length).toBeLessThanOrEqual(161);
});

test('a site without an icon gets one with its first letter', async () => {
  const html = await documentOf('# élan\n');
  const icon = decodeURIComponent(/<link\s+rel="icon"\s+href="data:image\/svg\+xml,([^"]*)"/.exec(html)![1]!);
  expect(icon).toContain('>É</text>');
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/docs.ts';

const titles = ['1.10', '007', '1e3', '0x10', 'True', 'yes', '2024-01-01', '1_000', '.5', '12345678901234567890'];

const page = (title: string) =>
  `---\ntitle: ${title}\ndescription: ${title}\n# kept\n---\n\nThe page of version ${title}.\n`;

const files = {
  'docs/README.md': '# Home\n',
  ...Object.fromEntries(titles.map((title, index) => [`docs/page-${index}.md`, page(title)])),
};

test('titles and descriptions that look like numbers keep their text, and come back byte for byte', async ({
  docs,
}) => {
  await docs.write(files);

  const pushed = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  const again = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  await docs.docsctl('content', 'pull', 'out');
  const pages = await docs.docsctl('content', 'pages', 'list', '--json');
  await docs.docsctl('sites', 'export', 'docs', '--out', 'public');

  expect(pushed.json).toMatchObject({ status: 'merged' });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  for (const [index, title] of titles.entries()) {
    expect.soft(await readFile(join(docs.dir, `out/page-${index}.md`), 'utf8')).toBe(page(title));
    expect.soft(JSON.stringify(pages.json)).toContain(`"title":"${title}"`);
    expect.soft(JSON.stringify(pages.json)).toContain(`"description":"${title}"`);
    const html = await readFile(join(docs.dir, `public/page-${index}.html`), 'utf8');
    expect.soft(html).toContain(`<title>${title} –`);
    expect.soft(html).toContain(`<meta name="description" content="${title}"`);
  }
});

test('changed titles come back as they are written, in quotes or without', async ({ docs }) => {
  await docs.write(files);
  await docs.docsctl('content', 'push', 'docs', '--merge');
  await docs.docsctl('content', 'pull', 'out');
  await docs.write({ 'docs/page-0.md': page('"1.20"'), 'docs/page-5.md': page('no') });
  await docs.docsctl('content', 'push', 'docs', '--merge');

  await docs.docsctl('content', 'pull', 'new');

  expect(await readFile(join(docs.dir, 'new/page-0.md'), 'utf8')).toBe(page('"1.20"'));
  expect(await readFile(join(docs.dir, 'new/page-5.md'), 'utf8')).toBe(page('no'));
  expect(await readFile(join(docs.dir, 'new/page-1.md'), 'utf8')).toBe(page('007'));
});

test('titles in docs.yaml and tags.yaml keep their text', async ({ docs }) => {
  await docs.write({
    'site/docs.yaml': [
      'site:',
      '  title: 2.0',
      '  structure:',
      '    - { type: space, title: 1.10, path: "1.10", content: { directory: old } }',
      '    - { type: space, title: 1.20, path: 1.20, default: true, content: { directory: new } }\n',
    ].join('\n'),
    'site/old/README.md': '# Old\n',
    'site/new/README.md':
      '# New\n\n{% updates %}\n{% update date="2024-01-01" tags="release" %}\n## One\n{% endupdate %}\n{% endupdates %}\n',
    'site/new/.gitbook/tags.yaml': '- { tag: release, label: 1.10 }\n',
  });

  await docs.docsctl('sites', 'export', 'site', '--out', 'public');

  const html = await readFile(join(docs.dir, 'public/index.html'), 'utf8');
  expect(html).toContain('<title>New – 2.0</title>');
  expect(html.match(/class="menu variants".*?<\/details>/s)?.[0]).toMatch(/>1\.20<.*>1\.10</s);
  expect(html).toMatch(/class="[^"]*tag[^"]*"[^>]*>1\.10</);
});

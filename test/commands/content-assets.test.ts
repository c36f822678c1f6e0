import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Docsctl } from '../support/cli.ts';
import { type InProcessHome, test as base } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';

type Files = Record<string, string | Uint8Array>;

interface Docs {
  dir: string;
  docsctl: Docsctl;
  space: string;
  write(files: Files): Promise<void>;
}

/** A space without pages, and a home to keep folders in. */
const test = base.extend<{ docs: Docs }>({
  docs: async ({ home }, use) => use(await docsIn(home)),
});

async function docsIn(home: InProcessHome): Promise<Docs> {
  await initialize(home);
  const space = (await home.docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
  return {
    dir: home.dir,
    space,
    docsctl: home.docsctl,
    async write(files) {
      for (const [path, bytes] of Object.entries(files)) {
        await mkdir(dirname(join(home.dir, path)), { recursive: true });
        await writeFile(join(home.dir, path), bytes);
      }
    },
  };
}

async function read(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  // A pull keeps its base there.
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'state.json')
    .map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.toSorted().map(async (file) => [file.slice(dir.length + 1), await readFile(file, 'latin1')]);
  return Object.fromEntries(await Promise.all(pairs));
}

/** Every form in which a folder of GitBook names a file. Each picture has bytes of its own. */
const gitbook: Files = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n  * [Inner](guides/inner.md)\n* [Link](docs/link.md)\n',
  'README.md': [
    '---',
    'title: Home',
    'cover: >-',
    '  .gitbook/assets/cover light (1).png',
    'coverDark: ".gitbook/assets/cover-dark.png" # at night',
    'layout:',
    '  cover:',
    '    visible: true',
    '---',
    '',
    '<picture><source srcset=".gitbook/assets/icon_dark (1).svg" media="(prefers-color-scheme: dark)"><img src=".gitbook/assets/icon_light (1).svg" alt=""></picture>',
    '',
    '<img srcset=".gitbook/assets/small.png 1x, .gitbook/assets/a,%20big.png 2x">',
    '',
    '{% file src=".gitbook/assets/a manual (2).pdf" %}',
    '',
    '* {% file src=".gitbook/assets/caption.pdf" %}',
    '  A caption.',
    '  {% endfile %}',
    '',
    '{% include ".gitbook/includes/safety.md" %}',
    '',
    '{% openapi src=".gitbook/assets/pump.yaml" path="/pumps" method="get" %}',
    '{% endopenapi %}',
    '',
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td>A</td><td><a href=".gitbook/assets/card&amp;co.png">card</a></td></tr></tbody></table>',
    '',
    '![](<.gitbook/assets/in brackets (3).png>) ![](.gitbook/assets/100%25.png) ![](.gitbook/assets/50%.png)',
    '',
    '<a href=".gitbook/assets/C# guide.docx" class="button">Download</a> [skill](<.gitbook/assets/SKILL (1).md>)',
    '',
    '`{% file src="code.pdf" %}`',
    '',
    '```',
    '{% include "code.md" %}',
    '<img src="code.png">',
    '```',
    '',
  ].join('\n'),
  'guides/inner.md':
    '# Inner\n\n{% content-ref url="../docs/link.md" %}\n[link.md](../docs/link.md)\n{% endcontent-ref %}\n\n<figure><img src="../.gitbook/assets/inner (1) (2).png" alt=""></figure>\n',
  'docs/link.md': '# Link\r\n\r\n{% content-ref url="../" %} . {% endcontent-ref %}\r\n',
  '.gitbook/includes/safety.md':
    '{% hint style="info" %}\n![](../assets/safety.png)\n{% endhint %}\n{% include "more.md" %}\n',
  '.gitbook/includes/more.md': '<img src="../assets/more (1).png">\n',
  '.gitbook/includes/unused.md': 'Nobody includes this.\n',
  '.gitbook/vars.yaml': 'version: 2\n',
  '.gitbook/tags.yaml': 'beta: Beta\n',
};
const assets = `cover light (1).png|cover-dark.png|icon_dark (1).svg|icon_light (1).svg|small.png|a, big.png
a manual (2).pdf|caption.pdf|pump.yaml|card&co.png|in brackets (3).png|100%.png|50%.png
C# guide.docx|SKILL (1).md|inner (1) (2).png|safety.png|more (1).png`.split(/[|\n]/);
for (const name of assets) gitbook[`.gitbook/assets/${name}`] = name;

const inFolder = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

test('everything that a folder of GitBook names goes up and comes back', async ({
  docs: { dir, docsctl, ...docs },
}) => {
  await docs.write(inFolder('docs', gitbook));
  const before = await read(join(dir, 'docs'));
  await docs.write({ 'docs/.gitbook/assets/unused.png': 'unused' });
  const push = () => docsctl('content', 'push', 'docs', '--merge', '--json', '--space', docs.space);

  const pushed = await push();
  const again = await push();
  await docsctl('content', 'pull', 'out', '--space', docs.space);
  const broken = await docsctl('spaces', 'links', docs.space, '--status', 'broken', '--json');
  await docs.write({ 'docs/.gitbook/vars.yaml': 'version: 3\n', 'docs/.gitbook/includes/more.md': 'More.\n' });
  const changed = await push();
  await docsctl('content', 'pull', 'later', '--space', docs.space);

  expect(pushed.stderr).not.toMatch(/:\d+: /);
  expect(pushed.json).toMatchObject({ added: 3, warnings: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged', uploaded: 0, changed: 0 });
  expect(Object.keys(before)).toEqual(Object.keys(gitbook).toSorted());
  expect(await read(join(dir, 'out'))).toEqual(before);
  expect(broken.json).toEqual([]);
  expect(changed.json).toMatchObject({ added: 0, changed: 0 });
  expect(await read(join(dir, 'later'))).toEqual({
    ...before,
    '.gitbook/vars.yaml': 'version: 3\n',
    '.gitbook/includes/more.md': 'More.\n',
  });
});

/** A folder with one of each problem. */
const troubled: Files = {
  'SUMMARY.md': [
    '* [Home](README.md)',
    '* [Lost](lost.md)',
    '* [Twice](README.md)',
    '* [Elsewhere](https://example.com/)',
    '* [Install](Install.MD)',
    '* [Matter](matter.md)',
    '* [Latin](latin.md)\n',
  ].join('\n'),
  'README.md': [
    '# Home',
    '![large](large.png)',
    '[up](../up.md)',
    '[env](.env)',
    '{% file src="lost.pdf" %}',
    '![case](Images/Pump.PNG)',
    '{% include ".gitbook/includes/lost.md" %}',
    '{% include "texts/lost.md" %}',
    '',
  ].join('\n'),
  'install.md': '# Install\n',
  'matter.md': '---\ntitle: A\ntitle: B\n---\n\n# Matter\n',
  'latin.md': Buffer.from('# Latin\n\nCaf\u00e9\n', 'latin1'),
  'app.mdx': 'import Pump from "./pump"\n\n# App\n\n<Pump speed={2} />\n',
  'unlisted.md': '# Unlisted\n',
  'images/pump.png': 'pump',
  '.gitbook/includes/safety.md': 'Read this.\n\n<img src="../assets/lost.png">\n',
  'large.png': Buffer.alloc(1_234_567, 7),
  '.env': 'KEY=1',
};

const warnings = [
  'README.md:2: large.png is 1.3 MB, over the limit of 1 MB, and is skipped.',
  'README.md:3: ../up.md leads out of the folder and is skipped.',
  'README.md:4: .env is a hidden file and is skipped.',
  'README.md:5: lost.pdf is not in the folder.',
  'README.md:6: Images/Pump.PNG is images/pump.png in the folder: upper and lower case differ.',
  'README.md:7: .gitbook/includes/lost.md is not in the folder.',
  'README.md:8: texts/lost.md is not in the folder.',
  '.gitbook/includes/safety.md:3: ../assets/lost.png is not in the folder.',
  'SUMMARY.md:2: There is no page lost.md; "Lost" is skipped.',
  'SUMMARY.md:3: README.md is listed more than once; only the first entry counts.',
  'SUMMARY.md:4: The link "Elsewhere" cannot be pushed and is skipped; add it in the app.',
  'SUMMARY.md:5: Install.MD is install.md in the folder: upper and lower case differ.',
  'app.mdx:1: The page is MDX and is skipped. Use --mdx to read it as Markdown.',
  'latin.md:3: The file is not UTF-8 and is skipped.',
  'matter.md:3: The front matter cannot be parsed and is ignored: duplicated mapping key',
  'unlisted.md:1: The page is not in SUMMARY.md and is skipped.',
].map((line) => `docs/${line}`);

const warningsIn = (stderr: string) => stderr.split('\n').filter((line) => /^docs\/[^:]+:\d+: /.test(line));

test('what cannot be pushed is a warning with file and line, and fails the push where asked to', async ({
  docs: { docsctl, ...docs },
}) => {
  await docs.write(inFolder('docs', troubled));
  const push = (...words: string[]) => docsctl('content', 'push', 'docs', ...words, '--json', '--space', docs.space);

  const gated = await push('--merge', '--fail-on', 'warning');
  const dry = await push('--dry-run', '--fail-on', 'warning');
  const strict = await push('--merge', '--strict');
  const strictDry = await push('--dry-run', '--strict');
  const requests = await docsctl('cr', 'list', '--json', '--space', docs.space);
  const pushed = await push('--merge');
  const annotated = await docsctl('content', 'push', 'docs', '--merge', '--space', docs.space, {
    env: { GITHUB_ACTIONS: 'true' },
  });

  expect(warningsIn(gated.stderr).toSorted()).toEqual(warnings.toSorted());
  expect(gated).toMatchObject({ exitCode: 9, stdout: '' });
  expect(gated.stderr).toContain('There are 16 warnings; nothing was sent.');
  expect(dry.exitCode).toBe(9);
  expect(dry.json).toContainEqual({ action: 'add', path: 'matter', title: 'Matter' });
  expect(strict.exitCode).toBe(6);
  expect(strict.stderr).toContain('docs uses a file over the limit of 1 MB: large.png (1.3 MB). Nothing was sent.');
  expect(strictDry.exitCode).toBe(6);
  expect(requests.json).toEqual([]);
  expect(pushed.exitCode).toBe(8);
  expect(pushed.json).toMatchObject({ status: 'merged', added: 3, warnings: 16, leftOut: 2 });
  expect(annotated.stderr).toContain('::warning file=docs/SUMMARY.md,line=4,title=content push::The link');
  expect(annotated.stderr).toContain('::warning file=docs/README.md,line=2,title=content push::large.png is 1.3 MB');
});

test('no folder is sent where a later one has a warning', async ({ docs: { docsctl, ...docs } }) => {
  const other = (await docsctl('spaces', 'create', '--title', 'Other', '-o', 'id')).stdout.trim();
  await docs.write({
    '.docsctl.yaml': `content:\n  - { path: a, space: ${docs.space} }\n  - { path: b, space: ${other} }\n`,
    'a/a.md': '# A\n',
    'b/b.md': '# B\n\n![large](large.png)\n',
    'b/large.png': Buffer.alloc(1_000_001),
  });

  const run = await docsctl('content', 'push', '--merge', '--fail-on', 'warning');

  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('There is 1 warning; nothing was sent.');
  expect((await docsctl('cr', 'list', '--json', '--space', docs.space)).json).toEqual([]);
});

test('--mdx takes MDX as Markdown, and the same bytes come back', async ({ docs: { dir, docsctl, ...docs } }) => {
  await docs.write({
    'docs/app.mdx': 'import Pump from "./pump"\n\n# App\n\n<Pump speed={2} src="pump.png" />\n\n[b](b.mdx)\n',
    'docs/b.mdx': '# B\n',
    'docs/pump.png': 'pump',
  });

  const pushed = await docsctl('content', 'push', 'docs', '--merge', '--mdx', '--json', '--space', docs.space);
  const again = await docsctl('content', 'push', 'docs', '--merge', '--mdx', '--json', '--space', docs.space);
  await docsctl('content', 'pull', 'out', '--space', docs.space);
  const links = await docsctl('spaces', 'links', docs.space, '--json');

  expect(pushed.json).toMatchObject({ added: 2, uploaded: 1, warnings: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(await read(join(dir, 'out'))).toEqual(await read(join(dir, 'docs')));
  expect(links.json).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
});

test('of a file that was pushed again with other bytes, only the newest is pulled, under its name', async ({
  docs,
}) => {
  const folder = (text: string) => ({
    'docs/a.md': '# A\n\n{% include ".gitbook/includes/b.md" %}\n\n![](.gitbook/assets/p.png)\n',
    'docs/.gitbook/includes/b.md': '![](../assets/q.png)\n',
    'docs/.gitbook/vars.yaml': `version: ${text}\n`,
    'docs/.gitbook/assets/p.png': `p ${text}`,
    'docs/.gitbook/assets/q.png': `q ${text}`,
  });
  for (const text of ['one', 'two', 'three', 'one']) {
    await docs.write(folder(text));
    const pushed = await docs.docsctl('content', 'push', 'docs', '--merge', '--space', docs.space);
    expect(pushed.exitCode, pushed.stderr).toBe(0);

    await docs.docsctl('content', 'pull', 'pulled', '--space', docs.space);

    expect(await read(join(docs.dir, 'pulled'))).toEqual(await read(join(docs.dir, 'docs')));
  }
});

test('a copy of a picture is a file of its own', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '![](p.png)\n', 'docs/p.png': 'picture' });
  await docs.docsctl('content', 'push', 'docs', '--merge', '--space', docs.space);
  await docs.write({ 'docs/a.md': '![](p.png) ![](copy.png)\n', 'docs/copy.png': 'picture' });

  const pushed = await docs.docsctl('content', 'push', 'docs', '--merge', '--space', docs.space);
  await docs.docsctl('content', 'pull', 'pulled', '--space', docs.space);

  expect(pushed.exitCode, pushed.stderr).toBe(0);
  expect(await read(join(docs.dir, 'pulled'))).toEqual(await read(join(docs.dir, 'docs')));
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { bin, type Home, test } from '../support/cli.ts';
import { writeFiles } from '../support/write-files.ts';

const files = {
  'docs/SUMMARY.md': '* [Home](README.md)\n* [Quiet](quiet.md)\n  * [Below](below.md)\n',
  'docs/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
  'docs/README.md':
    '# Home\n\n<i class="fa-book">:book:</i>\n\n```mermaid\ngraph TD; A-->B\n```\n\n![Logo](logo.svg)\n',
  'docs/quiet.md': '---\nhidden: true\nnoRobotsIndex: true\n---\n\n# Quiet\n',
  'docs/below.md': '# Below\n',
};

const settings = {
  'styling.theme': 'bold',
  'styling.icons': 'solid',
  'header.backgroundColor': { light: '#112233', dark: '#445566' },
  'header.linkColor': { light: '#ffeedd', dark: '#ddeeff' },
  'header.links': [
    { title: 'Everybody', style: 'link', to: { kind: 'url', url: 'https://everybody.example/' }, links: [] },
    {
      title: 'Script',
      style: 'link',
      to: { kind: 'url', url: 'javascript:alert(1)' },
      links: [],
    },
    {
      title: 'Staff',
      style: 'link',
      to: { kind: 'url', url: 'https://staff.example/' },
      links: [],
      condition: 'visitor.claims.staff == true',
    },
  ],
  'themes.default': 'light',
  'internationalization.locale': 'de',
  'socialPreview.url': 'https://pictures.example/social.png',
  'privacyPolicy.url': 'https://policy.example/',
};

/** What a document shows of the settings of its site. */
function shownIn(html: string) {
  const [, root = ''] = /<html([^>]*?)\sdata-texts=/.exec(html) ?? [];
  const has = (text: string) => html.includes(text);
  return {
    root: root.replaceAll(/\s+/g, ' ').trim(),
    social: /property="og:image" content="([^"]*)"/.exec(html)?.[1],
    everybody: has('href="https://everybody.example/"'),
    staff: has('Staff'),
    script: has('javascript:'),
    policy: has('href="https://policy.example/"'),
    isKeptFromRobots: has('<meta name="robots" content="noindex"'),
    groups: [...html.matchAll(/<span class="section-description">([^<]*)/g)].map(([, text]) => text),
    note: /<figcaption>([^<]*)/.exec(html)?.[1],
    icons: [...html.matchAll(/<svg[^>]*class="([^"]*icon[^"]*)"/g)].map(([, name]) => name),
  };
}

async function startPreview(home: Home, env: Record<string, string>, site: string): Promise<string> {
  const child = execa(process.execPath, [bin, 'preview', '--json', '--port', '0', '--site', site], {
    cwd: home.dir,
    env: { ...home.env, ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    buffer: false,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child;
  });
  const line = await new Promise<string>((resolve) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  return JSON.parse(line).url;
}

test('a published site, its preview and its export show the same settings', async ({ served, home }) => {
  const { docsctl, url, token } = served;
  const done = async (...words: string[]) => {
    const run = await docsctl(...words);
    expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
    return run.stdout.trim();
  };
  await writeFiles(home.dir, files);
  const space = await done('spaces', 'create', '--title', 'Docs', '-o', 'id');
  const other = await done('spaces', 'create', '--title', 'Other', '-o', 'id');
  for (const id of [space, other]) await done('content', 'push', 'docs', '--space', id, '--merge');
  const site = await done('sites', 'create', '--title', 'Docs', '--visibility', 'public', '-o', 'id');
  const sections: string[] = [];
  for (const [index, id] of [space, other].entries()) {
    const section = await done('sites', 'sections', 'add', id, '--site', site, '--icon', 'book', '-o', 'id');
    await done('sites', 'sections', 'edit', section, '--site', site, '--description', `About ${index}`);
    sections.push(section);
  }
  const group = ['--title', 'Group', '--icon', 'star', '--sections', sections.join(',')];
  await done('sites', 'section-groups', 'create', '--site', site, ...group);
  const [logo] = JSON.parse(await done('content', 'files', 'list', space, '-o', 'json'));
  const logos = JSON.stringify({ light: logo.downloadURL, dark: logo.downloadURL });
  const sets = Object.entries(settings).flatMap(([name, value]) => [
    '--set',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  await done('sites', 'customization', 'set', '--site', site, '--set', `header.logo=${logos}`, ...sets);
  await done('sites', 'publish', site);
  const view = JSON.parse(await done('sites', 'view', site, '-o', 'json'));

  await done('sites', 'export', site, '--out', 'public');
  const preview = await startPreview(home, { DOCSCTL_URL: url, DOCSCTL_TOKEN: token }, site);
  const root: string = view.urls.published.replace(/\/?$/, '/');
  const text = async (address: string) => (await fetch(address)).text();
  const below = (await readdir(join(home.dir, 'public'), { recursive: true })).find((name) =>
    name.endsWith('below.html'),
  );
  const pages = {
    published: [await text(root), await text(`${root}quiet/below`)],
    previewed: [await text(`${preview}/`), await text(`${preview}/quiet/below`)],
    exported: [
      await readFile(join(home.dir, 'public/index.html'), 'utf8'),
      await readFile(join(home.dir, 'public', below ?? ''), 'utf8'),
    ],
  };

  const published = pages.published.map(shownIn);
  expect(published[0]).toMatchObject({
    root: expect.stringContaining('lang="de"'),
    social: 'https://pictures.example/social.png',
    everybody: true,
    staff: false,
    script: false,
    groups: ['About 0', 'About 1'],
  });
  expect(published[0]?.root).toContain('data-theme="system"');
  expect(published[1]?.isKeptFromRobots).toBe(true);
  expect(pages.previewed.map(shownIn)).toEqual(published);
  expect(pages.exported.map(shownIn)).toEqual(published);

  const styleOf = (html = '') => /href="([^"]*look-\w+\.css)"/.exec(html)?.[1] ?? '';
  const style = await text(new URL(styleOf(pages.published[0]), root).href);
  expect(style).toContain('#112233');
  expect(await text(new URL(styleOf(pages.previewed[0]), `${preview}/`).href)).toBe(style);
  expect(await readFile(join(home.dir, 'public', styleOf(pages.exported[0])), 'utf8')).toBe(style);

  const logoIn = (html = '') => /class="brand"[^>]*>\s*<img src="([^"]*)"/.exec(html)?.[1] ?? '';
  expect(await text(new URL(logoIn(pages.published[0]), root).href)).toBe(files['docs/logo.svg']);
  expect(await text(new URL(logoIn(pages.previewed[0]), `${preview}/`).href)).toBe(files['docs/logo.svg']);
  expect(await readFile(join(home.dir, 'public', logoIn(pages.exported[0])), 'utf8')).toBe(files['docs/logo.svg']);
});

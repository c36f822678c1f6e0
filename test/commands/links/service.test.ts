import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const app = 'https://app.lumen.example/o/org/s';

interface Finding {
  rule: string;
  url?: string;
  subject?: string;
}

const pairsOf = (findings: Finding[]) => findings.map(({ rule, url }) => `${rule} ${url ?? ''}`).toSorted();

test('links check --all-spaces finds in the service what it finds in the folders', async ({ docsctl, home }) => {
  const make = async (title: string) => (await docsctl('spaces', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [one, two] = [await make('One'), await make('Two')];
  await writeFiles(home.dir, {
    '.docsctl.yaml': `content:\n  - {path: one, space: ${one}}\n  - {path: two, space: ${two}}\n`,
    'one/README.md': [
      '# One',
      `[ok](${app}/${two}/install#steps) [page](${app}/${two}/none) [heading](${app}/${two}/install#none)`,
      '[ok](guides.md#part) [file](none.md) [heading](guides.md#no-such) [own](#nothing) ![image](none.png)',
      '{% include "none.md" %}',
      '{% include ".gitbook/includes/used.md" %}',
      '`[code](none.md)`',
    ].join('\n\n'),
    'one/guides.md': '# Guides\n\n{% tabs %}\n{% tab title="Part" %}\nText\n{% endtab %}\n{% endtabs %}\n',
    'one/.gitbook/includes/used.md': 'See [this](none-either.md).\n',
    'one/.gitbook/includes/unused.md': 'Unused.\n',
    'two/README.md': `# Two\n\n[back](${app}/${one}/guides#part) [gone](${app}/${one}/gone)\n`,
    'two/install.md': '# Install\n\n## Steps\n',
  });
  const pushed = await docsctl('content', 'push', '--merge');
  expect({ exitCode: pushed.exitCode, stderr: pushed.exitCode === 0 ? '' : pushed.stderr }).toEqual({
    exitCode: 0,
    stderr: '',
  });

  const inFolders = await docsctl('links', 'check', '--format', 'json');
  const inService = await docsctl('links', 'check', '--all-spaces', '--format', 'json');

  expect(pairsOf(inFolders.json)).toEqual(
    [
      `broken-app-link ${app}/${one}/gone`,
      `broken-app-link ${app}/${two}/none`,
      'broken-link none-either.md',
      'broken-link none.md',
      'missing-anchor #nothing',
      'missing-anchor guides.md#no-such',
      `missing-anchor ${app}/${two}/install#none`,
      'missing-image none.png',
      'missing-include none.md',
      'unused-include ',
    ].toSorted(),
  );
  expect(inService.exitCode).toBe(9);
  const own = (inService.json as Finding[]).filter(({ subject }) => /^(?:One|Two): /.test(subject ?? ''));
  expect(own.map(({ rule }) => rule).toSorted()).toEqual(
    (inFolders.json as Finding[]).map(({ rule }) => rule).toSorted(),
  );
  expect(own).toContainEqual(expect.objectContaining({ subject: 'Two: readme', url: `${app}/${one}/gone` }));
});

test('--all-spaces accepts no folder and no --external', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n' });

  expect((await docsctl('links', 'check', 'docs', '--all-spaces')).exitCode).toBe(2);
  expect((await docsctl('links', 'check', '--all-spaces', '--external')).exitCode).toBe(2);
});

test('links to published sites are checked, and pages of a public site that only private spaces link to are reported', async ({
  docsctl,
  home,
}) => {
  const make = async (title: string) => (await docsctl('spaces', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [open, hidden] = [await make('Open'), await make('Hidden')];
  const site = (
    await docsctl(
      'sites',
      'create',
      '--title',
      'Site',
      '--visibility',
      'public',
      '--type',
      'basic',
      '--spaces',
      open,
      '-o',
      'id',
    )
  ).stdout.trim();
  await docsctl('sites', 'publish', site);
  const { urls } = (await docsctl('sites', 'view', site, '-o', 'json')).json;
  const address = urls.published.replace(/\/$/, '');
  await writeFiles(home.dir, {
    'open/README.md': '# Open\n',
    'open/known.md': '# Known\n',
    'open/group/README.md': '# Group\n\n[script](javascript:alert(1))\n',
    'open/group/page.md': '# Page\n',
    'hidden/README.md': [
      '# Hidden',
      `[known](${address}/known) [gone](${address}/gone) [case](${address}/Known)`,
      // What the site answers as well.
      ...['sitemap.xml', 'robots.txt', 'llms.txt', 'known.md', 'known/', '/known', 'group//page', '~search?q=a']
        .concat('none/../known?a=1', 'group/page/social.png')
        .map((path) => `[also](${address}/${path})`),
      `[also](${address.replace(/^http:\/\/localhost/, 'HTTP://LOCALHOST')}/known#known)`,
    ].join('\n\n'),
  });
  await docsctl('content', 'push', 'open', '--merge', '--space', open);
  await docsctl('content', 'push', 'hidden', '--merge', '--space', hidden);

  const { json } = await docsctl('links', 'check', '--all-spaces', '--format', 'json');

  const own = (json as Finding[]).filter(({ subject }) => /^(?:Open|Hidden): /.test(subject ?? ''));
  expect(own).toMatchObject([
    { rule: 'broken-site-link', subject: 'Hidden: readme', url: `${address}/gone` },
    { rule: 'broken-site-link', subject: 'Hidden: readme', url: `${address}/Known`, target: `${address}/known` },
    { rule: 'broken-link', subject: 'Open: group', url: 'javascript:alert(1)' },
    { rule: 'private-link', subject: 'Open: group/page' },
    { rule: 'private-link', subject: 'Open: known' },
  ]);
});

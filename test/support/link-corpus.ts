import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A defect that was put into a corpus. */
export interface Defect {
  file: string;
  rule: string;
  /** The address as written; undefined for a problem that no link causes. */
  url?: string;
  /** The address that is certainly right. */
  fix?: string;
}

export interface Corpus {
  defects: Defect[];
  pages: number;
}

interface Sizes {
  spaces: number;
  /** Per space. */
  pages: number;
}

const spaceId = (space: number) => `Space${String(space).padStart(7, '0')}`;
const appLink = (space: number, path: string) => `https://app.lumen.example/o/Org000000001/s/${spaceId(space)}${path}`;

/** What looks like a link or an anchor, and is right as it is. */
const decoys = [
  '`[code](none.md)` and \\[not a link](none.md)',
  '```md\n[code](none.md) <a href="none.md">x</a>\n# not-a-heading\n```',
  '<!-- [comment](none.md) -->',
  '## Twice\n\nOne.\n\n## Twice\n\nTwo: [first](#twice), [second](#twice-1).',
  '## Größe & "Maß" – 寸法\n\n[unicode](#größe--maß--寸法) [encoded](#gr%C3%B6%C3%9Fe--ma%C3%9F--%E5%AF%B8%E6%B3%95)',
  '{% tabs %}\n{% tab title="Linux and Mac" %}\n\n### Inside a tab\n\nText.\n\n{% endtab %}\n{% endtabs %}\n\n[tab](#linux-and-mac) [inside](#inside-a-tab)',
  '<h3 id="own-id">Own</h3>\n\n[own](#own-id) <a id="place"></a> [place](#place)',
  '{% hint style="info" %}\n#### In a hint\n{% endhint %}\n\n[hint](#in-a-hint)',
  '> ## Quoted\n\n[quoted](#quoted)',
  '## :rocket: Start\n\n## Kept <a href="#kept-id" id="kept-id"></a>\n\n[kept](#kept-id)',
  'A note[^1].\n\n[^1]: With [a link](#notes).\n\n## Notes',
  '{% stepper %}\n{% step %}\n## First step\n{% endstep %}\n{% endstepper %}\n\n[step](#first-step)',
];

interface Case {
  rule: string;
  /** The address, and how it is written. */
  write: (context: { space: number; page: number; sizes: Sizes }) => { url: string; text: string; fix?: string };
}

const link = (url: string, fix?: string) => ({ url, text: `[a](${url})`, ...(fix === undefined ? {} : { fix }) });

/** One defect of every kind, each in an own page. */
const cases: Case[] = [
  { rule: 'broken-link', write: () => link('../nowhere/none.md') },
  {
    rule: 'broken-link',
    write: ({ page }) => ({ url: `gone-${page}.md`, text: `<a class="button" href="gone-${page}.md">b</a>` }),
  },
  {
    rule: 'broken-link',
    write: () => ({ url: 'gone.md', text: '{% content-ref url="gone.md" %}\n[x](page-0.md)\n{% endcontent-ref %}' }),
  },
  { rule: 'broken-link', write: () => ({ url: 'lost.md', text: '[by name][lost]\n\n[lost]: lost.md' }) },
  {
    rule: 'broken-link',
    write: () => ({
      url: 'card.md',
      text: '<table data-view="cards"><tbody><tr><td>T</td><td><a href="card.md">c</a></td></tr></tbody></table>',
    }),
  },
  { rule: 'broken-link', write: () => link('../old/moved.md', '../new/renamed.md') },
  { rule: 'broken-link', write: () => link('../old/moved.md#top-part', '../new/renamed.md#top-part') },
  { rule: 'missing-anchor', write: () => link('page-0.md#no-such-heading-anywhere') },
  { rule: 'missing-anchor', write: () => link('page-0.md#Section_One', 'page-0.md#section-one') },
  { rule: 'missing-anchor', write: () => link('#nothing-like-this') },
  { rule: 'missing-image', write: () => ({ url: '../none.png', text: '![i](../none.png)' }) },
  { rule: 'missing-image', write: () => ({ url: 'none.svg', text: '<img src="none.svg" alt="">' }) },
  { rule: 'missing-include', write: () => ({ url: 'none-included.md', text: '{% include "none-included.md" %}' }) },
  {
    rule: 'broken-app-link',
    write: ({ space, sizes }) => link(appLink((space + 1) % sizes.spaces, '/nothing-here')),
  },
  {
    rule: 'broken-app-link',
    write: ({ space, sizes }) => {
      const other = (space + 1) % sizes.spaces;
      return link(appLink(other, '/moved#top-part'), appLink(other, '/renamed#top-part'));
    },
  },
  {
    rule: 'missing-anchor',
    write: ({ space, sizes }) => link(appLink((space + 1) % sizes.spaces, '/page-0#none-of-these-here')),
  },
  { rule: 'unknown-space', write: () => link('https://app.lumen.example/o/Org000000001/s/Elsewhere001/a') },
];

/** Writes spaces with known defects into a folder, with a Git history in which pages were renamed. */
export function writeCorpus(dir: string, sizes: Sizes): Corpus {
  const defects: Defect[] = [];
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  };
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'gc.auto=0', ...words], {
      cwd: dir,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  const content: string[] = [];
  for (let space = 0; space < sizes.spaces; space += 1) {
    content.push(`  - path: space-${space}\n    space: ${spaceId(space)}`);
    for (const defect of writeSpace(write, space, sizes)) defects.push(defect);
  }
  write('.docsctl.yaml', `content:\n${content.join('\n')}\n`);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Write');
  for (let space = 0; space < sizes.spaces; space += 1) {
    mkdirSync(join(dir, `space-${space}/new`));
    renameSync(join(dir, `space-${space}/old/moved.md`), join(dir, `space-${space}/new/renamed.md`));
    write(`space-${space}/SUMMARY.md`, summaryOf(sizes.pages, 'new/renamed.md'));
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Move');
  return { defects, pages: sizes.spaces * (sizes.pages + 2) };
}

const summaryOf = (pages: number, moved: string) =>
  [
    '# Summary',
    '* [Home](README.md)',
    `* [Moved](${moved})`,
    ...Array.from({ length: pages }, (_, page) => `* [Page ${page}](guides/page-${page}.md)`),
    '* [Missing](guides/missing.md)',
    '',
  ].join('\n');

function* writeSpace(write: (file: string, text: string) => void, space: number, sizes: Sizes): Generator<Defect> {
  const root = `space-${space}`;
  write(`${root}/README.md`, '# Home\n\n[first](guides/page-0.md#section-one) ![logo](logo.png)\n');
  write(`${root}/logo.png`, 'x');
  write(`${root}/SUMMARY.md`, summaryOf(sizes.pages, 'old/moved.md'));
  write(`${root}/old/moved.md`, `# Moved ${space}\n\n## Top part\n\nThis page of space ${space} is moved.\n`);
  write(`${root}/loose.md`, '# Loose\n\nIn no navigation.\n');
  write(`${root}/.gitbook/includes/used.md`, 'Used [text](../../guides/page-0.md).\n');
  write(`${root}/.gitbook/includes/unused.md`, 'Unused.\n');
  write(
    `${root}/.gitbook.yaml`,
    'redirects:\n  page-0: guides/page-1.md\n  gone/away: guides/never.md\n  old/fine: guides/page-1.md\n',
  );
  yield { file: `${root}/SUMMARY.md`, rule: 'summary-missing', url: 'guides/missing.md' };
  yield { file: `${root}/loose.md`, rule: 'not-in-summary' };
  yield { file: `${root}/.gitbook/includes/unused.md`, rule: 'unused-include' };
  yield { file: `${root}/.gitbook.yaml`, rule: 'redirect-hides-page' };
  yield { file: `${root}/.gitbook.yaml`, rule: 'redirect-target' };
  for (let page = 0; page < sizes.pages; page += 1) {
    const file = `${root}/guides/page-${page}.md`;
    const next = `page-${(page + 1) % sizes.pages}.md`;
    const parts = [
      `# Page ${page}`,
      'Read [the next](' + next + '#section-one), {% include "../.gitbook/includes/used.md" %}',
      `## Section one\n\n[elsewhere](${appLink((space + 2) % sizes.spaces, `/page-${page}#section-one`)})`,
      decoys[page % decoys.length] ?? '',
    ];
    // Every second page has a defect.
    const defect = page > 1 && page % 2 === 0 ? cases[(page / 2) % cases.length] : undefined;
    if (defect) {
      const { text, ...rest } = defect.write({ space, page, sizes });
      parts.push(text);
      yield { file, rule: defect.rule, ...rest };
    }
    write(file, `${parts.join('\n\n')}\n`);
  }
}

import fc, { anyText } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { readFrontMatter, setFrontMatter } from '../../src/content/markdown/front-matter.ts';
import { blocksOf, readMarkdown, rewriteLinks } from '../../src/content/markdown/markdown.ts';
import { parse } from '../../src/content/markdown/parse.ts';
import { slugify, uniqueSlug } from '../../src/content/markdown/slug.ts';
import { isLong, runs } from '../support/long-form.ts';

const pieces = [
  ...'a,www.,https://b.com,http://,mailto:,.,+,-,_,\n,\n\n, ,# ,* ,> ,|,|-|'.split(','),
  ...'[x](y),`,**,<b>,{% hint %},\\,&amp;,~~,word'.split(','),
];

describe('reading Markdown', () => {
  // Where a text has no "@", it is read without the part of the syntax for e-mail addresses.
  test('an "@" elsewhere in the text changes nothing of the other blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (words) => {
        const text = words.join('');
        const blocksAfter = (first: string) => parse(`${first}\n\n${text}`).children.slice(1);
        expect(blocksAfter('a')).toEqual(blocksAfter('@'));
      }),
      { numRuns: runs(150, 2_000) },
    );
  });

  test('the front matter names the title before the heading does', () => {
    const page = readMarkdown('---\ntitle: Pumps & valves\nhidden: true\n---\n\n# Other\n\nText.\n');
    expect(page.title).toBe('Pumps & valves');
    expect(page.frontMatter).toEqual({ title: 'Pumps & valves', hidden: true });
    expect(page.body).toBe('\n# Other\n\nText.\n');
  });

  test('a heading is the title only where it begins the text', () => {
    expect(readMarkdown('<!-- generated -->\n# Install *the* `pump`\n').title).toBe('Install the pump');
    expect(readMarkdown('Text.\n\n# Later\n').title).toBeUndefined();
    expect(readMarkdown('').title).toBeUndefined();
  });

  test('two thematic breaks are no front matter', () => {
    const page = readMarkdown('---\nJust text.\n---\n');
    expect(page.frontMatter).toEqual({});
    expect(page.body).toBe('---\nJust text.\n---\n');
  });

  test('front matter that is not YAML is reported and kept out of the body', () => {
    const text = '---\ntitle: "open\n---\nText\n';
    expect(readFrontMatter(text).problem).toBeTruthy();
    expect(readMarkdown(text).body).toBe('Text\n');
  });

  if (isLong)
    test('a text may have more blocks than a function call can have arguments', () => {
      const page = readMarkdown(`---\ntitle: Long\n---\n${'#\n'.repeat(130_000)}`);
      expect(page.headings.length).toBe(130_000);
    });

  test('headings get the anchors of GitHub, or their own', () => {
    const { headings } = readMarkdown('# Hello, World!\n## Setup\n## Setup\n### Über <a href="#x" id="about"></a>\n');
    expect(headings.map((heading) => heading.anchor)).toEqual(['hello-world', 'setup', 'setup-1', 'about']);
    expect(headings.map((heading) => heading.depth)).toEqual([1, 2, 2, 3]);
  });

  test('sections carry the text up to the next heading', () => {
    const { sections } = readMarkdown('Intro.\n\n## One\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n## Two\n');
    expect(sections).toEqual([
      { anchor: '', title: '', text: 'Intro.' },
      { anchor: 'one', title: 'One', text: 'a\nb\nx y\n1 2' },
      { anchor: 'two', title: 'Two', text: '' },
    ]);
  });

  test('links come in order, whatever their spelling', () => {
    const text = [
      '---\ntitle: T\n---\n[a](one.md "t") ![pic](<a b.png>) <https://two.example/> https://three.example',
      '> [r][ref] and ![i][ref] `[no](code.md)`',
      '<p><a class="x" href=\'four.md?a=1&amp;b=2\'>f</a><img alt="F" src="five.png"></p>',
      '```\n[no](fence.md)\n```',
      '[ref]: six.md\n[unused]: seven.md',
    ].join('\n\n');
    const links = readMarkdown(text).links;
    expect(links.map((link) => [link.kind, link.url, link.text])).toEqual([
      ['link', 'one.md', 'a'],
      ['image', 'a b.png', 'pic'],
      ['link', 'https://two.example/', 'https://two.example/'],
      ['link', 'https://three.example', 'https://three.example'],
      ['link', 'six.md', 'r'],
      ['image', 'six.md', 'i'],
      ['link', 'four.md?a=1&b=2', ''],
      ['image', 'five.png', 'F'],
    ]);
    expect(text.slice(links[0]!.offset).startsWith('[a]')).toBe(true);
    expect(text.slice(links[7]!.offset).startsWith('<img')).toBe(true);
  });

  test("a link's block keeps its id while other blocks change", () => {
    const before = readMarkdown('One.\n\nSee [a](b.md).\n').links[0]!.node;
    const after = readMarkdown('Quite another one.\n\nNew.\n\nSee [a](b.md).\n').links[0]!.node;
    expect(after).toBe(before);
    expect(blocksOf('One.\n\nSee [a](b.md).\n')[1]).toEqual({ id: before, text: 'See a.', offset: 6 });
  });

  // With 3,000 a parser whose time grows with the square takes seconds, with 8,000 a minute.
  const times = isLong ? 8_000 : 3_000;
  test.each([
    ['deep quotes', '>'.repeat(times)],
    ['open brackets', '[a]('.repeat(times)],
    ['nested images', '[![a]'.repeat(times) + '(b)](c)'.repeat(times)],
    ['runs of asterisks', '**a*'.repeat(times)],
    ['underlined headings', 'a\n=\n'.repeat(times)],
    ['many lists', '- a\n\nb\n\n'.repeat(times / 2)],
  ])('hostile text (%s) is read in bounded time', { timeout: 20_000 }, (_, text) => {
    expect(readMarkdown(text).body).toBe(text);
  });

  test('a long list of links is not treated as hostile', () => {
    const links = isLong ? 4_000 : 1_500;
    const text = Array.from({ length: links }, (_, i) => `- [page ${i}](p${i}.md)`).join('\n');
    expect(readMarkdown(text).links).toHaveLength(links);
  });
});

/** Addresses outside of Markdown's own links, each as `[...]`, and none in code. */
const markup = [
  '---\ncover: >-\n  [covers/a b.png]\ncoverDark: "[dark.png]" # at night\nlayout:\n  cover: x\n---\n',
  '<picture><source srcset="[x (1).png] 1x, [y z.png] 2x"><img src="[x (1).svg]" alt="X"></picture>',
  '<td data-cover="[card.png]"><a href="[a&amp;b.pdf]">a</a></td> <video poster="[v.jpg]" src="[v.mp4]"></video>',
  '{% file src="[a manual (2).pdf]" %} {% include \'[safety.md]\' %} `{% file src="no.pdf" %}`',
  '- {% content-ref url="[../]" %}\n  {% hint style="info" %}',
  '<div>\n{% openapi src="[pump.yaml]" path="/x" %}\n</div>',
  '<!-- {% file src="no.pdf" %} <img src="no.png"> -->',
  '```\n{% file src="no.pdf" %}\n<img srcset="no.png 1x">\n```',
  '{% embed url="https://video.example/1" %} {% broken {% file src="[last.pdf]" %}',
].join('\n\n');
const bracketed = [...markup.matchAll(/\[([^\]]*)\]/g)].map(([, url = '']) => url.replace('&amp;', '&'));

describe('addresses in HTML, tags and front matter', () => {
  const text = markup.replaceAll(/[[\]]/g, '');

  test('are links in the order of the text', () => {
    const { links } = readMarkdown(text);
    expect(links.map(({ url }) => url)).toEqual(bracketed.toSpliced(-1, 0, 'https://video.example/1'));
    expect(links.map(({ kind }) => kind[0]).join('')).toBe('iiiiiiliilllllll'.slice(0, links.length));
    expect(links[0]?.node).toBe('');
  });

  test('are rewritten where they are, so that they read back', () => {
    const seen: string[] = [];
    const changed = rewriteLinks(text, (url) => {
      seen.push(url);
      return `/new/${url}`;
    });
    const back = readMarkdown(changed).links.map(({ url }) => decodeURIComponent(url));
    const isRelative = (url: string) => !url.startsWith('https:');
    expect(seen.filter(isRelative)).toEqual(bracketed);
    expect(back.filter(isRelative)).toEqual(bracketed.map((url) => `/new/${url}`));
  });
});

describe('rewriting links', () => {
  test('only the addresses change', () => {
    const text =
      '\uFEFF---\r\ntitle: [x](a.md)\r\n---\r\n\t[a](a.md)\r\n\r\n1.  [a]( <a.md>  "a.md" )\tend\r\n   | [a](a.md) |\r\n\r\n<a href=a.md>\r\n\r\n[r]: a.md\r\n![r]';
    const seen: string[] = [];
    const rewritten = rewriteLinks(text, (url, kind) => {
      seen.push(`${kind} ${url}`);
      return '/pages/Pg4Wq7eRt1Yu';
    });
    expect(rewritten).toBe(
      text.slice(0, text.indexOf('---\r\n\t') + 3) +
        text
          .slice(text.indexOf('---\r\n\t') + 3)
          .replace('1.  [a]( <a.md>', '1.  [a]( </pages/Pg4Wq7eRt1Yu>')
          .replace('| [a](a.md)', '| [a](/pages/Pg4Wq7eRt1Yu)')
          .replace('href=a.md', 'href=/pages/Pg4Wq7eRt1Yu')
          .replace('[r]: a.md', '[r]: /pages/Pg4Wq7eRt1Yu'),
    );
    expect(seen).toEqual(['link a.md', 'link a.md', 'link a.md', 'image a.md']);
  });

  test('an address behind two byte order marks is found where it is', () => {
    expect(rewriteLinks('\uFEFF\uFEFF[a](a.md)', () => 'b.md')).toBe('\uFEFF\uFEFF[a](b.md)');
  });

  test('an address that needs it is written so that it reads back', () => {
    for (const url of ['a b.md', 'a(b.md', 'a|b', '<x>', '', 'a&amp;b', 'a"b\'c', 'ü.md', 'a\\b', 'a`b']) {
      for (const text of ['[t](x)', '[t](<x>)', '| [t](x) |\n|-|\n', '[t]\n\n[t]: x\n']) {
        const back = readMarkdown(rewriteLinks(text, () => url)).links[0]?.url ?? '';
        expect(decodeURIComponent(back)).toBe(decodeURIComponent(url));
      }
    }
  });

  const piece = fc.constantFrom(
    '[a](u)',
    '![a](<u> "t")',
    '<a href="u">',
    '`[a](u)`',
    '# ',
    '- ',
    '> ',
    '\n',
    '\r\n',
    '\n\n',
    '\t',
    '    ',
    'word',
    '| a | [b](u) |\n|---|---|\n',
    '```\n',
    '[r]',
    '\n\n[r]: u\n',
    '<!-- ',
    ' -->',
    '&amp;',
    '\\',
    '*',
    '🙂',
    '\uFEFF',
    '\0',
  );

  test('changing nothing gives the same bytes, and changing back too', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = pieces.join('');
        expect(rewriteLinks(text, (url) => url)).toBe(text);
        const there = rewriteLinks(text, (url) => (url === 'u' ? 'vv' : url));
        expect(rewriteLinks(there, (url) => (url === 'vv' ? 'u' : url))).toBe(text);
        expect(readMarkdown(there).links.map(({ url }) => url)).toEqual(
          readMarkdown(text).links.map(({ url }) => (url === 'u' ? 'vv' : url)),
        );
      }),
      { numRuns: runs(150, 1_000) },
    );
  });
});

describe('front matter', () => {
  test('setting a key keeps comments, order and line ends', () => {
    const text = '---\r\n# ours\r\nicon: book # why\r\ntitle: Old\r\n---\r\nBody\r\n';
    expect(setFrontMatter(text, { title: 'New', hidden: true })).toBe(
      '---\r\n# ours\r\nicon: book # why\r\ntitle: New\r\nhidden: true\r\n---\r\nBody\r\n',
    );
    expect(setFrontMatter('Body', { title: 'A: b' })).toBe('---\ntitle: "A: b"\n---\n\nBody');
    expect(setFrontMatter('---\ntitle: x\n---\nBody', { title: undefined })).toBe('---\n---\nBody');
  });

  test.each(['\n', '\r\n', '\r'])('lines may end with %j', (end) => {
    const text = ['\uFEFF--- ', '# ours', 'title: Old', 'icon: book', '---\t', 'Body', ''].join(end);
    expect(readFrontMatter(text)).toEqual({ data: { title: 'Old', icon: 'book' }, bodyAt: text.indexOf('Body') });
    expect(readFrontMatter(setFrontMatter(text, { title: 'New' })).data).toEqual({ title: 'New', icon: 'book' });
  });

  test.each(['\n', '\r\n', '\r'])('without an end it is text (%j)', (end) => {
    const text = `---${end}${`title: x${end}`.repeat(30)}`;
    const started = process.cpuUsage();
    expect(readFrontMatter(text)).toEqual({ data: {}, bodyAt: 0 });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });

  test.each([
    ['title: A\ntitle: B', '3 duplicated mapping key'],
    ['title: "open', '3 '],
    [`title: ${'x'.repeat(70_000)}`, 'longer than 65,536 characters'],
    [`a: &a x\nb: [${'*a,'.repeat(20_000)}]`, 'aliases'],
    [`title: ${'['.repeat(30_000)}`, 'nesting'],
  ])('front matter that is not read is reported and kept out of the body (case %#)', (yaml, reason) => {
    const text = `---\n${yaml}\n---\nBody`;
    const { data, problem, bodyAt } = readFrontMatter(text);
    expect([data, text.slice(bodyAt)]).toEqual([{}, 'Body']);
    expect(`${problem?.line} ${problem?.message}`).toContain(reason);
    expect(setFrontMatter(text, { title: 'New' })).toBe(`---\ntitle: New\n---\n\n${text}`);
  });
});

describe('slugs', () => {
  test.each([
    ['Install the pump', 'install-the-pump'],
    ['  Überprüfung & Ænderung ', 'uberprufung-aenderung'],
    ['Установка йода', 'установка-йода'],
    ['安装 水泵', '安装-水泵'],
    ["Maker's site v1.2", 'makers-site-v1-2'],
    ['!!!', 'page'],
    ['../../etc', 'etc'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('%s is %s', (title, slug) => expect(slugify(title)).toBe(slug));

  test('siblings get a number, within the limit', () => {
    expect(uniqueSlug('a', new Set(['a', 'a-2']))).toBe('a-3');
    expect(uniqueSlug('x'.repeat(100), new Set(['x'.repeat(100)]))).toBe(`${'x'.repeat(98)}-2`);
  });

  test('the slug of a slug is the same slug', () => {
    fc.assert(
      fc.property(anyText(), (title) => {
        const slug = slugify(title);
        expect(slug.length).toBeGreaterThan(0);
        expect(slug.length).toBeLessThanOrEqual(100);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });
});

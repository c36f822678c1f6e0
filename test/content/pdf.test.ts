import fc, { anyText } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { type PdfOptions, type PdfPage, writePdf } from '../../src/content/pdf/pdf.ts';
import { runs } from '../support/long-form.ts';
import { copiedText } from '../support/pdf-text.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mM4IScHQQxwFgBBAAYZ1ETuGQAAAABJRU5ErkJggg==',
  'base64',
);

type TestPage = PdfPage & { markdown: string };
type TestOptions = Partial<PdfOptions> & { pictures?: (url: string) => Uint8Array | undefined };

const page = (markdown: string, more: Partial<TestPage> = {}): TestPage => ({
  id: 'a',
  title: 'Pump',
  depth: 0,
  markdown,
  ...more,
});

/** The PDF and its findings; without fonts of the machine, unless a test asks for them. */
async function write(pages: TestPage[], { pictures = () => undefined, ...options }: TestOptions = {}) {
  const parts: Uint8Array[] = [];
  const findings = await writePdf(
    pages,
    {
      title: 'Handbook',
      date: new Date(0),
      fonts: { installed: () => [] },
      text: (id) => pages.find((each) => each.id === id)?.markdown ?? '',
      imageName: (url) => url,
      image: pictures,
      ...options,
    },
    (bytes) => parts.push(bytes),
  );
  return { bytes: Buffer.concat(parts), findings };
}

const render = async (pages: TestPage[], options?: TestOptions) =>
  (await write(pages, options)).bytes.toString('latin1');

/** How often an object of the file matches. */
const count = (pdf: string, pattern: RegExp) => pdf.match(pattern)?.length ?? 0;
const sheets = (pdf: string) => count(pdf, /\/Type \/Page\b/g);
const titles = (pdf: string) => [...pdf.matchAll(/\/Title \((.*?)\)\n/gs)].map(([, title]) => decode(title!));
const decode = (text: string) =>
  text.startsWith('\xFE\xFF')
    ? Buffer.from(text.slice(2).replaceAll(/\\([()\\])/g, '$1'), 'latin1')
        .swap16()
        .toString('utf16le')
    : text;

describe('a PDF', () => {
  test('has its pages in the contents, the outline and in order', async () => {
    const pdf = await render([
      page('# Pump\n\nText.\n\n## Install\n\n### By hand\n', { id: 'a' }),
      page('Näher', { id: 'b', title: 'Ventil № 1', depth: 1 }),
      page('More', { id: 'c', title: 'Other' }),
    ]);
    expect(pdf.startsWith('%PDF-1.')).toBe(true);
    expect(sheets(pdf)).toBe(3);
    expect(titles(pdf).toSorted()).toEqual(['By hand', 'Install', 'Other', 'Pump', 'Ventil № 1']);
    expect(pdf).toContain('(Handbook)');
    const text = copiedText(pdf);
    expect(text).toContain('Handbook');
    expect(text).toContain('Ventil № 1');
    // In the contents and over its text, not once more for its first heading.
    expect(text.split('Pump').length - 1).toBe(2);
  });

  test('of a single page has no contents', async () => {
    expect(sheets(await render([page('Text')]))).toBe(1);
    expect(sheets(await render([page('Text')], { contents: true }))).toBe(2);
    expect(sheets(await render([]))).toBe(1);
  });

  test('keeps the text of every kind of block', async () => {
    const text = copiedText(
      await render([
        page(
          '**bold** _it_ ~~gone~~ `code` [link](https://a.example)\n\n- one\n  1. two\n- [x] three\n\n> quote\n\n| h1 | h2 |\n|---|---|\n| c1 | c2 |\n\n```js\nlet a;\n```\n\n<p>raw</p>\n\nΔοκιμή Проверка ≤ → ✓\n\n![picture](no.gif)\n\n[^1]\n\n[^1]: note\n',
        ),
      ]),
    );
    for (const word of [
      'bold',
      'it',
      'gone',
      'code',
      'link',
      'one',
      'two',
      'three',
      'quote',
      'h1',
      'c2',
      'let',
      'raw',
      'Δοκιμή',
      'Проверка',
      '≤',
      '→',
      '✓',
      'picture',
      'note',
    ]) {
      expect(text).toContain(word);
    }
  });

  test('leads to addresses, pages and headings', async () => {
    const pdf = await render(
      [
        page(
          '[out](https://pumps.example/x) [page](b.md) [part](b.md#part) [lost](b.md#lost) [own](#here) [bad](javascript:1) [gone](gone.md)\n\n## Here\n',
        ),
        page('## Part\n', { id: 'b', title: 'B' }),
      ],
      { resolve: (url) => (url.startsWith('b.md') ? { page: 'b', anchor: url.split('#')[1] } : undefined) },
    );
    expect(count(pdf, /\/URI \(https:\/\/pumps\.example\/x\)/g)).toBe(1);
    expect(pdf).not.toContain('javascript');
    expect(count(pdf, /\/S \/URI/g)).toBe(1);
    const destinations = new Set([...pdf.matchAll(/\/S \/GoTo\n\/D \((.*?)\)/g)].map(([, name]) => name));
    expect([...destinations].toSorted()).toEqual(['a', 'a#here', 'b', 'b#lost', 'b#part']);
    for (const name of destinations) expect(pdf).toContain(`(${name}) [`);
  });

  test('shows images, and descriptions of images that cannot be shown', async () => {
    const image = (url: string) => ({ 'a.png': png, 'bad.png': png.subarray(0, 40) })[url];
    const pdf = await render([page('![a](a.png)\n\n![again](a.png)\n\n![bad](bad.png)\n\n![none](none.png)')], {
      pictures: image,
    });
    expect(count(pdf, /\/Subtype \/Image/g)).toBeGreaterThan(0);
    expect(copiedText(pdf)).toContain('[none]');
  });

  test('divides blocks that do not fit on a sheet', async () => {
    const rows = Array.from(
      { length: 100 },
      (_, row) => `| row${row} | ${'words '.repeat(row === 50 ? 2000 : 5)} |\n`,
    ).join('');
    const text = copiedText(
      await render([
        page(`| head | b |\n|---|---|\n${rows}\n\`\`\`\n${'line\n'.repeat(200)}last\n\`\`\`\n\n${'x'.repeat(5000)}`),
      ]),
    );
    expect(text).toContain('row99');
    expect(text).toContain('last');
    expect(text.split('head').length - 1).toBeGreaterThan(2);
    expect(text.match(/x/g)!.length).toBe(5000);
  });

  test.each([
    ['nothing', ''],
    ['deep lists', Array.from({ length: 40 }, (_, depth) => `${'  '.repeat(depth)}- x\n`).join('')],
    ['many columns', `${'| a '.repeat(60)}|\n${'|---'.repeat(60)}|\n${'| some words '.repeat(60)}|\n`],
    ['letters no font has', '日本語 🎉 \u{10FFFF} \uD800 नमस्ते'],
    ['controls', '\0\x07\x1B[31m \u202E \u200D\uFE0F'],
    ['an empty table', '|  |\n|--|\n'],
    ['quotes in quotes', `${'> '.repeat(30)}x`],
  ])('of %s is a PDF', async (_, markdown) => {
    expect(sheets(await render([page(markdown)]))).toBeGreaterThan(0);
  });

  test('of any text is a PDF', async () => {
    const piece = fc.oneof(
      anyText({ maxLength: 30 }),
      fc.constantFrom('\n\n', '# ', '- ', '| a |\n|-|\n', '```\n', '![](a)', '[x](y)', '> ', '1. '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 15 }), async (pieces) => {
        expect(await render([page(pieces.join(''), { title: pieces[0] ?? '' })])).toContain('%%EOF');
      }),
      { numRuns: runs(12, 100) },
    );
  });
});

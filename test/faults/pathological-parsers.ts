import type { Element, Root as HastRoot } from 'hast';
import type { List, Root, RootContent, Table } from 'mdast';
import { addressOf, pathOf, withoutCredentials } from '../../src/client/address.ts';
import { parseProject } from '../../src/cli/settings/project-schema.ts';
import { withoutFormula } from '../../src/cli/output/delimited.ts';
import { visible, visibleLines } from '../../src/shared/visible.ts';
import { addressesIn as peopleIn, fileShape } from '../../src/commands/invites/people.ts';
import { readPeopleFile } from '../../src/people/people-file.ts';
import { describeFile } from '../../src/content/folder/files.ts';
import { addressesIn } from '../../src/content/folder/local-links.ts';
import { readFolder } from '../../src/content/folder/read-folder.ts';
import { readInfo } from '../../src/content/folder/page-info.ts';
import { treeOf } from '../../src/content/folder/page-tree.ts';
import { readFrontMatter, setFrontMatter } from '../../src/content/markdown/front-matter.ts';
import { decodeText, fetchBytes } from '../../src/content/import/fetcher.ts';
import { contentOf } from '../../src/content/import/html/html.ts';
import { Refs } from '../../src/content/import/imported.ts';
import { readLayout } from '../../src/content/folder/layout.ts';
import { LinkIndex, relativeAddress } from '../../src/content/markdown/links.ts';
import { imagesIn } from '../../src/content/markdown/markup.ts';
import { readRoot } from '../../src/content/markdown/markdown.ts';
import { mergeLines } from '../../src/content/merge/merge-lines.ts';
import { parse } from '../../src/content/markdown/parse.ts';
import { addressOf as urlOf, referenceOf } from '../../src/content/markdown/references.ts';
import { slugify, uniqueSlug } from '../../src/content/markdown/slug.ts';
import { entriesIn } from '../../src/content/folder/summary.ts';
import { rootOf } from '../../src/content/tree/to-markdown.ts';
import { readTree } from '../../src/content/tree/read-tree.ts';
import { treeOf as documentOf } from '../../src/content/tree/from-markdown.ts';
import type { Tree } from '../../src/contract/pages.ts';
import { mediaType } from '../../src/contract/content.ts';
import { slugForm } from '../../src/contract/openapi.ts';
import { proxyForm } from '../../src/contract/sites.ts';
import { decodeText as decodeFlag } from '../../src/contract/fields.ts';
import { emailAddress, webAddress } from '../../src/contract/schema.ts';
import { parseDescription, slugOf } from '../../src/openapi/index.ts';
import { TextFile } from '../../src/openapi/parse/files.ts';
import { readCertificates } from '../../src/saml/certificate.ts';
import { readMetadata } from '../../src/saml/metadata.ts';
import { readYaml } from '../../src/shared/yaml.ts';
import { parseQuery } from '../../src/shared/search/query.ts';
import { indexedText } from '../../src/shared/search/words.ts';
import { isLong } from '../support/long-form.ts';

/** Length of each text; `npm run test:faults` measures a megabyte. */
export const size = isLong ? 1_000_000 : 250_000;

const fill = (unit: string, before = '', after = '') =>
  before + unit.repeat(Math.ceil((size - before.length - after.length) / unit.length)) + after;

const count = (line: (index: number) => string) => {
  let text = '';
  for (let index = 0; text.length < size; index += 1) text += line(index);
  return text;
};

/** What slows expressions and scans that look at a place more than once: runs, openings without an end, line ends. */
const anywhere: Record<string, () => string> = {
  blanks: () => fill(' ', 'x', 'x'),
  tabs: () => fill('\t ', 'x', 'x'),
  'Windows line ends': () => fill('\r\n', '---\r\n', 'x'),
  'old Mac line ends': () => fill('\r', '---\r', 'x'),
  'lines of a letter': () => fill('a\r\n', '---\r\n'),
  'one word': () => fill('a', '', '!'),
  digits: () => fill('0', '', '!'),
  dashes: () => fill('-', '', 'x'),
  slashes: () => fill('/', 'a', 'x'),
  'opening brackets': () => fill('['),
  'links without an end': () => fill('](<'),
  'opening braces': () => fill('{a'),
  'opening tags': () => fill('<a '),
  'comments without an end': () => fill('<!--'),
  quotes: () => fill('"\''),
  ampersands: () => fill('&a'),
  'percent signs': () => fill('%E0%A4%A'),
  'hash signs': () => fill('#?'),
  accents: () => fill('\u0300\u0316', 'a'),
  'parts of an address': () => fill('a.', 'a@'),
};

interface Parser {
  /** What is measured; the texts are made before. */
  run: (text: string) => unknown;
  texts?: Record<string, () => string>;
  /** Whether to run it over all the texts of `anywhere` too. */
  isGeneral?: boolean;
}

const attempt = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    // A text that is refused is fine; a stack that overflows is not.
    if (error instanceof RangeError) throw error;
    return undefined;
  }
};

const linkIndex = new LinkIndex([{ id: 'Pg1', path: 'a/b' }], [{ id: 'Fi1', name: 'a/b.png' }]);
const block = (yaml: string) => `---\n${yaml}---\nBody\n`;

const textParsers: Record<string, Parser> = {
  'front matter': {
    isGeneral: true,
    run: (text) => {
      readFrontMatter(text);
      setFrontMatter(text, { title: 'New' });
    },
    texts: {
      'without an end': () => fill('title: x\r\n', '---\r\n'),
      'many keys': () => block(count((index) => `key${index}: 1\n`)),
      'as long as is read': () => block(count((index) => `k${index}:\n`).slice(0, 65_000) + '\n'),
      'commas as long as is read': () => block(`a: [${','.repeat(65_000)}]\n`),
      aliases: () => block(`a: &a x\n${count((index) => `b${index}: *a\n`).slice(0, 60_000)}\n`),
      nesting: () => block(`a: ${'['.repeat(60_000)}\n`),
      comments: () => fill('# a\n', '---\n', '---\n'),
    },
  },
  YAML: {
    isGeneral: true,
    run: (text) => attempt(() => readYaml(text)),
    texts: {
      keys: () => count((index) => `key${index}: 1\n`).slice(0, size),
      aliases: () => `a: &a {b: 1}\n${count((index) => `b${index}: *a\n`)}`.slice(0, size),
      errors: () => fill('a: b: c\n'),
      nesting: () => fill('{a: '),
    },
  },
  'project file': { isGeneral: true, run: (text) => attempt(() => parseProject('.docsctl.yaml', text)) },
  'settings of a folder': {
    isGeneral: true,
    run: (text) => readFolder(new Map([['.gitbook.yaml', Buffer.from(text)]])),
  },
  layout: {
    isGeneral: true,
    run: (text) => readLayout(Buffer.from(text)),
    texts: { links: () => JSON.stringify({ links: { a: JSON.parse(`[${fill('["a","b"],', '', '["a","b"]')}]`) } }) },
  },
  'addresses of a text': {
    isGeneral: true,
    run: addressesIn,
    texts: {
      'definitions without an end': () => fill('>[\n'),
      definitions: () => fill('[a]: b\n'),
      attributes: () => fill('src=a '),
    },
  },
  'HTML inside Markdown': {
    isGeneral: true,
    run: imagesIn,
    texts: {
      'attributes without an end': () => fill('<img src="'),
      attributes: () => fill(' src=a', '<img'),
      'quotes that alternate': () => fill('<a "\' '),
    },
  },
  'title and settings of a page': {
    run: readInfo,
    texts: {
      blanks: anywhere['blanks']!,
      'blank lines': () => fill('\r\n', '', '# Title\n'),
      'one line': anywhere['one word']!,
    },
  },
  link: { isGeneral: true, run: (text) => (linkIndex.resolve(text, 'Pg1'), relativeAddress('a/b', text)) },
  reference: { isGeneral: true, run: (text) => urlOf(referenceOf(text)) },
  slug: {
    isGeneral: true,
    run: (text) => (slugify(text), new Refs().page(text), slugOf(text), uniqueSlug(slugify(text), new Set())),
  },
  'words of a search': { isGeneral: true, run: parseQuery },
  'words of a search index': { isGeneral: true, run: indexedText },
  'merge of lines': {
    run: (text) => mergeLines(text, `b\n${text.slice(0, -10)}c\n`, `d\n${text.slice(0, -20)}e\n`),
    texts: {
      'equal lines': () => fill('a\nx\n'),
      'equal lines between different ones': () => `x\n${'a\n'.repeat(4_990)}y\n`,
      'different lines': () => count((index) => `${index}a\n`),
      'one line': anywhere['one word']!,
    },
  },
  'type of a file': { isGeneral: true, run: (text) => describeFile(text.slice(0, 1_000), Buffer.from(text)) },
  'charset of an answer': {
    isGeneral: true,
    run: (text) => (decodeText(Buffer.from(text), 'text/html'), decodeText(Buffer.from('a'), text)),
  },
  'data address': {
    isGeneral: true,
    run: (text) => fetchBytes(`data:${text}`, { ...fetchLimits }).catch(() => undefined),
  },
  certificate: {
    isGeneral: true,
    run: (text) => attempt(() => readCertificates(text)),
    texts: {
      'without an end': () => fill('-----BEGIN CERTIFICATE-----\n'),
      'different labels': () => count((index) => `-----BEGIN A${index % 7}-----\n-----END B-----\n`),
    },
  },
  'SAML metadata': {
    isGeneral: true,
    run: (text) => attempt(() => readMetadata(text)),
    texts: {
      elements: () =>
        fill('<a/>', '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">', '</EntitiesDescriptor>'),
    },
  },
  'OpenAPI description': {
    isGeneral: true,
    run: (text) => attempt(() => JSON.stringify(parseDescription(text).document)),
    texts: {
      aliases: () => `openapi: 3.1.0\nx-a: &a ${'y'.repeat(50_000)}\nx-b:\n${' - *a\n'.repeat(20_000)}`,
      'small aliases': () => `openapi: 3.1.0\nx-a: &a 1\nx-b:\n${' - *a\n'.repeat(100_000)}`,
      keys: () => `openapi: 3.1.0\n${count((index) => `x-${index}: 1\n`)}`,
      'keys of JSON': () => `{"openapi":"3.1.0"${count((index) => `,"x-${index}":1`)}}`,
    },
  },
  'file of an OpenAPI description': {
    isGeneral: true,
    run: (text) => (new TextFile('a.yaml', text), new TextFile('a.json', text)),
    texts: { 'keys that repeat': () => fill('"a":1,', '{', '"a":1}') },
  },
  'addresses of people': {
    isGeneral: true,
    run: peopleIn,
    texts: { names: () => fill('Ann Lee <'), many: () => fill('a@b.c,') },
  },
  'CSV of people': {
    isGeneral: true,
    run: (text) => attempt(() => readPeopleFile(`email\n${text}`, 'people.csv', fileShape)),
    texts: { rows: () => fill('a@lumen.example\n'), quotes: () => fill('"') },
  },
  'address of a service': {
    isGeneral: true,
    run: (text) => {
      attempt(() => addressOf(`https://${text}`));
      attempt(() => addressOf(`https://docs.example/${text}`));
      attempt(() => pathOf(text, { origin: 'https://docs.example', prefix: '' }));
      withoutCredentials(`https://${text}`);
    },
  },
  'patterns of the contract': {
    isGeneral: true,
    run: (text) => {
      emailAddress().safeParse(text);
      webAddress(2_048).safeParse(text);
      for (const pattern of [mediaType, slugForm.pattern, proxyForm.pattern]) pattern.test(text);
      decodeFlag({ kind: 'number' } as Parameters<typeof decodeFlag>[0], text);
    },
    texts: { domain: () => fill('a-', 'a@', '.b') },
  },
  'text on a terminal': { isGeneral: true, run: (text) => (visible(text), visibleLines(text), withoutFormula(text)) },
};

const fetchLimits = { maxBytes: 10_000_000, timeoutMs: 10_000, data: true };

// ---- trees: what libraries parse is made here, so that only what walks it is measured

const paragraph = (value: string): RootContent => ({ type: 'paragraph', children: [{ type: 'text', value }] });
const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

function nestedList(depth: number, text: string): List {
  let list: List = { type: 'list', children: [{ type: 'listItem', children: [paragraph(text) as never] }] };
  for (let level = 1; level < depth; level += 1) {
    list = { type: 'list', children: [{ type: 'listItem', children: [paragraph('a') as never, list] }] };
  }
  return list;
}

const table = (header: number, rows: number): Table => ({
  type: 'table',
  children: many(rows, (index) => ({
    type: 'tableRow',
    children: many(index === 0 ? header : 1, () => ({ type: 'tableCell', children: [{ type: 'text', value: 'a' }] })),
  })),
});

const markdownTrees: Record<string, () => RootContent[]> = {
  paragraphs: () => many(150_000, () => paragraph('a')),
  headings: () => many(150_000, () => ({ type: 'heading', depth: 1, children: [{ type: 'text', value: 'a' }] })),
  'different headings': () =>
    many(80_000, (index) => ({ type: 'heading', depth: 2, children: [{ type: 'text', value: `a-${index % 300}` }] })),
  definitions: () => many(80_000, (index) => ({ type: 'definition', identifier: `${index}`, url: 'a' })),
  footnotes: () =>
    many(80_000, (index) => ({
      type: 'footnoteDefinition',
      identifier: `${index}`,
      children: [paragraph('a') as never],
    })),
  'nested lists': () => [nestedList(900, 'a'.repeat(500_000))],
  'items of a list': () => [
    { type: 'list', children: many(80_000, () => ({ type: 'listItem', children: [paragraph('a') as never] })) },
  ],
  'a table': () => [table(50_000, 50_000)],
  links: () => [
    {
      type: 'paragraph',
      children: many(80_000, (index) => ({ type: 'link', url: `a${index}`, children: [{ type: 'text', value: 'a' }] })),
    },
  ],
  'HTML comments': () => many(1, () => ({ type: 'html', value: fill('<!--') })),
  'HTML tags': () => many(1, () => ({ type: 'html', value: fill('<a ') })),
  marks: () => [
    {
      type: 'paragraph',
      children: many(80_000, (index) => ({
        type: index % 2 ? 'strong' : 'emphasis',
        children: [{ type: 'text', value: ' ' }],
      })),
    },
  ],
};

const leaf = (text: string, ...types: ('bold' | 'italic')[]) => ({
  object: 'leaf' as const,
  text,
  marks: types.map((type) => ({ object: 'mark' as const, type })),
});
const paragraphOf = (leaves: ReturnType<typeof leaf>[]): Tree => ({
  object: 'document',
  data: {},
  nodes: [{ object: 'block', type: 'paragraph', data: {}, nodes: [{ object: 'text', leaves }] }],
});
const documentTrees: Record<string, () => Tree> = {
  blanks: () => paragraphOf([leaf(fill(' ', 'x', 'x'), 'bold')]),
  'blanks at the ends': () => paragraphOf([leaf(fill(' '), 'bold'), leaf('x', 'bold'), leaf(fill('\n'), 'bold')]),
  'leaves of blanks': () =>
    paragraphOf([
      ...many(150_000, (index) => (index % 2 ? leaf(' ', 'bold') : leaf(' ', 'bold', 'italic'))),
      leaf('x', 'bold'),
    ]),
  blocks: () => ({
    object: 'document',
    data: {},
    nodes: many(150_000, () => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [leaf('a')] }],
    })),
  }),
  'blocks of a block': () => ({
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'blockquote', data: {}, nodes: documentTrees['blocks']!().nodes }],
  }),
};

const element = (tagName: string, children: Element['children'], properties: Element['properties'] = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});
const text = (value: string) => ({ type: 'text' as const, value });
const pageOf = (...content: Element[]): HastRoot => ({
  type: 'root',
  children: [element('html', [element('head', []), element('body', content)])],
});
function nested(
  tags: string[],
  depth: number,
  inside: Element['children'],
  properties: Element['properties'] = {},
): Element {
  let outermost = element(tags[0]!, inside, properties);
  for (let level = 1; level < depth; level += 1)
    outermost = element(tags[level % tags.length]!, [outermost], properties);
  return outermost;
}
const htmlTrees: Record<string, () => HastRoot> = {
  paragraphs: () => pageOf(...many(100_000, () => element('p', [text('a')]))),
  'nested blocks': () =>
    pageOf(
      nested(
        ['div'],
        5_000,
        many(40_000, () => element('p', [text('a')])),
      ),
    ),
  'nested menus': () =>
    pageOf(
      nested(
        ['nav', 'aside', 'ul', 'li'],
        5_000,
        many(50_000, () => element('a', [text('a')], { href: '/a' })),
      ),
    ),
  'nested articles': () =>
    pageOf(
      nested(
        ['article', 'header'],
        5_000,
        many(40_000, () => element('span', [text('a')])),
      ),
    ),
  'nested names': () =>
    pageOf(
      nested(
        ['div'],
        5_000,
        many(40_000, () => element('span', [text('a')])),
        { className: ['sidebar'] },
      ),
    ),
  'links of a menu': () =>
    pageOf(
      element(
        'nav',
        many(40_000, () => element('a', [text('a')], { href: '/a' })),
      ),
    ),
  'items of a menu': () =>
    pageOf(
      element('nav', [
        element(
          'ul',
          many(50_000, () => element('li', [element('a', [text('a')], { href: '/a' })])),
        ),
      ]),
    ),
  'links of a heading': () =>
    pageOf(
      element(
        'h1',
        many(40_000, () => element('a', [text('a')], { href: '/b' })),
      ),
    ),
  'blocks of a cell': () =>
    pageOf(
      element('table', [
        element('tr', [
          element(
            'th',
            many(40_000, () => element('p', [])),
          ),
        ]),
      ]),
    ),
  'rows of a table': () =>
    pageOf(
      element(
        'table',
        many(40_000, () => element('tr', [element('td', [text('a')])])),
      ),
    ),
  terms: () =>
    pageOf(
      element(
        'dl',
        many(40_000, (index) => element(index % 2 ? 'dd' : 'dt', [text('a')])),
      ),
    ),
  'parts of a term': () =>
    pageOf(
      element('dl', [
        element('dt', [text('a')]),
        element(
          'dd',
          many(150_000, () => text('a')),
        ),
      ]),
    ),
  headings: () => pageOf(...many(40_000, () => element('h1', [text('a')]))),
  names: () => pageOf(element('div', [text('a')], { className: [fill('_')] })),
  title: () => ({
    type: 'root',
    children: [
      element('html', [element('head', [element('title', [text(fill(' ', 'a', '|'))])]), element('body', [text('a')])]),
    ],
  }),
};

const treeParsers = [
  ...Object.entries(markdownTrees).flatMap(([name, make]) => {
    const parserCase = (what: string, run: (root: Root) => unknown) => ({
      name: `${what}: ${name}`,
      prepare: (): Root => ({ type: 'root', children: make() }),
      run,
    });
    const source = 'a'.repeat(100);
    return [
      parserCase('page', (root) => readRoot(root, source, { data: {}, bodyAt: 0 })),
      parserCase('summary', entriesIn),
      parserCase('document tree', documentOf),
    ];
  }),
  ...Object.entries(documentTrees).map(([name, make]) => ({
    name: `Markdown of a document tree: ${name}`,
    prepare: make,
    run: (tree: Tree) => (readTree(tree), rootOf(tree)),
  })),
  ...Object.entries(htmlTrees).map(([name, make]) => ({
    name: `page of HTML: ${name}`,
    prepare: make,
    run: (root: HastRoot) => contentOf(root, 'https://docs.example/', 'Page'),
  })),
];

interface Case {
  name: string;
  prepare: () => unknown;
  run: (input: never) => unknown;
}

const cases: Case[] = [
  ...Object.entries(textParsers).flatMap(([parser, { run, texts = {}, isGeneral = false }]) =>
    Object.entries({ ...(isGeneral && anywhere), ...texts }).map(([name, prepare]) => ({
      name: `${parser}: ${name}`,
      prepare,
      run,
    })),
  ),
  ...treeParsers,
  {
    name: 'names that are all taken',
    prepare: () => new Set<string>(),
    run: (taken: Set<string>) => {
      for (let index = 0; index < 100_000; index += 1) taken.add(uniqueSlug('a', taken));
    },
  },
  {
    name: 'pages of a folder whose names give one slug',
    prepare: () =>
      new Map(many(20_000, (index) => [`a${'!'.repeat(index % 250)}${'?'.repeat(Math.floor(index / 250))}.md`, {}])),
    run: (infos: Map<string, object>) =>
      treeOf({ infos, summary: null, settings: { root: '', summary: 'SUMMARY.md', readme: 'README.md' } }),
  },
  {
    name: 'Markdown that is parsed in pieces',
    prepare: () => fill('['),
    run: (markdown: string) => parse(markdown, 5),
  },
];

const parserOf = ({ name }: Case) => name.split(':', 1)[0]!;

export const parsers = [...new Set(cases.map(parserOf))];

export const casesOf = (parser: string): Case[] => cases.filter((each) => parserOf(each) === parser);

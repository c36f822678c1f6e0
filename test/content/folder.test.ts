import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { addressesIn } from '../../src/content/folder/local-links.ts';
import { type Folder, hashOf, missingFiles } from '../../src/content/folder/folder.ts';
import { readFolder } from '../../src/content/folder/read-folder.ts';
import { SettingsError } from '../../src/content/folder/folder-settings.ts';
import { isLayout, latestLayouts, layoutName, readLayout, writeLayout } from '../../src/content/folder/layout.ts';
import { LinkIndex, relativeAddress } from '../../src/content/markdown/links.ts';
import { readMarkdown, rewriteLinks, titleOf } from '../../src/content/markdown/markdown.ts';
import { type Operation, plan } from '../../src/sync/plan.ts';
import { newPageId, replacePageIds } from '../../src/sync/page-links.ts';
import { baseAfter, linksToPages } from '../../src/sync/three-way/record.ts';
import { compare } from '../../src/sync/three-way/compare.ts';
import { filesChanged, folderOf as filledFolder, writeFolder } from '../../src/sync/write-folder.ts';
import type { Remote, RemotePage } from '../../src/sync/read-remote.ts';
import { runs } from '../support/long-form.ts';

const folderOf = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
const textsOf = (folder: Folder) =>
  Object.fromEntries([...folder].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));

/** A service that carries out what a plan says, by the rules of the API. */
class Service {
  pages: RemotePage[] = [];
  files: { id: string; name: string; bytes: Uint8Array }[] = [];
  #next = 1;

  remote(): Remote {
    const layouts = latestLayouts(this.files).map(({ bytes }) => bytes);
    const files = this.files.map(({ id, name, bytes }) => ({ id, name, hash: hashOf(bytes), size: bytes.length }));
    return { pages: this.pages.map((page) => ({ ...page, ...documentOf(page) })), files, layouts };
  }

  /** Overwrites a space that the folder was never pushed to. */
  async push(folder: Folder): Promise<Operation[]> {
    const local = readFolder(folder);
    const remote = this.remote();
    const compared = compare({ local, remote });
    const read = { remote: new Map(remote.pages.map(({ id, text }) => [id, text ?? ''])), base: new Map() };
    const overwrite = compared.base === undefined;
    const options = { overwrite, deleteOthers: overwrite };
    const { operations, record, conflicts } = await plan({ local, remote, compared, read, options });
    expect(conflicts).toEqual([]);
    const ids = new Map<string, string>();
    for (const each of operations) this.#apply(each, ids);
    const addresses = new Map([...ids].map(([key, id]) => [newPageId(key), `/pages/${id}`]));
    for (const page of this.pages) page.text = page.text && replacePageIds(page.text, (id) => addresses.get(id));
    if (!record.isNew) return operations;
    const pages = new Map(this.remote().pages.map((page) => [page.id, page]));
    const base = baseAfter(record, { ids, pages, revision: 'r', writtenAt: new Map(), files: new Map() });
    const bytes = writeLayout({ ...record.layout, links: linksToPages(record.layout.links, ids), base });
    const upload: Operation = { kind: 'upload', name: layoutName(record.layout.serial), bytes };
    this.#apply(upload, ids);
    return operations;
  }

  pull(local?: Folder): Folder {
    const bytes = new Map(this.files.map((file) => [file.id, file.bytes]));
    const written = writeFolder({ remote: this.remote(), ...(local && { local: readFolder(local) }) });
    return filledFolder(written, ({ id }) => bytes.get(id)!);
  }

  #apply(operation: Operation, ids: Map<string, string>): void {
    const idOf = (ref: { id: string } | { key: string } | null) =>
      ref === null ? null : 'id' in ref ? ref.id : ids.get(ref.key)!;
    const id = `P${String((this.#next += 1)).padStart(11, '0')}`;
    switch (operation.kind) {
      case 'upload':
        this.files.push({ id, name: operation.name, bytes: operation.bytes });
        break;
      case 'add': {
        ids.set(operation.key, id);
        const { fields, text } = operation;
        const page: RemotePage = { id, type: 'document', parent: null, text, title: '', slug: '', ...fields };
        page.title = (text === null ? undefined : titleOf(text)) ?? page.title;
        this.#put(page, idOf(operation.parent), operation.index);
        break;
      }
      case 'move':
        this.#put(this.#page(operation.id), idOf(operation.parent), operation.index);
        break;
      case 'change':
        Object.assign(
          this.#page(operation.id),
          operation.fields,
          operation.text !== undefined && { text: operation.text },
        );
        break;
      case 'delete': {
        const gone = new Set([operation.id]);
        for (const page of this.pages) if (page.parent !== null && gone.has(page.parent)) gone.add(page.id);
        this.pages = this.pages.filter((page) => !gone.has(page.id));
      }
    }
    this.#settle();
  }

  #page(id: string): RemotePage {
    return this.pages.find((page) => page.id === id)!;
  }

  #put(page: RemotePage, parent: string | null, position: number): void {
    this.pages = this.pages.filter((each) => each !== page);
    page.parent = parent;
    const next = this.pages.filter((each) => each.parent === parent)[position];
    const index = next ? this.pages.indexOf(next) : this.pages.length;
    this.pages.splice(index, 0, page);
  }

  #settle(): void {
    const below = (parent: string | null, path: string): RemotePage[] =>
      this.pages
        .filter((page) => page.parent === parent)
        .flatMap((page) => {
          page.path = path + page.slug;
          return [page, ...below(page.id, `${page.path}/`)];
        });
    this.pages = below(null, '');
  }
}

const documentOf = ({ text }: RemotePage) => (text ? { document: hashOf(text) } : {});

const shape = (pages: readonly { parent: string | null; title: string; path?: string }[]) =>
  pages.map(({ path, title }) => `${path}: ${title}`);

describe('reading a folder', () => {
  test('folders are pages, README.md their text, names their order and slugs', () => {
    const { pages, files, problems } = readFolder(
      folderOf({
        'README.md': '# Home\n\n![logo](assets/logo.svg) [in](guides/Install%20It.md) [gone](gone.png)',
        'guides/README.md': '---\ntitle: All guides\ndescription: How to\nicon: book\nhidden: true\n---\nText',
        'guides/Install It.md': 'No heading',
        'api/v1.2/users.md': '# Users',
        'faq.md': '# Questions\n',
        'faq/more.md': 'x',
        'assets/logo.svg': '<svg/>',
        'assets/unused.png': 'x',
        '.github/x.md': 'x',
        'node_modules/a/README.md': 'x',
      }),
    );
    expect(shape(pages)).toEqual([
      'readme: Home',
      'api: Api',
      'api/v1-2: V1.2',
      'api/v1-2/users: Users',
      'faq: Questions',
      'faq/more: More',
      'guides: All guides',
      'guides/install-it: Install It',
    ]);
    expect(pages.find(({ path }) => path === 'guides')).toMatchObject({
      description: 'How to',
      icon: 'book',
      hidden: true,
    });
    expect(pages.find(({ path }) => path === 'api')).toMatchObject({ file: null, text: null });
    expect(files.map(({ path }) => path)).toEqual(['assets/logo.svg']);
    expect(problems).toEqual([]);
  });

  test('SUMMARY.md sets order, nesting, groups and links', () => {
    const { pages, problems } = readFolder(
      folderOf({
        '.gitbook.yaml': 'root: ./docs/\nstructure:\n  summary: ./TOC.md\n',
        'docs/TOC.md':
          '# Table of contents\n\n* [Start](README.md)\n\n## Guides\n\n* [Install](b.md)\n  * [On Linux](a/linux.md)\n  * Labelled\n    * [C](c.md)\n* [Site](https://a.example/)\n* [Lost](lost.md)\n* [Again](b.md)\n',
        'docs/README.md': 'Welcome',
        'docs/a/linux.md': '# Linux',
        'docs/b.md': 'x',
        'docs/c.md': 'x',
        'docs/d.md': 'x',
        'other.md': 'x',
      }),
    );
    expect(pages.map(({ path, title, type, file }) => `${path}: ${title}, ${type}, ${file}`)).toEqual([
      'readme: Start, document, README.md',
      'guides: Guides, group, null',
      'guides/b: Install, document, b.md',
      'guides/b/linux: Linux, document, a/linux.md',
      'guides/b/labelled: Labelled, document, null',
      'guides/b/labelled/c: C, document, c.md',
      'guides/site: Site, link, null',
    ]);
    expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'TOC.md: There is no page lost.md; "Lost" is skipped.',
      'TOC.md: b.md is listed more than once; only the first entry counts.',
      'd.md: The page is not in TOC.md and is skipped.',
    ]);
  });

  test('files that cannot be read are reported', () => {
    const { problems } = readFolder(
      new Map([
        ['a.md', Buffer.from([0xff, 0xfe])],
        ['b.md', Buffer.from('---\ntitle: "x\n---\n')],
        ['.docsctl.yaml', Buffer.from('structure: { summary: ../../SUMMARY.md, readme: Makefile }')],
      ]),
    );
    expect(problems.map(({ file }) => file)).toEqual(['.docsctl.yaml', '.docsctl.yaml', 'a.md', 'b.md']);
  });

  test.each(['../../etc', '.git', '.ssh/keys', 'a/node_modules'])('a root in %s is refused', (root) => {
    expect(() => readFolder(folderOf({ '.gitbook.yaml': `root: ${root}`, 'a.md': 'x' }))).toThrow(SettingsError);
  });

  test('links out of the folder and to hidden files are skipped, and are reported with their line', () => {
    const { files, problems } = readFolder(
      folderOf({
        'a.md':
          '# A\n\n[up](../secret.txt) ![env](.env)\n\n<img src="%2e%2e/x.png">\n\n{% file src="../y.pdf" %}\n`[code](../no.md)`\n[git](.git/config) ![ok](.images/p.png) ![gitbook](.gitbook/assets/x.bin)\n',
        '.env': 'KEY=1',
        '.images/p.png': 'png',
        '.gitbook/assets/x.bin': 'x',
        '.aws/credentials': 'x',
        'b.md': '[creds](.aws/credentials)',
      }),
    );
    expect(files.map(({ path }) => path)).toEqual(['.gitbook/assets/x.bin', '.images/p.png']);
    expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'a.md:3 ../secret.txt leads out of the folder and is skipped.',
      'a.md:3 .env is a hidden file and is skipped.',
      'a.md:5 %2e%2e/x.png leads out of the folder and is skipped.',
      'a.md:7 ../y.pdf leads out of the folder and is skipped.',
      'a.md:9 .git/config is a hidden file and is skipped.',
      'b.md:1 .aws/credentials is a hidden file and is skipped.',
    ]);
  });

  test('files that pages name and the folder lacks are found; missing pages are not among them', () => {
    const local = readFolder(
      folderOf({
        'a/b.md': '![p](p.png) [manual](../files/m.pdf#p2) [page](lost.md) [folder](lost) [v](v1.2) [api](c.json)',
        'a/v1.2.md': 'x',
        'a/c.json': '{}',
      }),
    );
    expect(missingFiles(local).map(({ url, path }) => `${url} ${path}`)).toEqual([
      'p.png a/p.png',
      '../files/m.pdf#p2 files/m.pdf',
    ]);
  });

  test('a file in thousands of folders is skipped, and does not end the reading', () => {
    const deep = `${'a/'.repeat(30_000)}b.md`;
    const { pages, problems } = readFolder(folderOf({ [deep]: '# Deep', 'c.md': '# C' }));
    expect(shape(pages)).toEqual(['c: C']);
    expect(problems).toEqual([{ file: deep, message: 'The file is in more than 100 folders and is skipped.' }]);
  });

  test('the patterns for titles and addresses find all that parsing finds', () => {
    const piece = fc.constantFrom(
      '# A [x]',
      'Text\n===',
      '\n\n',
      '\n',
      '<!-- c -->',
      '[a](u.md)',
      '![](<u v.png>)',
      '<img src="u">',
      '[x]: u.md\n',
      '    # code',
      '> # quoted',
      '- # item',
      '```\n',
      '---\ntitle: 1\n---\n',
      '---\n',
      '\uFEFF',
      '\r\n',
      ' ',
      '# ',
      '##',
      'a\nb',
      '\\',
      '&amp;',
      '(',
      ')',
      '\t',
      '<a\nhref="u">',
      '<img srcset="u 1x, v (1).png 2x">',
      '<source srcset=u data-cover="v w">',
      '<a href="a&amp;b">',
      '{% file src="u v.pdf" %}',
      "{% include 'u' %}",
      '{% content-ref url="../u" %}',
      '{%',
      '%}',
      '"',
      '`',
      '---\ncover: u v.png\n---\n',
      '[y]:\n',
      '![](u(1(2)).png)',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(titleOf(text)).toBe(readMarkdown(text).title);
        const addresses = addressesIn(text);
        for (const { url } of readMarkdown(text).links) expect(addresses).toContain(url);
        rewriteLinks(text, (url) => (expect(addresses).toContain(url), url));
      }),
      { numRuns: runs(100, 1_000) },
    );
  });
});

describe('links within a content', () => {
  const index = new LinkIndex(
    [
      ['Pa0000000001', 'readme'],
      ['Pa0000000002', 'guides'],
      ['Pa0000000003', 'guides/install'],
      ['Pa0000000004', 'guides/install/linux'],
      ['Pa0000000005', 'faq'],
    ].map(([id, path]) => ({ id: id!, path: path! })),
    [
      { id: 'Fi0000000001', name: 'assets/pump.png' },
      { id: 'Fi0000000002', name: 'guides/local.pdf' },
      { id: 'Fi0000000003', name: 'assets/100%25 C# (1).png' },
    ],
  );
  test.each([
    ['install.md', 'Pa0000000002', 'page Pa0000000003'],
    ['guides/install.md#x', 'Pa0000000005', 'page Pa0000000003 x'],
    ['../faq', 'Pa0000000003', 'page Pa0000000005'],
    ['../faq.md', 'Pa0000000002', 'page Pa0000000005'],
    ['../Guides/README.md', 'Pa0000000002', 'page Pa0000000002'],
    ['./', 'Pa0000000002', 'page Pa0000000002'],
    ['/', 'Pa0000000003', 'page Pa0000000001'],
    ['../README.md', 'Pa0000000002', 'page Pa0000000001'],
    ['/pages/guides/install', 'Pa0000000005', 'page Pa0000000003'],
    ['/pages/Pa0000000004#a', 'Pa0000000005', 'page Pa0000000004 a'],
    ['/pages/Pa9999999999', 'Pa0000000005', 'missing'],
    ['/pages/nothing', 'Pa0000000005', 'missing'],
    ['/files/Fi0000000001', 'Pa0000000005', 'file Fi0000000001'],
    ['/files/Fi9999999999', 'Pa0000000005', 'missing'],
    ['../assets/pump.png', 'Pa0000000002', 'file Fi0000000001'],
    ['local.pdf?x=1', 'Pa0000000002', 'file Fi0000000002'],
    ['local.pdf', 'Pa0000000005', 'missing'],
    ['assets/100%25 C# (1).png', 'Pa0000000005', 'file Fi0000000003'],
    ['assets/100%2525%20C%23%20%281%29.png', 'Pa0000000005', 'file Fi0000000003'],
    ['../../../../etc/passwd', 'Pa0000000003', 'missing'],
    ['#part', 'Pa0000000005', 'anchor part'],
    ['', 'Pa0000000005', 'page Pa0000000005'],
    ['https://a.example/x.md', 'Pa0000000005', 'external'],
    ['mailto:a@b.example', 'Pa0000000005', 'external'],
    ['/spaces/Sp0000000001/pages/Pa0000000004', 'Pa0000000005', 'reference'],
  ])('%s in %s', (url, from, expected) => {
    const target = index.resolve(url, from) as Record<string, unknown>;
    const { kind, page, file, anchor } = target;
    expect([kind, page, file, anchor].filter(Boolean).join(' ')).toBe(expected);
  });

  test('a relative address leads from a folder to a file', () => {
    expect(relativeAddress('a/b', 'a/c d(1).md')).toBe('../c%20d%281%29.md');
    expect(relativeAddress('', 'x:y.md')).toBe('./x:y.md');
    expect(relativeAddress('a', 'a')).toBe('../a');
  });
});

describe('pushing and pulling', () => {
  const docs = {
    'README.md': '# Home\r\n\r\n[guides](guides/) ![p](assets/pump.png)',
    'guides/README.md': '---\ndescription: How   # why\n---\n# Guides\n',
    'guides/install.md': '# Install\n\n[on](install/linux.md) ![p](../assets/pump.png "t")\n',
    'guides/install/linux.md': 'apt\n',
    'faq.md': '# FAQ\n',
    'assets/pump.png': 'bytes',
  };

  test('a push makes the pages, a second one sends nothing, a pull gives the bytes back', async () => {
    const service = new Service();
    await service.push(folderOf(docs));
    expect(shape(service.pages)).toEqual([
      'readme: Home',
      'faq: FAQ',
      'guides: Guides',
      'guides/install: Install',
      'guides/install/linux: Linux',
    ]);
    const linux = service.pages.find(({ title }) => title === 'Linux')!.id;
    expect(service.pages.map(({ text }) => text)).toContain(
      `# Install\n\n[on](/pages/${linux}) ![p](/assets/pump.png "t")\n`,
    );
    expect(await service.push(folderOf(docs))).toEqual([]);
    expect(textsOf(service.pull())).toEqual(docs);
    expect(await service.push(service.pull())).toEqual([]);
    expect(filesChanged(readFolder(folderOf(docs)), service.pull(folderOf(docs)))).toEqual({
      write: new Map(),
      remove: [],
    });
  });

  test('moved, renamed and edited files stay the pages they were', async () => {
    const service = new Service();
    await service.push(folderOf(docs));
    const ids = new Map(service.pages.map(({ title, id }) => [title, id]));
    const { 'faq.md': faq, 'guides/install/linux.md': linux, 'guides/install.md': install, ...rest } = docs;
    const operations = await service.push(
      folderOf({
        ...rest,
        'questions.md': faq,
        'guides/linux.md': linux,
        'setup/install.md': install.replace('[on](install/linux.md)', 'Edited'),
      }),
    );
    expect(operations.map(({ kind }) => kind).filter((kind) => kind === 'add' || kind === 'delete')).toEqual(['add']);
    expect(service.pages.filter(({ title, id }) => ids.get(title) === id)).toHaveLength(5);
    expect(shape(service.pages)).toEqual([
      'readme: Home',
      'guides: Guides',
      'guides/linux: Linux',
      'questions: FAQ',
      'setup: Setup',
      'setup/install: Install',
    ]);
  });

  test('a page that is not in the folder any more is deleted with its subpages', async () => {
    const service = new Service();
    await service.push(folderOf(docs));
    const operations = await service.push(
      folderOf({ 'README.md': '# Home\n', 'linux.md': docs['guides/install/linux.md'] }),
    );
    expect(operations.filter(({ kind }) => kind === 'delete')).toHaveLength(2);
    expect(shape(service.pages)).toEqual(['readme: Home', 'linux: Linux']);
  });

  test('a new order moves as few pages as it can', async () => {
    const files = Object.fromEntries([...'abcdef'].map((name) => [`${name}.md`, name]));
    const summary = (order: string) => [...order].map((name) => `- [${name}](${name}.md)\n`).join('');
    const service = new Service();
    await service.push(folderOf({ ...files, 'SUMMARY.md': summary('abcdef') }));
    const operations = await service.push(folderOf({ ...files, 'SUMMARY.md': summary('bcdefa') }));
    expect(operations.filter(({ kind }) => kind === 'move')).toMatchObject([{ path: 'a', index: 5 }]);
    expect(service.pages.map(({ title }) => title).join('')).toBe('bcdefa');
  });

  test('metadata is pushed and pulled', async () => {
    const service = new Service();
    await service.push(folderOf({ 'a.md': '---\nicon: bolt\n# mine\nhidden: true\n---\n# A\n', 'b.md': 'B\n' }));
    Object.assign(service.pages[0]!, { title: 'Renamed', hidden: false, description: 'New' });
    const pulled = service.pull(service.pull());
    expect(textsOf(pulled)).toEqual({
      'a.md': '---\nicon: bolt\ntitle: Renamed\ndescription: New\n---\n# A\n'.replace('icon: bolt\n', 'icon: bolt\n'),
      'b.md': 'B\n',
    });
    expect(await service.push(pulled)).toEqual([]);
    expect(await service.push(folderOf({ 'a.md': '# A\n', 'b.md': 'B\n' }))).toMatchObject([
      { kind: 'change', fields: { title: 'A', icon: '', description: '' }, text: '# A\n' },
    ]);
  });

  test('a changed picture gets a new address, and its own name back', async () => {
    const service = new Service();
    await service.push(folderOf(docs));
    const changed = { ...docs, 'assets/pump.png': 'other bytes' };
    const operations = await service.push(folderOf(changed));
    expect(operations.map(({ kind }) => kind)).toEqual(['upload', 'change', 'change']);
    expect(service.files.filter(({ name }) => !isLayout(name)).map(({ name }) => name)).toEqual([
      'assets/pump.png',
      expect.stringMatching(/^assets\/pump-[0-9a-f]{8}\.png$/),
    ]);
    expect(await service.push(folderOf(changed))).toEqual([]);
    expect(textsOf(service.pull())).toEqual(changed);
  });

  test('pages of the app are pulled as files that link to each other, and pushed back unchanged', async () => {
    const service = new Service();
    const page = (id: string, more: Partial<RemotePage>): RemotePage => ({
      id,
      type: 'document',
      parent: null,
      title: id,
      slug: id.toLowerCase(),
      path: id.toLowerCase(),
      text: '',
      ...more,
    });
    service.pages = [
      page('Pa0000000001', {
        title: 'Zebra',
        slug: 'zebra',
        path: 'zebra',
        text: '# Zebra\n\n[a](/pages/Pa0000000003#x) ![f](/files/Fi0000000001)\n',
        emoji: '🦓',
      }),
      page('Pa0000000002', { title: 'Ape', slug: 'ape', path: 'ape', text: null, type: 'group' }),
      page('Pa0000000003', {
        title: 'Ape food',
        parent: 'Pa0000000002',
        slug: 'food',
        path: 'ape/food',
        text: 'Bananas [z](/pages/zebra)',
      }),
      page('Pa0000000004', {
        title: 'Shop',
        parent: 'Pa0000000002',
        slug: undefined,
        path: undefined,
        text: null,
        type: 'link',
        href: 'https://shop.example/',
      }),
      page('Pa0000000005', { title: 'Spec', text: null, type: 'computed', slug: undefined, path: undefined }),
    ];
    service.files = [{ id: 'Fi0000000001', name: 'pump.png', bytes: Buffer.from('png') }];
    const pulled = service.pull();
    expect(textsOf(pulled)).toEqual({
      'zebra.md': '---\nemoji: 🦓\n---\n\n# Zebra\n\n[a](ape/food.md#x) ![f](assets/pump.png)\n',
      'ape/food.md': 'Bananas [z](../zebra.md)',
      'assets/pump.png': 'png',
      'SUMMARY.md':
        '# Table of contents\n\n- [Zebra](zebra.md)\n\n## Ape\n\n- [Ape food](ape/food.md)\n- [Shop](https://shop.example/)\n',
    });
    const operations = await service.push(pulled);
    expect(operations.filter(({ kind }) => kind !== 'upload')).toEqual([]);
    expect(await service.push(pulled)).toEqual([]);
  });

  test.each(['constructor', '__proto__', 'toString', '2024'])('a page and a file may be called %s', async (word) => {
    const files = {
      [`${word}.md`]: `# ${word}\n\n[b](sub/b.md) ![p](${word}.png)\n`,
      'sub/b.md': `[a](../${word}.md)`,
      [`${word}.png`]: 'png',
      '9.md': '[a](sub/b.md)',
    };
    const service = new Service();
    await service.push(folderOf(files));
    expect(await service.push(folderOf(files))).toEqual([]);
    expect(textsOf(service.pull())).toEqual(files);
  });

  test.each(['null', '[]', '{"pages":{"a":1},"links":{"a":[["x"]],"constructor":7},"summary":[]}', '{"links":'])(
    'somebody else\u2019s bytes are no layout: %s',
    (json) => {
      expect(readLayout(Buffer.from(json))).toEqual({
        serial: 0,
        pages: new Map(),
        files: new Map(),
        old: new Map(),
        links: new Map(),
      });
    },
  );

  test('names from the service never lead out of the folder', () => {
    const service = new Service();
    service.pages = [
      { id: 'Pa0000000001', type: 'document', parent: null, title: 'A', slug: 'a', path: 'a', text: 'a' },
    ];
    service.files = [
      { id: 'Fi0000000001', name: '../../evil', bytes: Buffer.from('x') },
      { id: 'Fi0000000002', name: '/etc/passwd', bytes: Buffer.from('x') },
      { id: 'Fi0000000003', name: 'a/.git/config', bytes: Buffer.from('x') },
      {
        id: 'Fi0000000004',
        name: '.docsctl/layout-3.json',
        bytes: Buffer.from('{"serial":3,"pages":{"a":"../a.md"},"files":{},"summary":{"path":"../S.md","text":"x"}}'),
      },
    ];
    expect([...service.pull().keys()]).toEqual([
      'a.md',
      'assets/Fi0000000001',
      'assets/Fi0000000002',
      'assets/Fi0000000003',
    ]);
  });

  const name = fc.constantFrom('a', 'b', 'Guide', 'a b', 'ü', 'README', 'index', 'v1.2', 'FAQ', 'a-b', 'c');
  const path = fc.tuple(fc.array(name, { maxLength: 2 }), name).map(([folders, file]) => [...folders, file].join('/'));
  const odd = fc
    .array(
      fc.constantFrom(
        '# A heading',
        '\r\n',
        '\n',
        '\n\n',
        '---\ntitle: T\n---\n',
        '---\nhidden: true\nx: {a: 1}\n---\n',
        '---\nbad: "\n---\n',
        '\t',
        '  ',
        '<div>\n<b>x</b>',
        '[a](a.md)',
        '[b](../b/a%20b.md#x)',
        '![p](/assets/p.png)',
        '![p](assets/p.png)',
        '[x](./c.md "t")',
        '[r][r]\n\n[r]: <a b.md>\n',
        '<a href="../FAQ.md">',
        '\uFEFF',
        '\0',
        '🙂',
        '| a |\n|---|\n| b |',
        '{% hint %}',
        '***',
        'text',
        '\\',
        '&amp;',
        '[dir](b/)',
        '[p](/pages/a)',
        '[q](/pages/guide/b)',
        '[s](/b/FAQ)',
        '[up](../)',
        '[self](#x)',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''));
  const folder = fc
    .tuple(fc.dictionary(path, odd, { maxKeys: 7 }), fc.constantFrom('none', 'flat', 'nested'), fc.nat(1000))
    .map(([files, kind, seed]) => {
      const all: Record<string, string> = { 'assets/p.png': 'png' };
      const lower = new Set<string>();
      for (const [file, text] of Object.entries(files)) {
        if (lower.has(file.toLowerCase())) continue;
        lower.add(file.toLowerCase());
        all[`${file}.md`] = text;
      }
      const pages = Object.keys(all)
        .filter((file) => file.endsWith('.md'))
        .toSorted((a, b) => ((a.length * seed) % 7) - ((b.length * seed) % 7));
      if (kind !== 'none') {
        all['SUMMARY.md'] =
          `# Contents\r\n\r\n${pages.map((file, index) => `${kind === 'nested' ? '  '.repeat(index % 3) : ''}*   [${index % 2 ? `Title ${index}` : file}](<${file}>)\n`).join('')}`;
      }
      return all;
    });
  const needed = (files: Record<string, string>) => {
    const { pages, files: assets, summary } = readFolder(folderOf(files));
    const kept = new Set([
      ...pages.map(({ file }) => file),
      ...assets.map((asset) => asset.path),
      summary === null ? '' : 'SUMMARY.md',
    ]);
    return Object.fromEntries(Object.entries(files).filter(([file]) => kept.has(file)));
  };

  test('for any Markdown, a pull after a push gives the same bytes, and a second push sends nothing', async () => {
    await fc.assert(
      fc.asyncProperty(folder, async (files) => {
        const service = new Service();
        await service.push(folderOf(files));
        expect(await service.push(folderOf(files))).toEqual([]);
        expect(textsOf(service.pull())).toEqual(needed(files));
        expect(textsOf(service.pull(folderOf(files)))).toEqual(needed(files));
      }),
      { numRuns: runs(20, 200) },
    );
  });

  test('any folder is turned into any other by one push', async () => {
    await fc.assert(
      fc.asyncProperty(folder, folder, async (before, after) => {
        const service = new Service();
        await service.push(folderOf(before));
        await service.push(folderOf(after));
        const { pages } = readFolder(folderOf(after));
        expect(shape(service.pages)).toEqual(shape(pages));
        expect(await service.push(folderOf(after))).toEqual([]);
        expect(textsOf(service.pull())).toMatchObject(needed(after));
      }),
      { numRuns: runs(20, 200) },
    );
  });
});

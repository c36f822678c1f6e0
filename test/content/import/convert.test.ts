import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { unzip } from '../../../src/content/import/archive.ts';
import { convertFolder } from '../../../src/content/import/convert/convert.ts';
import { readDocx } from '../../../src/content/import/docx.ts';
import { readLocal } from '../../../src/content/import/local.ts';
import { writeFiles } from '../../support/write-files.ts';

async function convert(files: Record<string, string | Uint8Array>) {
  const bytes = new Map(Object.entries(files).map(([file, text]) => [file, Buffer.from(text)]));
  const { files: converted, skipped } = await convertFolder(bytes);
  return {
    texts: Object.fromEntries([...converted].map(([file, text]) => [file, Buffer.from(text).toString()])),
    skipped,
  };
}

const [one, two, three] = ['a', 'b', 'c'].map((digit) => digit.repeat(32));

test('an export of Notion has no IDs in names and links; callouts are hints and databases tables', async () => {
  const { texts } = await convert({
    [`Home ${one}.md`]:
      `# Home\n\n<aside>\nTake care.\n</aside>\n\n\`\`\`\n<aside>\n\`\`\`\n\n` +
      `[Sub](Home%20${one}/Sub%20${two}.md) [Tasks](Home%20${one}/Tasks%20${three}.csv)\n`,
    [`Home ${one}/Sub ${two}.md`]: '# Sub',
    [`Home ${one}/Tasks ${three}.csv`]: 'Name\nBuy\n',
    [`Home ${one}/Tasks ${three}_all.csv`]: 'Name,State\nBuy,"Op|en"\n',
    [`Home ${one}/Tasks ${three}/Buy ${two}.md`]: '# Buy',
    [`Home ${one}/Tasks ${three}/Buy ${one}.md`]: '# Buy again',
  });

  expect(Object.keys(texts)).toEqual([
    'Home.md',
    'Home/Sub.md',
    'Home/Tasks.md',
    'Home/Tasks/Buy.md',
    'Home/Tasks/Buy-2.md',
  ]);
  expect(texts['Home.md']).toContain('{% hint style="info" %}\nTake care.\n{% endhint %}');
  expect(texts['Home.md']).toContain('```\n<aside>\n```');
  expect(texts['Home.md']).toContain('[Sub](Home/Sub.md) [Tasks](Home/Tasks.md)');
  expect(texts['Home/Tasks.md']).toContain('| [Buy](<Tasks/Buy.md>) | Op\\|en |');
});

test('the wiki of a repository has its links, its sidebar as the table of contents, and names what it lacks', async () => {
  const { texts, skipped } = await convert({
    'Home.md': 'See [[Set up|Setting-up]], [[FAQ]] and [[pump.png]].',
    'Setting-up.md': '[home](Home)',
    'FAQ.md': 'x',
    '_Sidebar.md': '* [Set up](https://github.com/lumen/pumps/wiki/Setting-up)\n',
    '_Footer.md': 'foot',
    'Old.rst': 'x',
  });

  expect(texts['README.md']).toBe('# Home\n\nSee [Set up](<Setting-up.md>), [FAQ](<FAQ.md>) and ![](<pump.png>).');
  expect(texts['Setting-up.md']).toContain('[home](README.md)');
  expect(texts['SUMMARY.md']).toMatch(/\[Home\].*\n.*\[Set up\]\(Setting-up\.md\)[^]*\[FAQ\]/);
  expect(skipped.map(({ file }) => file)).toEqual(['_Footer.md', 'Old.rst']);
});

const confluencePage = (title: string, content: string) =>
  `<html><head><title>Docs : ${title}</title></head><body><div id="main-header"><div id="breadcrumb-section">
   <ol id="breadcrumbs"><li><a href="index.html">Docs</a></li></ol></div><h1 id="title-heading"><span>Docs : ${title}</span></h1></div>
   <div class="page-metadata">Created by Ada</div><div id="main-content" class="wiki-content">${content}</div></body></html>`;

test('an export of Confluence has the order of its index, its code and its panels', async () => {
  const { texts } = await convert({
    'DOC/index.html':
      '<html><body><h2>Available Pages:</h2><ul><li><a href="Docs_1.html">Docs</a><ul><li><a href="2.html">Set up</a></li></ul></li></ul></body></html>',
    'DOC/Docs_1.html': confluencePage(
      'Welcome',
      `<p><a href="2.html#b">set up</a></p><pre data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre>
       <div class="confluence-information-macro confluence-information-macro-note"><div class="confluence-information-macro-body"><p>Mind it.</p></div></div>`,
    ),
    'DOC/2.html': confluencePage('Set up', '<h2 id="b">Part B</h2><p>x</p>'),
  });

  expect(texts['SUMMARY.md']).toContain('* [Docs](<Docs_1.md>)\n  * [Set up](<2.md>)');
  expect(texts['Docs_1.md']).toMatch(/^# Welcome\n\n\[set up\]\(2\.md#part-b\)\n\n```java\nint a;\n```/);
  expect(texts['Docs_1.md']).toContain('{% hint style="warning" %}\n\nMind it.\n\n{% endhint %}');
  expect(texts['Docs_1.md']).not.toContain('Created by');
});

test('a document of Google Docs has its formats, its pictures, and links without redirects', async () => {
  const { texts } = await convert({
    'Plan.html':
      '<html><head><style>@import url(https://themes.googleusercontent.com/fonts/css);.c1{font-weight:700}.c2{font-family:"Courier New"}</style></head>' +
      '<body class="doc-content"><p class="title"><span>Plan</span></p><p><span class="c1">Bold</span> <span class="c2">run()</span> ' +
      '<a href="https://www.google.com/url?q=https://lumen.example/a&amp;sa=D">link</a></p><p><img src="images/image1.png"></p></body></html>',
    'images/image1.png': 'x',
  });

  expect(texts['Plan.md']).toBe(
    '# Plan\n\n**Bold** `run()` [link](https://lumen.example/a)\n\n![](images/image1.png)\n',
  );
});

const word = (body: string, styles: Record<string, string>) =>
  zipSync({
    '_rels/.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/_rels/document.xml.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    ),
    'word/styles.xml': strToU8(
      `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${Object.entries(styles)
        .map(
          ([id, name]) =>
            `<w:style w:type="${id === 'V' ? 'character' : 'paragraph'}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`,
        )
        .join('')}</w:styles>`,
    ),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`,
    ),
  });
const paragraph = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const mathText = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;

test('a Word document keeps its code, quotes, captions and formulas', async () => {
  const fraction = `<m:oMath><m:f><m:num>${mathText('α')}</m:num><m:den><m:sSup><m:e>${mathText('b')}</m:e><m:sup>${mathText('2')}</m:sup></m:sSup></m:den></m:f></m:oMath>`;
  const sum = `<m:oMathPara><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mathText('i')}</m:sub><m:sup>${mathText('n')}</m:sup><m:e><m:rad><m:deg/><m:e>${mathText('x')}</m:e></m:rad></m:e></m:nary></m:oMath></m:oMathPara>`;
  const bytes = word(
    [
      paragraph('T', 'Guide'),
      paragraph('C', 'npm install'),
      paragraph('C', 'npm test'),
      paragraph('Q', 'Be kind.'),
      `<w:p><w:r><w:t xml:space="preserve">With </w:t></w:r><w:r><w:rPr><w:rStyle w:val="V"/></w:rPr><w:t>ls</w:t></w:r>${fraction}</w:p>`,
      `<w:p>${sum}</w:p>`,
      paragraph('P', 'Figure 1'),
    ].join(''),
    { T: 'Title', C: 'Source Code', Q: 'Quote', P: 'caption', V: 'Verbatim Char' },
  );
  const { pages } = await readDocx({ bytes, title: 'x' });

  expect(pages[0]?.markdown).toBe(
    '# Guide\n\n```\nnpm install\nnpm test\n```\n\n> Be kind.\n\nWith `ls`$$\\frac{\\alpha }{{b}^{2}}$$\n\n' +
      '$$\\sum_{i}^{n}{\\sqrt{x}}$$\n\n_Figure 1_\n',
  );
});

test('of a folder, only pages and what they show are sent, and links are not followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFiles(folder, {
    'a.md': '# A\n\n![](pump.png)\n',
    'pump.png': 'x',
    'other.png': 'x',
    '.env': 'SECRET=1',
    '.git/config': 'x',
    'b.html': '<h1>B</h1><p>x</p>',
    'broken.docx': 'x',
  });
  await symlink('/etc/passwd', join(folder, 'passwd.md'));
  const { archive, pages, skipped } = await readLocal(folder);

  expect([...(await unzip(archive)).keys()].toSorted()).toEqual(['a.md', 'b.md', 'pump.png']);
  expect(pages).toBe(2);
  expect(skipped.map(({ file }) => file)).toEqual(['passwd.md', 'broken.docx']);
});

test('archives with paths that lead out of them, and folders without pages, are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFiles(folder, {
    'out.zip': zipSync({ '../a.md': strToU8('# A') }),
    'text.zip': 'no archive',
    'inner.zip': zipSync({ 'Export-1.zip': zipSync({ '../a.md': strToU8('# A') }) }),
    'empty/x.txt': 'x',
  });
  await expect(readLocal(join(folder, 'out.zip'))).rejects.toThrow('a path that leads out of it');
  await expect(readLocal(join(folder, 'text.zip'))).rejects.toThrow('cannot be read as a zip archive');
  await expect(readLocal(join(folder, 'inner.zip'))).rejects.toThrow(/no pages\. Export-1\.zip: .*leads out of it/);
  await expect(readLocal(join(folder, 'empty'))).rejects.toThrow('contains no pages');
});

test('a file that cannot be read is named, and the others are imported', async () => {
  const { texts, skipped } = await convert({
    [`Bad ${one}.csv`]: 'Name\n"Buy" x"\n',
    [`Home ${two}.md`]: '# Home',
    'broken.docx': word('<m:oMath><w:p', {}),
  });

  expect(Object.keys(texts)).toEqual(['Home.md']);
  expect(skipped.map(({ file }) => file)).toEqual(['broken.docx', `Bad ${one}.csv`]);
});

test('documents that pages link to stay files; those that a page only names become pages', async () => {
  const { texts } = await convert({
    'a.md': '# A\n\nSee b.html, `c.html` and [the form](forms/d.html).',
    'b.html': '<h1>B</h1><p>x</p>',
    'c.html': '<h1>C</h1><p>x</p>',
    'forms/d.html': '<h1>D</h1><p>x</p>',
  });

  expect(Object.keys(texts).toSorted()).toEqual(['a.md', 'b.md', 'c.md', 'forms/d.html']);
});

test('a first page about Confluence is a page, and names of files may have any signs', async () => {
  const about = await convert({ 'index.html': '<h1>Tools</h1><p>We left Confluence.</p>', 'a.html': '<h1>A</h1>' });
  const odd = await convert({
    'index.html': '<h2 class="pageSectionTitle">Verfügbare Seiten:</h2><ul><li><a href="a%3F%23.html">A</a></li></ul>',
    'a?#.html': confluencePage('A', '<p>x</p>'),
    'b?#.html': confluencePage('B', '<p>x</p>'),
  });

  expect(about.texts['index.md']).toContain('We left Confluence.');
  expect(odd.texts['SUMMARY.md']).toContain('* [A](<a%3F%23.md>)');
  expect(odd.texts['SUMMARY.md']).toContain('(<b%3F%23.md>)');
});

test('an export of Notion as HTML keeps its links and pictures, and a database is one page', async () => {
  const { texts } = await convert({
    [`Home ${one}.html`]:
      `<h1 class="page-title">Home</h1><p><a href="Home%20${one}/Sub%20${two}.html">Sub</a> ` +
      `<a href="Home%20${one}/Tasks%20${three}.html">Tasks</a></p><p><img src="Home%20${one}/pump.png"></p>`,
    [`Home ${one}/Sub ${two}.html`]: '<h1>Sub</h1><p>x</p>',
    [`Home ${one}/Tasks ${three}.html`]: '<h1>Tasks</h1><p>x</p>',
    [`Home ${one}/Tasks ${three}.csv`]: 'Name\nBuy\n',
    [`Home ${one}/pump.png`]: 'x',
  });

  expect(Object.keys(texts).toSorted()).toEqual(['Home.md', 'Home/Sub.md', 'Home/Tasks.md', 'Home/pump.png']);
  expect(texts['Home.md']).toContain('[Sub](Home/Sub.md) [Tasks](Home/Tasks.md)');
  expect(texts['Home.md']).toContain('![](Home/pump.png)');
});

test('rows of a database that are longer than its first line keep their cells, and no folder becomes ".."', async () => {
  const { texts } = await convert({
    [`Tasks ${one}.csv`]: 'Name\nBuy,today\n',
    [`.. ${two}/Sub ${three}.md`]: '# Sub',
  });

  expect(texts['Tasks.md']).toContain('| Name |  |\n| --- | --- |\n| Buy | today |');
  expect(Object.keys(texts)).toContain(`.. ${two}/Sub.md`);
});

test('links of wikis in code stay as they are', async () => {
  const { texts } = await convert({
    'Home.md': '[[FAQ]] `[[FAQ]]`\n\n```sh\n[[FAQ]]\n```\n\n[[FAQ]]\n',
    'FAQ.md': 'x',
  });

  expect(texts['README.md']).toBe('# Home\n\n[FAQ](<FAQ.md>) `[[FAQ]]`\n\n```sh\n[[FAQ]]\n```\n\n[FAQ](<FAQ.md>)\n');
});

const picture = (name: string, bytes: Uint8Array) => {
  const parts = unzipSync(word(`<w:p><w:r><w:t>x</w:t></w:r>${drawing}</w:p>`, {}));
  const relations = strFromU8(parts['word/_rels/document.xml.rels']!).replace(
    '</Relationships>',
    `<Relationship Id="i" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${name}"/></Relationships>`,
  );
  return zipSync({ ...parts, 'word/_rels/document.xml.rels': strToU8(relations), [`word/${name}`]: bytes });
};
const drawing =
  '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="i" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';

test('pictures of Word documents replace no files, and all documents together have the limit of an archive', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const { texts } = await convert({ 'a.docx': picture('p.png', png), 'a-files/image.png': 'mine' });
  expect(texts['a-files/image.png']).toBe('mine');
  expect(texts['a.md']).toContain('](a-files-2/image.png)');

  const large = picture('p.png', new Uint8Array(120_000_000));
  const { texts: some, skipped } = await convert({ 'a.docx': large, 'b.docx': large });
  expect(Object.keys(some)).toContain('a.md');
  expect(skipped.map(({ file }) => file)).toEqual(['b.docx']);
});

test('symbolic links in archives are named, and are no pages', async () => {
  const skipped: { file: string; reason: string }[] = [];
  const bytes = zipSync({
    'a.md': strToU8('# A'),
    'b.md': [strToU8('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }],
  });

  expect([...(await unzip(bytes, { skipped })).keys()]).toEqual(['a.md']);
  expect(skipped.map(({ file }) => file)).toEqual(['b.md']);
});

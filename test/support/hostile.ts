import { zipSync } from 'fflate';

const upTo = (size: number, line: (index: number) => string) => {
  let text = '';
  for (let index = 0; text.length < size; index += 1) text += line(index);
  return text.slice(0, size);
};

/** Markdown that takes parsers much more time or memory than other texts of its length. */
export const hostileMarkdown: Record<string, (size: number) => string> = {
  'nested lists': (size) => upTo(size, (index) => `${' '.repeat(2 * (index % 1_000))}- a\n`),
  'lists in quotes in lists': (size) => upTo(size, () => '- > '),
  'lazy lines of a quote': (size) => `> a\n${upTo(size, () => 'b\n')}`,
  footnotes: (size) => upTo(size, (index) => `a[^${index}]\n\n[^${index}]: x\n\n`),
  'rows of a table': (size) => `|a|b|\n|-|-|\n${upTo(size, () => '|a|b|\n')}`,
  'keys of front matter': (size) => `---\n${upTo(size, (index) => `k${index}: 1\n`)}\n---\n`,
  'front matter without an end': (size) => `---\n${upTo(size, () => 'a\r\n')}`,
  'blanks in a comment': (size) => `<!--${' '.repeat(size)}`,
  'comments without an end': (size) => upTo(size, () => 'a <!-- '),
  paragraphs: (size) => upTo(size, () => 'a\n\n'),
  brackets: (size) => '['.repeat(size),
  emphasis: (size) => upTo(size, () => '*a **b '),
};

const part = (text: string) => Buffer.from(`<?xml version="1.0"?>${text}`);
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** The parts of a Word document with this body. */
export const docxParts = (body: string) => ({
  '[Content_Types].xml': part(
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  ),
  '_rels/.rels': part(
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
  'word/document.xml': part(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  ),
});

export const docx = (body: string): Uint8Array => zipSync(docxParts(body), { level: 9 });

export const wordParagraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

export const dataUrl = (type: string, content: string | Uint8Array) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;

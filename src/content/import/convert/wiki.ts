import { decodeAddress } from '../../../shared/decode.ts';
import type { Folder } from '../../folder/folder.ts';
import { isMarkdown } from '../../folder/file-names.ts';
import { nameTitle } from '../../folder/page-tree.ts';
import { relativeAddress } from '../../markdown/links.ts';
import { rewriteLinks } from '../../markdown/markdown.ts';
import { descend, endOf, startOf } from '../../markdown/nodes.ts';
import { parse } from '../../markdown/parse.ts';
import type { Skipped } from './skipped.ts';
import { withUnlisted } from './unlisted.ts';

/** The wiki of a repository on GitHub: all pages are in one folder. */
export const isWiki = (files: Folder): boolean =>
  files.has('Home.md') && !files.has('README.md') && !files.has('SUMMARY.md');

/** Formats of wikis that are not Markdown. */
const otherFormats = /\.(?:asciidoc|adoc|creole|mediawiki|wiki|org|pod|rdoc|rest|rst|textile)$/i;

/** A wiki with `[[links]]` as links and its sidebar as the table of contents. */
export function fromWiki(files: Folder, skipped: Skipped[]): Map<string, Uint8Array> {
  const pages = new Map<string, string>();
  for (const file of files.keys()) if (isMarkdown(file)) pages.set(keyOf(file.replace(/\.\w+$/, '')), file);
  const converted = new Map<string, Uint8Array>();
  for (const [file, bytes] of files) {
    if (/^_(?:Header|Footer)\.md$/i.test(file)) {
      skipped.push({ file, reason: 'the wiki shows it on every page' });
    } else if (otherFormats.test(file)) skipped.push({ file, reason: 'it is not Markdown' });
    else if (!isMarkdown(file)) converted.set(file, bytes);
    else {
      const text = withPlainLinks(Buffer.from(bytes).toString(), pages);
      // Wikis show the name of the file as the title.
      const title = file === '_Sidebar.md' ? 'Table of contents' : nameTitle(file);
      converted.set(newName(file), Buffer.from(/^\s*# /.test(text) ? text : `# ${title}\n\n${text}`));
    }
  }
  const sidebar = converted.get('SUMMARY.md');
  if (sidebar) converted.set('SUMMARY.md', Buffer.from(withUnlisted(Buffer.from(sidebar).toString(), converted)));
  return converted;
}

const newName = (file: string): string =>
  file === 'Home.md' ? 'README.md' : file === '_Sidebar.md' ? 'SUMMARY.md' : file;

const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[\s/-]+/g, '-');

function withPlainLinks(markdown: string, pages: ReadonlyMap<string, string>): string {
  const fileOf = (name: string): string | undefined => {
    const file = pages.get(keyOf(name));
    return file && newName(file);
  };
  const codes = [...descend(parse(markdown))].filter(({ type }) => type === 'code' || type === 'inlineCode');
  let next = 0;
  const isCode = (offset: number): boolean => {
    let code = codes[next];
    while (code && endOf(code) <= offset) code = codes[(next += 1)];
    return code !== undefined && startOf(code) <= offset;
  };
  const plain = markdown.replaceAll(
    /\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n|]{1,300}))?\]\]/g,
    (whole, first: string, second: string | undefined, offset: number) => {
      if (isCode(offset)) return whole;
      const [page = '', anchor] = (second ?? first).trim().split('#', 2);
      const file = fileOf(page);
      // Pictures are written in the same way.
      if (file === undefined) return /\.(?:png|jpe?g|gif|svg|webp)$/i.test(first) ? `![](<${first.trim()}>)` : whole;
      return `[${first.trim()}](<${relativeAddress('', file)}${anchor === undefined ? '' : `#${anchor}`}>)`;
    },
  );
  return rewriteLinks(plain, (url) => {
    const [, path = ''] = /^(?:https:\/\/github\.com\/[^/]+\/[^/]+\/wiki\/|\.?\/?)?([^:?]*)$/i.exec(url) ?? [];
    const [page = '', anchor] = path.split('#', 2);
    const file = page === '' ? undefined : fileOf(decodeAddress(page));
    return file === undefined ? url : `${relativeAddress('', file)}${anchor === undefined ? '' : `#${anchor}`}`;
  });
}

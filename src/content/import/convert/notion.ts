import { CsvError, parse } from 'csv-parse/sync';
import type { Folder } from '../../folder/folder.ts';
import { isMarkdown } from '../../folder/file-names.ts';
import { parentPath, relativeAddress } from '../../markdown/links.ts';
import { rewriteLinks } from '../../markdown/markdown.ts';
import { firstFree } from '../../markdown/slug.ts';
import { pathIn } from './paths.ts';
import type { Skipped } from './skipped.ts';

/** Notion ends the names of pages with an ID of 32 digits. */
const suffix = / [0-9a-f]{32}(?=(?:_all)?(?:\.\w+)?$)/;

const withoutSuffix = (name: string): string => {
  const short = name.replace(suffix, '');
  return /^\.{0,2}$/.test(short) ? name : short;
};

export const isNotion = (files: Folder): boolean =>
  [...files.keys()].some((file) => /\.(?:md|html|csv)$/i.test(file) && suffix.test(file));

/** An export of Notion without IDs in names and links, with callouts as hints and databases as tables. */
export function fromNotion(files: Folder, skipped: Skipped[]): Map<string, Uint8Array> {
  const names = newNames([...files.keys()].filter((file) => !isCopy(file, files)));
  const pages = new Set(names.values());
  const converted = new Map<string, Uint8Array>();
  for (const [file, bytes] of files) {
    const name = names.get(file);
    if (name === undefined) continue;
    if (isMarkdown(file)) {
      const text = withHints(Buffer.from(bytes).toString());
      converted.set(name, Buffer.from(withLinks(text, file, names)));
    } else if (/\.csv$/i.test(file)) {
      try {
        converted.set(name, Buffer.from(databasePage(Buffer.from(bytes).toString(), name, pages)));
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        skipped.push({ file, reason: `it is not a valid table: ${error.message}` });
      }
    } else converted.set(name, bytes);
  }
  return converted;
}

/** A database has two files: the one with all columns counts. In exports as HTML, it has a page, too. */
function isCopy(file: string, files: Folder): boolean {
  if (!/\.csv$/i.test(file)) return false;
  return files.has(file.replace(/\.csv$/i, '_all.csv')) || files.has(file.replace(/(?:_all)?\.csv$/i, '.md'));
}

function newNames(files: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const folders = new Map<string, string>([['', '']]);
  const folderOf = (folder: string): string => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const name = withoutSuffix(folder.slice(folder.lastIndexOf('/') + 1));
    const renamed = join(folderOf(parentPath(folder)), name);
    folders.set(folder, renamed);
    return renamed;
  };
  return new Map(
    files.map((file) => {
      const name = withoutSuffix(file.slice(file.lastIndexOf('/') + 1)).replace(/(?:_all)?\.csv$/i, '.md');
      const dot = name.lastIndexOf('.');
      const path = join(folderOf(parentPath(file)), name);
      const stem = dot > 0 ? path.slice(0, dot - name.length) : path;
      const end = dot > 0 ? name.slice(dot) : '';
      const unique = firstFree(taken, path, (count) => (count === 1 ? path : `${stem}-${count}${end}`));
      taken.add(unique);
      return [file, unique];
    }),
  );
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

function withLinks(text: string, file: string, names: ReadonlyMap<string, string>): string {
  const folder = parentPath(file);
  const own = parentPath(names.get(file) ?? file);
  return rewriteLinks(text, (url) => {
    const path = pathIn(folder, url);
    const target = path === undefined ? undefined : (names.get(path) ?? names.get(path.replace(/\.csv$/i, '_all.csv')));
    return target === undefined ? url : relativeAddress(own, target);
  });
}

/** Callouts are `<aside>` in an export. */
function withHints(text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
      if (isCode) return line;
      if (line.trim() === '<aside>') return '{% hint style="info" %}';
      return line.trim() === '</aside>' ? '{% endhint %}' : line;
    })
    .join('\n');
}

/** A database as a table. The pages of its rows are in the folder of the same name. */
function databasePage(csv: string, name: string, names: ReadonlySet<string>): string {
  const [head = [], ...rows]: string[][] = parse(csv, { bom: true, relaxColumnCount: true, skipEmptyLines: true });
  const stem = name.replace(/\.md$/, '');
  const title = stem.slice(stem.lastIndexOf('/') + 1);
  const width = [head, ...rows].reduce((most, { length }) => Math.max(most, length), 0);
  const columns = Array.from({ length: width }, (_, index) => head[index] ?? '');
  const cells = rows.map((row) =>
    columns.map((_, index) => {
      const value = row[index] ?? '';
      const page = `${stem}/${value}.md`;
      const text = cell(value);
      return index === 0 && names.has(page) ? `[${text}](<${relativeAddress(parentPath(name), page)}>)` : text;
    }),
  );
  const lines = [columns.map(cell), columns.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
  return `# ${title}\n\n${width === 0 ? '' : `${lines.join('\n')}\n`}`;
}

const cell = (value: string): string =>
  value
    .trim()
    .replaceAll(/[\\`*_[\]<>|{}]/g, String.raw`\$&`)
    .split('\n')
    .map((line) => line.trim())
    .join('<br>');

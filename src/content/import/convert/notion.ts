import { parse } from 'csv-parse/sync';
import type { Folder } from '../../folder/folder.ts';
import { isMarkdown } from '../../folder/file-names.ts';
import { parentPath, relativeAddress } from '../../markdown/links.ts';
import { rewriteLinks } from '../../markdown/markdown.ts';
import { firstFree } from '../../markdown/slug.ts';
import { pathIn } from './paths.ts';

/** Notion ends the names of pages with an ID of 32 digits. */
const suffix = / [0-9a-f]{32}(?=(?:_all)?(?:\.\w+)?$)/;

export const isNotion = (files: Folder): boolean =>
  [...files.keys()].some((file) => /\.(?:md|html|csv)$/i.test(file) && suffix.test(file));

/** An export of Notion without IDs in names and links, with callouts as hints and databases as tables. */
export function fromNotion(files: Folder): Map<string, Uint8Array> {
  const names = newNames([...files.keys()].filter((file) => !isCopy(file, files)));
  const converted = new Map<string, Uint8Array>();
  for (const [file, bytes] of files) {
    const name = names.get(file);
    if (name === undefined) continue;
    if (isMarkdown(file)) {
      const text = withHints(Buffer.from(bytes).toString());
      converted.set(name, Buffer.from(withLinks(text, file, names)));
    } else if (/\.csv$/i.test(file)) {
      converted.set(name, Buffer.from(databasePage(Buffer.from(bytes).toString(), name, new Set(names.values()))));
    } else converted.set(name, bytes);
  }
  return converted;
}

/** A database has two files: the one with all columns counts. */
function isCopy(file: string, files: Folder): boolean {
  return /\.csv$/i.test(file) && files.has(file.replace(/\.csv$/i, '_all.csv'));
}

function newNames(files: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const folders = new Map<string, string>([['', '']]);
  const folderOf = (folder: string): string => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const name = folder.slice(folder.lastIndexOf('/') + 1).replace(suffix, '');
    const renamed = join(folderOf(parentPath(folder)), name);
    folders.set(folder, renamed);
    return renamed;
  };
  return new Map(
    files.map((file) => {
      const name = file
        .slice(file.lastIndexOf('/') + 1)
        .replace(suffix, '')
        .replace(/(?:_all)?\.csv$/i, '.md');
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
  const cells = rows.map((row) =>
    head.map((_, index) => {
      const value = row[index] ?? '';
      const page = `${stem}/${value}.md`;
      const text = cell(value);
      return index === 0 && names.has(page) ? `[${text}](<${relativeAddress(parentPath(name), page)}>)` : text;
    }),
  );
  const lines = [head.map(cell), head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
  return `# ${title}\n\n${head.length === 0 ? '' : `${lines.join('\n')}\n`}`;
}

const cell = (value: string): string =>
  value
    .trim()
    .replaceAll(/[\\`*_[\]<>|{}]/g, String.raw`\$&`)
    .split('\n')
    .map((line) => line.trim())
    .join('<br>');

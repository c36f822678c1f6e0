import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { hashOf } from '../../content/folder/folder.ts';
import type { FileProblem } from './problems.ts';
import { readFiles, type ReadFiles } from './read-files.ts';
import { exists, readText } from './read-text.ts';
import { checkReferences } from './references.ts';
import { EngineError, type FailureKind } from '../../shared/engine-error.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { contentPath, fileParts, folders, nameIn, overlayFile, topFiles } from '../parts.ts';
import { moveProblems } from '../state/renames.ts';
import { expire, type Expiry, todayIn } from '../terms.ts';
import { readOverlay } from './environment.ts';

/** Whether an organization can have all of these files and folders. */
export const isOrganization = ({ texts, folders: present }: FolderSources): boolean =>
  [...present].every((folder) => folders.some((each) => each === folder)) &&
  [...texts.keys()].every((file) => !file.includes('\\') && fileParts.some((part) => nameIn(part, file) !== undefined));

/** The organization in a folder, or in a saved plan. */
export interface FolderRead extends ReadFiles {
  /** What has ended, which the organization no longer contains. */
  expiry: Expiry;
  /** The date of it. */
  today: string;
  /** The files by path, and the folders that exist. */
  sources: FolderSources;
  hashes: Map<string, string>;
  /** Names of the spaces whose content is in the folder. */
  contents: Set<string>;
  /** Notes about files and folders that were ignored, but have names close to the expected ones. */
  misnamed: string[];
  /** The variables that the files use, with their values. */
  variables: Map<string, string>;
}

interface FolderSources {
  texts: ReadonlyMap<string, string>;
  folders: ReadonlySet<string>;
}

/**
 * The organization in a folder.
 *
 * @throws EngineError with all mistakes, and if a file cannot be read, because that must never count as a removal
 */
export async function readOrganizationFolder(
  path: string,
  name: string,
  { variables, env }: { variables: Readonly<Record<string, string | undefined>>; env?: string | undefined },
): Promise<FolderRead> {
  const { contents, ...sources } = await readSources(path, name, env);
  const read = organizationIn(sources, name, { variables, today: todayIn(variables) });
  return { ...read, contents, misnamed: await misnamedIn(path) };
}

/** What the files of a folder describe, as far as they can be read. @throws EngineError if there are none */
export async function readDescribed(
  path: string,
  { variables, env }: { variables: Readonly<Record<string, string | undefined>>; env?: string | undefined },
): Promise<ReadFiles & Pick<FolderRead, 'hashes'>> {
  const { texts, folders: present } = await readSources(path, path, env);
  const read = readFiles(texts, { folders: present, variable: (name) => variables[name] });
  return { ...read, hashes: hashesOf(texts) };
}

/** The files of the organization in a folder, and the spaces whose content is in it. */
export async function readSources(
  path: string,
  name: string,
  env: string | undefined,
): Promise<{ texts: Map<string, string>; folders: Set<string>; contents: Set<string> }> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new EngineError('usage', `${name} ${stats ? 'is not a folder' : 'does not exist'}.`, {
      hint: 'Create one with "docsctl export".',
    });
  const texts = new Map<string, string>();
  const contents = new Set<string>();
  const present = new Set<string>();
  for (const file of topFiles) await readInto(texts, path, file);
  if (env !== undefined) texts.set(overlayFile(env), await readOverlay(path, name, env));
  for (const folder of folders) {
    const entries = await entriesOf(path, folder);
    if (!entries) continue;
    for (const entry of entries) {
      if (entry.startsWith('.')) continue;
      refuseOtherName(folder, entry);
      const file = folder === 'spaces' ? `spaces/${entry}/space.yaml` : `${folder}/${entry}`;
      if (folder === 'spaces' || entry.endsWith('.yaml')) await readInto(texts, path, file);
      if (folder === 'spaces' && existsSync(join(path, ...contentPath(entry).split('/')))) contents.add(entry);
      if (folder === 'spaces' && !texts.has(file)) await refuseOtherSpace(path, entry);
    }
    // If the folder contains only the content of some spaces, it is no list of all spaces.
    const hasContentOnly =
      folder === 'spaces' && contents.size > 0 && ![...texts.keys()].some((file) => file.startsWith('spaces/'));
    if (!hasContentOnly) present.add(folder);
  }
  if (texts.size === 0 && present.size === 0 && contents.size === 0)
    throw new EngineError('usage', `${name} contains none of the files of an organization.`, {
      hint: `The files are ${topFiles.join(', ')}; the folders are ${folders.join(', ')}. Create them with "docsctl export".`,
    });
  return { texts, folders: present, contents };
}

/** The organization that these files describe. @throws EngineError with all mistakes */
export function organizationIn(
  sources: FolderSources,
  name: string,
  { variables, today }: { variables: Readonly<Record<string, string | undefined>>; today: string },
): Omit<FolderRead, 'contents' | 'misnamed'> {
  const { texts, folders: present } = sources;
  const used = new Map<string, string>();
  const variable = (each: string) => {
    const value = variables[each];
    if (value !== undefined) used.set(each, value);
    return value;
  };
  const read = readFiles(texts, { folders: present, variable });
  const { places } = read;
  const problems = [...read.problems, ...checkReferences(read.organization, places), ...moveProblems(read, places)];
  if (problems.length > 0) throw new FileMistakes(name, problems);
  const hashes = hashesOf(texts);
  const expiry = expire(read.organization, read.terms, today);
  return { ...read, expiry, today, sources, hashes, variables: used };
}

const hashesOf = (texts: ReadonlyMap<string, string>) =>
  new Map([...texts].map(([file, text]) => [file, hashOf(text)]));

async function misnamedIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const names = entry.isDirectory() ? folders : topFiles;
    // Only one edit: "tests" is not a misspelled "teams".
    const meant = names.find((name) => distance(entry.name.toLowerCase(), name) === 1 || isOtherForm(entry.name, name));
    return meant === undefined ? [] : [`${entry.name} is ignored; did you mean ${meant}?`];
  });
}

async function readInto(texts: Map<string, string>, path: string, file: string): Promise<void> {
  const text = await readText(path, file);
  if (text !== undefined) texts.set(file, text);
}

async function entriesOf(path: string, folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(join(path, folder))).toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !exists(join(path, folder))) return undefined;
    throw new EngineError(
      'failed',
      `${join(path, folder)} cannot be read: ${fileReason(error, 'folder')}. Nothing was sent.`,
    );
  }
}

/** @throws EngineError for a file with the wrong extension: ignoring it would count as removing the object */
function refuseOtherName(folder: string, entry: string): void {
  if (folder === 'spaces' || entry.endsWith('.yaml') || !/\.(?:ya?ml|json)$/i.test(entry)) return;
  throw new EngineError('usage', `${folder}/${entry} has the wrong extension: files in ${folder} end with .yaml.`, {
    hint: `Rename it to ${entry.replace(/\.\w+$/, '.yaml')}, or move it elsewhere.`,
  });
}

/** Whether it is the same file in another format, such as `members.xlsx` for `members.csv`. */
const isOtherForm = (entry: string, name: string) =>
  name.includes('.') && entry !== name && entry.replace(/\.\w+$/, '') === name.replace(/\.\w+$/, '');

/** @throws EngineError if the file of a space has another name */
async function refuseOtherSpace(path: string, entry: string): Promise<void> {
  const other = (await entriesOf(path, `spaces/${entry}`))?.find((name) => /\.(?:ya?ml|json)$/i.test(name));
  if (other === undefined) return;
  throw new EngineError('usage', `spaces/${entry}/${other} has the wrong name: the file of a space is space.yaml.`, {
    hint: 'Rename it, or move it elsewhere.',
  });
}

/** Mistakes in the files, one per line. */
export class FileMistakes extends EngineError {
  /** Without repetitions; paths include the folder. */
  readonly problems: FileProblem[];

  constructor(folder: string, all: readonly FileProblem[], kind: FailureKind = 'usage') {
    // A removed team may be mentioned in many rows.
    const groups = [...Map.groupBy(all, ({ file, message }) => `${file}: ${message}`).values()];
    const problems = groups.flatMap(([first, ...others]): FileProblem[] => {
      if (!first) return [];
      const more = others.length === 0 ? '' : ` (and in ${others.length} more line${others.length === 1 ? '' : 's'})`;
      return [{ ...first, file: join(folder, first.file), message: first.message + more }];
    });
    const lines = problems.map(({ file, line, column, message }) => {
      const place = [file, line, column].filter((each) => each !== undefined).join(':');
      return `${place}: ${message}`;
    });
    const count = `${all.length} mistake${all.length === 1 ? '' : 's'} in the files; nothing was sent.`;
    super(kind, [count, ...lines].join('\n'));
    this.problems = problems;
  }
}

import { existsSync, lstatSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { ReportFinding } from '../../cli/report/finding.ts';
import { hashOf } from '../../content/folder/folder.ts';
import { levelsFile } from './levels.ts';
import type { FileProblem } from './problems.ts';
import { readFiles, type ReadFiles } from './read-files.ts';
import { checkReferences } from './references.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { resolveInside } from '../../shared/project-root.ts';
import { contentPath } from '../content/content-folder.ts';

/** The files at the top of the folder, and the folders of which each file is an object. */
const topFiles = [
  'organization.yaml',
  'members.csv',
  'collections.yaml',
  'translations.yaml',
  'invite-links.yaml',
  levelsFile,
];
const folders = ['teams', 'sso', 'spaces', 'sites', 'openapi'];

/** Whether these are files and folders that an organization has. */
export const isOrganization = (sources: FolderSources): boolean =>
  [...sources.folders].every((folder) => folders.includes(folder)) &&
  [...sources.texts.keys()].every(
    (file) =>
      topFiles.includes(file) ||
      /^(?:(?:teams|sso|sites|openapi)\/[^/\\]+\.yaml|spaces\/[^/\\]+\/space\.yaml)$/.test(file),
  );

/** The organization in a folder, or in a saved plan. */
export interface FolderRead extends ReadFiles {
  /** The files by path, and the folders that are there. */
  sources: FolderSources;
  hashes: Map<string, string>;
  /** Names of the spaces that have their content in the folder. */
  contents: Set<string>;
  misnamed: string[];
  /** The variables that the files name, with their values. */
  variables: Map<string, string>;
}

export interface FolderSources {
  texts: ReadonlyMap<string, string>;
  folders: ReadonlySet<string>;
}

/**
 * The organization in a folder, the names of the spaces that have their content there, and what is not read although its
 * name is close to one that would be.
 *
 * @throws CommandError with every mistake, and where a file cannot be read: what is missing must never count as removed
 */
export async function readOrganizationFolder(
  path: string,
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<FolderRead> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new UsageError(
      `${name} ${stats ? 'is not a folder' : 'does not exist'}.`,
      'Write one with "docsctl export".',
    );
  const texts = new Map<string, string>();
  const contents = new Set<string>();
  const present = new Set<string>();
  for (const file of topFiles) await readInto(texts, path, file);
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
    // A folder of contents alone does not say which spaces there are.
    const hasContentOnly =
      folder === 'spaces' && contents.size > 0 && ![...texts.keys()].some((file) => file.startsWith('spaces/'));
    if (!hasContentOnly) present.add(folder);
  }
  if (texts.size === 0 && present.size === 0 && contents.size === 0)
    throw new UsageError(
      `${name} has none of the files of an organization.`,
      `They are ${topFiles.join(', ')}, and the folders ${folders.join(', ')}. "docsctl export" writes them.`,
    );
  const read = organizationIn({ texts, folders: present }, name, variables);
  return { ...read, contents, misnamed: await misnamedIn(path) };
}

/** The organization that these files describe. @throws CommandError with every mistake */
export function organizationIn(
  sources: FolderSources,
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
): Omit<FolderRead, 'contents' | 'misnamed'> {
  const { texts, folders: present } = sources;
  const used = new Map<string, string>();
  const variable = (each: string) => {
    const value = variables[each];
    if (value !== undefined) used.set(each, value);
    return value;
  };
  const read = readFiles(texts, { folders: present, variable });
  const problems = [...read.problems, ...checkReferences(read.organization, read.places)];
  if (problems.length > 0) throw new FileMistakes(name, problems);
  const hashes = new Map([...texts].map(([file, text]) => [file, hashOf(text)]));
  return { ...read, sources, hashes, variables: used };
}

async function misnamedIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const names = entry.isDirectory() ? folders : topFiles;
    // "tests" is no misspelled "teams".
    const meant = names.find((name) => distance(entry.name.toLowerCase(), name) === 1 || isOtherForm(entry.name, name));
    return meant === undefined ? [] : [`${entry.name} is not read; did you mean ${meant}?`];
  });
}

async function readInto(texts: Map<string, string>, path: string, file: string): Promise<void> {
  if (resolveInside(path, file) === undefined)
    throw new UsageError(`${file} is a symbolic link that leads out of the folder.`);
  try {
    texts.set(file, new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(path, ...file.split('/')))));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !isThere(join(path, file))) return;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : fileReason(error);
    throw new CommandError(`${join(path, file)} cannot be read: ${reason}. Nothing was sent.`);
  }
}

async function entriesOf(path: string, folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(join(path, folder))).toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !isThere(join(path, folder))) return undefined;
    throw new CommandError(`${join(path, folder)} cannot be read: ${fileReason(error, 'folder')}. Nothing was sent.`);
  }
}

/** Whether there is something, if only a link that leads nowhere: that is no object that somebody removed. */
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** @throws UsageError for a file that looks like one of an object, and would not be read: it would count as removed */
function refuseOtherName(folder: string, entry: string): void {
  if (folder === 'spaces' || entry.endsWith('.yaml') || !/\.(?:ya?ml|json)$/i.test(entry)) return;
  throw new UsageError(
    `${folder}/${entry} is not read: the files of ${folder} end with .yaml.`,
    `Rename it to ${entry.replace(/\.\w+$/, '.yaml')}, or move it elsewhere.`,
  );
}

/** Whether it is the same file in another format: `members.xlsx` for `members.csv`. */
const isOtherForm = (entry: string, name: string) =>
  name.includes('.') && entry !== name && entry.replace(/\.\w+$/, '') === name.replace(/\.\w+$/, '');

/** @throws UsageError where the folder of a space has its description under another name */
async function refuseOtherSpace(path: string, entry: string): Promise<void> {
  const other = (await entriesOf(path, `spaces/${entry}`))?.find((name) => /\.(?:ya?ml|json)$/i.test(name));
  if (other === undefined) return;
  throw new UsageError(
    `spaces/${entry}/${other} is not read: the file of a space is space.yaml.`,
    'Rename it, or move it elsewhere.',
  );
}

/** Mistakes in the files, one in a line. */
export class FileMistakes extends CommandError {
  readonly findings: ReportFinding[];

  constructor(folder: string, problems: readonly FileProblem[], exitCode: number = exit.usage) {
    // A team that is gone is named in many rows.
    const groups = [...Map.groupBy(problems, ({ file, message }) => `${file}: ${message}`).values()];
    const findings = groups.flatMap(([first, ...others]): ReportFinding[] => {
      if (!first) return [];
      const { file, line, column, message } = first;
      const more = others.length === 0 ? '' : ` (and in ${others.length} more line${others.length === 1 ? '' : 's'})`;
      return [
        { level: 'error', rule: 'organization-file', file: join(folder, file), line, column, message: message + more },
      ];
    });
    const lines = findings.map(({ file, line, column, message }) => {
      const place = [file, line, column].filter((each) => each !== undefined).join(':');
      return `${place}: ${message}`;
    });
    const count = `${problems.length} mistake${problems.length === 1 ? '' : 's'} in the files; nothing was sent.`;
    super([count, ...lines].join('\n'), { exitCode });
    this.findings = findings;
  }
}

import { hash } from 'node:crypto';
import { join, relative } from 'node:path';
import { isMarkdown, isSpaceFile } from '../../content/folder/file-names.ts';
import { conflictLine } from '../../shared/conflict-marks.ts';
import type { Docs } from '../../shared/docs.ts';
import { EventTurns } from '../../shared/event-turns.ts';
import { SiteFolder } from '../../site/folder/site-folder.ts';
import { readFacts, type TextFacts } from '../facts.ts';
import type { LinkFinding } from '../findings.ts';
import { readFolders, worldOf } from '../folder-world.ts';
import { removeHalfWritten, writeChanged } from '../write-changed.ts';
import { brokenBy, isRisky } from './breaks.ts';
import { endRecord, isWritten, readRecord, writeRecord, writtenFile } from './record.ts';
import { type Replaced, replaceIn, type Replacement, type Replacing } from './replace-in.ts';

/** A file with its replacements. */
export interface FileChange {
  site: SiteFolder;
  /** From its folder. */
  path: string;
  docs: Docs;
  /** From the working directory. */
  file: string;
  before: string;
  after: string;
  replacements: Replacement[];
}

export interface FolderReplacement {
  changes: FileChange[];
  /** Files that are not changed although they have matches, or that cannot be read, and why. */
  skipped: { file: string; reason: string }[];
  /** How many files were read. */
  files: number;
  /** How many files an interrupted run had already changed. */
  done: number;
}

/** Finds what to replace in the Markdown files of folders. @param record of an interrupted run */
export async function planFolders(
  docs: readonly Docs[],
  replacing: Replacing,
  { signal, record }: { signal: AbortSignal; record: string },
): Promise<FolderReplacement> {
  const result: FolderReplacement = { changes: [], skipped: [], files: 0, done: 0 };
  const turns = new EventTurns();
  const visited = new Set<string>();
  const written = readRecord(record);
  for (const folder of docs) {
    const site = new SiteFolder(folder.path);
    const contents = new Set(site.spaces.map((space) => site.folderOf(space).summaryFile));
    for (const own of filesOf(site)) {
      const whole = join(site.disk.path, own);
      // Folders can overlap.
      if (visited.has(whole)) continue;
      visited.add(whole);
      await turns.take();
      signal.throwIfAborted();
      const file = relative(process.cwd(), whole);
      result.files += 1;
      const before = site.disk.textOnce(own);
      if (before === undefined) {
        result.skipped.push({ file, reason: 'it is not UTF-8' });
        continue;
      }
      if (isWritten(written, whole, before)) {
        result.done += 1;
        continue;
      }
      const replaced = contents.has(own) ? inContents(before, replacing) : replaceIn(before, replacing, 'file');
      const reason = reasonFor(site, own, before, replaced);
      if (reason !== undefined) result.skipped.push({ file, reason });
      else if (replaced.replacements.length > 0) {
        result.changes.push({
          site,
          docs: folder,
          path: own,
          file,
          before,
          after: replaced.text,
          replacements: replaced.replacements,
        });
      }
    }
  }
  return result;
}

const filesOf = ({ disk }: SiteFolder): string[] =>
  [...disk.files].filter((file) => isMarkdown(file) && (disk.shows(file) || isSpaceFile(file)));

/** In a table of contents, the texts of links are titles. */
function inContents(before: string, { pattern, places }: Replacing): Replaced {
  const own = new Set([
    ...(places.has('title') ? (['text', 'title'] as const) : []),
    ...(places.has('link') ? (['link'] as const) : []),
  ]);
  const { replacements, ...rest } = replaceIn(before, { pattern, places: own }, 'file');
  return {
    ...rest,
    replacements: replacements.map((each) => (each.place === 'text' ? { ...each, place: 'title' } : each)),
  };
}

function reasonFor(
  site: SiteFolder,
  file: string,
  text: string,
  { replacements, reason }: Replaced,
): string | undefined {
  if (reason !== undefined) return reason;
  if (replacements.length === 0) return undefined;
  if (conflictLine(text, { isMarkdown: true }) !== undefined) return 'it has conflict marks';
  return site.disk.realPath(file) === join(site.disk.path, file) ? undefined : 'it is a symbolic link';
}

/** The links and addresses that the changes break. */
export async function brokenInFolders(docs: readonly Docs[], { changes }: FolderReplacement): Promise<LinkFinding[]> {
  if (!changes.some(isRisky)) return [];
  const factsOf = factsOnce();
  const before = await readFolders(docs, { factsOf });
  const after = await readFolders(docs, {
    textsOf: (folder) => new Map(changes.flatMap((each) => (each.docs === folder ? [[each.path, each.after]] : []))),
    factsOf,
  });
  const spaces = before.flatMap((folder) => folder.spaces.map((space) => ({ space, docs: folder.docs })));
  const changed = changes.flatMap(({ docs: folder, path: key, before: text, replacements }) =>
    spaces.flatMap(({ space, docs: own }, index) =>
      own === folder && space.texts.some((each) => each.key === key)
        ? [{ space: index, key, before: text, replacements }]
        : [],
    ),
  );
  return brokenBy(worldOf(before), worldOf(after), changed);
}

/** Parses a text that is not changed only once. */
function factsOnce(): typeof readFacts {
  const byText = new Map<string, TextFacts>();
  return (text) => {
    const key = hash('sha1', text);
    const facts = byText.get(key) ?? readFacts(text);
    byText.set(key, facts);
    return facts;
  };
}

/**
 * Writes the changes, each file in one step.
 *
 * @param record the file with which another run can continue after an interruption
 * @returns why files were not written
 */
export async function writeReplaced(
  { changes }: FolderReplacement,
  { signal, record }: { signal: AbortSignal; record: string },
): Promise<{ file: string; reason: string }[]> {
  const written = new Map(readRecord(record));
  for (const { site, path, before, after } of changes) {
    written.set(join(site.disk.path, path), writtenFile(before, after));
  }
  if (changes.length > 0) await writeRecord(record, written);
  const failed: { file: string; reason: string }[] = [];
  for (const { disk } of new Set(changes.map(({ site }) => site))) removeHalfWritten(disk);
  for (const { site, path, file, before, after } of changes) {
    signal.throwIfAborted();
    const reason = await writeChanged(site.disk, path, { before, after });
    const isDone = reason === undefined && site.disk.textOnce(path) === after;
    if (!isDone) failed.push({ file, reason: reason ?? 'it has other text after it was written' });
  }
  if (failed.length === 0) endRecord(record);
  return failed;
}

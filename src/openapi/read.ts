import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { checkSize, readText, syntaxFindings, TextFile } from './parse/files.ts';
import type { Finding } from './finding.ts';
import { identify, type Identity, type Version } from './identity.ts';
import type { Download, OpenedFile } from './parse/documents.ts';
import { maxHarmlessLength, NeedsThread } from './parse/harmless.ts';
import type { OverlayText } from './overlay/apply.ts';
import { ReferenceRoots } from './parse/reference-roots.ts';

/** A file; a document that was downloaded, with its address; or a text from standard input. */
export type DescriptionSource = { path: string } | { url: string; text: string } | { text: string };

export interface Description {
  /** The path, the address, or `-`. */
  source: string;
  /** Undefined when it cannot be determined: then a finding says why. */
  version: Version | undefined;
  /** Empty when the document has none. */
  title: string;
  /**
   * What to send: the text as it was read, or, if it refers to local files, one document with these folded in, in
   * the syntax of the first. The same files give the same bytes. Not fit to be sent when there are errors.
   */
  text: string;
  /** Whether other documents were folded in. */
  isFolded: boolean;
  document: unknown;
  /** In order of file and place, those of the description's own file first. */
  findings: Finding[];
  /** How many findings the ignore file of Redocly accepts. */
  ignored: number;
}

export interface ReadOptions {
  /** Gets documents that references name by their addresses; without it, none is downloaded. */
  download?: Download;
  /** Throws NeedsThread for a description that may take long. */
  onlyHarmless?: boolean;
  /** Applied to the description in this order before it is checked. */
  overlays?: readonly OverlayText[];
}

/**
 * Reads a description, checks it and folds the local files into it that it refers to. Each problem in it is a
 * finding. Files are read only in the project that the description belongs to, and in the
 * folders `referenceRoots`.
 *
 * @param directory what paths and the file names of findings are relative to, and references of a text too
 * @throws UnreadableFile when the file itself cannot be read or is larger than 50 MiB
 */
export async function readDescription(
  from: DescriptionSource,
  directory = process.cwd(),
  referenceRoots: readonly string[] = [],
  { download, onlyHarmless = false, overlays = [] }: ReadOptions = {},
): Promise<Description> {
  const { source, overlayFindings, ...opened } = await open(from, directory, referenceRoots, {
    onlyHarmless,
    overlays,
  });
  Object.assign(opened, { download, onlyHarmless });
  const { file } = opened;
  const identity = file.problem ? undefined : identify(file.value);
  const description = {
    source,
    version: identity?.version,
    title: identity?.title ?? '',
    text: file.text,
    isFolded: false,
    document: file.value,
    ignored: 0,
  };
  if (!identity?.version) {
    const problems = syntaxFindings(file, namesVersion.test(file.text));
    return { ...description, findings: [...problems, ...unknownFindings(file, identity)] };
  }
  // The checker is large and only needed here.
  const { check } = await import('./lint/check.ts');
  const { findings, ignored, text, document } = await check(opened, identity.version);
  const all = [...overlayFindings, ...findings];
  return { ...description, text, document, ignored, isFolded: text !== file.text, findings: inOrder(all, file.name) };
}

/** Distinguishes a description with a mistake from another file named by mistake, whose text is not repeated. */
export const namesVersion = /^[ \t]*(?:\{[ \t]*)?["']?(?:openapi|swagger)["']?[ \t]*:/m;

interface Opened extends OpenedFile {
  source: string;
  /** About the overlays that were applied. */
  overlayFindings: Finding[];
}

/** Reads the first file of a description, with the overlays. @throws UnreadableFile */
export async function open(
  from: DescriptionSource,
  directory: string,
  referenceRoots: readonly string[],
  { onlyHarmless = false, overlays = [] }: Omit<ReadOptions, 'download'>,
): Promise<Opened> {
  // Expressions in overlays may take long.
  if (onlyHarmless && overlays.length > 0) throw new NeedsThread();
  const opened = await openFile(from, directory, referenceRoots, onlyHarmless);
  if (overlays.length === 0) return { ...opened, overlayFindings: [] };
  const { applyOverlays } = await import('./overlay/apply.ts');
  return { ...opened, overlayFindings: applyOverlays(opened.file, overlays) };
}

async function openFile(
  from: DescriptionSource,
  directory: string,
  referenceRoots: readonly string[],
  onlyHarmless: boolean,
): Promise<OpenedFile & { source: string }> {
  const base = realPathOf(directory);
  if ('path' in from) {
    const path = resolve(directory, from.path);
    const address = realPathOf(path);
    const name = relative(directory, path) || '.';
    const text = await readText(address, name);
    if (onlyHarmless && text.length > maxHarmlessLength) throw new NeedsThread();
    const file = new TextFile(name, text);
    const roots = new ReferenceRoots(dirname(address), referenceRoots);
    return { source: from.path, address, folder: dirname(path), directory: base, roots, file };
  }
  const source = 'url' in from ? from.url : '-';
  checkSize(from.text, source);
  if (onlyHarmless && from.text.length > maxHarmlessLength) throw new NeedsThread();
  const file = new TextFile(source, from.text);
  // A description from an address reads no file of this machine.
  if ('url' in from) return { source, address: from.url, folder: base, directory: base, file };
  const roots = new ReferenceRoots(base, referenceRoots);
  return { source, address: resolve(base, '-'), folder: base, directory: base, roots, file };
}

/** The path itself if there is no file: reading it reports that. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Why a file is no description of a known version. */
export function unknownFindings(file: TextFile, identity: Identity | undefined): Finding[] {
  if (identity?.problem === undefined) return [];
  const place = file.find(identity.path, false);
  return [{ file: file.name, ...place, level: 'error', message: identity.problem, rule: 'openapi-version' }];
}

function inOrder(findings: Finding[], first: string): Finding[] {
  // A value that aliases repeat has several pointers.
  const keyOf = (finding: Finding) => JSON.stringify({ ...finding, pointer: undefined });
  const unique = new Map(findings.toReversed().map((finding) => [keyOf(finding), finding]));
  const order = ({ file }: Finding) => (file === first ? '' : file);
  return [...unique.values()].toSorted(
    (a, b) => compare(order(a), order(b)) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

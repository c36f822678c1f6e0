import { hasMembers } from '../shared/is-object.ts';
import { pointerTo } from '../shared/json-pointer.ts';
import { type Change, compareDescriptions } from './diff/compare.ts';
import type { Ref } from './diff/shape.ts';
import { pathsTo } from './diff/paths-to.ts';
import type { Source } from './diff/shapes.ts';
import { identify } from './identity.ts';
import { Documents, type Download } from './parse/documents.ts';
import { syntaxFindings } from './parse/files.ts';
import { type Document, mayQuote } from './parse/place.ts';
import { type DescriptionSource, namesVersion, open, type ReadOptions, unknownFindings } from './read.ts';

/** A place in a description: in a file, or, if it came from the service, in its document. */
export interface DescriptionPlace {
  file: string;
  /** From 1, as is the column. */
  line?: number;
  column?: number;
  pointer: string;
}

/** Why a description cannot be compared. */
export interface DescriptionProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  rule: string;
}

/** A description that is read as far as a comparison needs it: it is not checked. */
export interface OpenedDescription extends Source {
  /** Paths and URLs of the documents that were read. */
  addresses: string[];
  /** Empty for one that can be compared. */
  problems: DescriptionProblem[];
  placesOf: (refs: readonly (Ref | undefined)[]) => Map<Ref, DescriptionPlace>;
}

/**
 * Opens a description with the files that it refers to, without changing them.
 *
 * @param directory what paths and the names of files are relative to
 * @param download gets documents that references name by their addresses
 * @throws UnreadableFile when the file itself cannot be read
 */
export async function openDescription(
  from: DescriptionSource,
  directory: string,
  referenceRoots: readonly string[],
  download: Download,
  { onlyHarmless = false, overlays = [] }: Omit<ReadOptions, 'download'> = {},
): Promise<OpenedDescription> {
  const opened = {
    ...(await open(from, directory, referenceRoots, { onlyHarmless, overlays })),
    download,
    onlyHarmless,
  };
  const { file } = opened;
  const identity = file.problem ? undefined : identify(file.value);
  if (!identity?.version) {
    const problems = [...syntaxFindings(file, namesVersion.test(file.text)), ...unknownFindings(file, identity)];
    return { document: undefined, addresses: [opened.address], problems, placesOf: () => new Map() };
  }
  const { documents, root } = await Documents.open(opened);
  const all = documents.all();
  return {
    document: file.value,
    addresses: all.map(({ address }) => address),
    problems: all.flatMap((each) => (each.file ? syntaxFindings(each.file, mayQuote(each.root)) : [])),
    ...resolverOf(documents, all, root),
    placesOf: (refs) => new Map(all.flatMap((each) => placesIn(each, refs))),
  };
}

/** A change with its places in the files of both descriptions. */
export interface PlacedChange extends Omit<Change, 'before' | 'after'> {
  before: DescriptionPlace | undefined;
  after: DescriptionPlace | undefined;
}

/** All that changed for the users of an API, as `compareDescriptions` finds it. */
export function compareOpened(before: OpenedDescription, after: OpenedDescription, now: Date): PlacedChange[] {
  const changes = compareDescriptions(before, after, now);
  const oldPlaces = before.placesOf(changes.map((change) => change.before));
  const newPlaces = after.placesOf(changes.map((change) => change.after));
  return changes.map((change) => ({
    ...change,
    before: change.before && oldPlaces.get(change.before),
    after: change.after && newPlaces.get(change.after),
  }));
}

function resolverOf(documents: Documents, all: readonly Document[], root: Document): Omit<Source, 'document'> {
  // References in other files are relative to these.
  const holders = new WeakMap<object, Document>();
  for (const document of all) if (document !== root) setHolder(holders, document);
  const targetOf = (reference: string, holder: object) => documents.resolve(reference, holders.get(holder) ?? root);
  return {
    resolve: (reference, holder) => targetOf(reference, holder).place?.node,
    reasonFor(reference, holder) {
      const target = targetOf(reference, holder);
      return 'reason' in target ? target.reason : undefined;
    },
  };
}

function setHolder(holders: WeakMap<object, Document>, document: Document): void {
  const waiting: unknown[] = [document.root.node];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!hasMembers(node) || holders.has(node)) continue;
    holders.set(node, document);
    for (const key of Object.keys(node)) waiting.push(node[key]);
  }
}

function placesIn(document: Document, refs: readonly (Ref | undefined)[]): [Ref, DescriptionPlace][] {
  const { file, root, address } = document;
  if (!hasMembers(root.node)) return [];
  const paths = [...pathsTo(root.node, refs)];
  // Positions of overlaid files are in several files.
  const outline = file && !file.overlaid && paths.length > 0 ? file.outline() : undefined;
  return paths.map(([ref, path]) => {
    const place = file?.overlaid
      ? file.placeOf(path, true)
      : { file: file?.name ?? address, ...(outline?.find(path, true) ?? { line: 1, column: 1 }) };
    return [ref, { ...place, pointer: pointerTo(path) }];
  });
}

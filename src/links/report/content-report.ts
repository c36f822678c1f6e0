import { join, relative, sep } from 'node:path';
import type { Docs } from '../../shared/docs.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { isMarkdown, isSpaceFile } from '../../content/folder/file-names.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { scalar } from '../../content/markdown/markdown.ts';
import { countLines } from '../../content/markdown/nodes.ts';
import { checkLinks, type LinkCheck } from '../check-links.ts';
import { SiteFolder } from '../../site/folder/site-folder.ts';
import { type ReadFolder, readFolders, worldOf } from '../folder-world.ts';
import type { LinkedPage, LinkedText, LinkedWorld } from '../model.ts';
import { type LastChange, lastChanges } from './last-changes.ts';
import { nearDuplicates } from './near-duplicates.ts';

/** What a report counts. */
export const measureNames = ['overdue', 'unlinked', 'broken', 'duplicate', 'shrunk', 'behind', 'unused'] as const;
export type Measure = (typeof measureNames)[number];

/** Descriptions of the measures. */
export const measures: Readonly<Record<Measure, string>> = {
  overdue: 'pages whose review date has passed',
  unlinked: 'pages that no other page links to',
  broken: 'broken links',
  duplicate: 'pages that are the same as another page, or nearly',
  shrunk: 'pages that lost more than 40 % of their lines in the last change',
  behind: 'translations whose source was changed since, or that do not exist',
  unused: 'files that no page uses',
};

/** What the source of the pages knows about them. */
export interface PageFacts {
  changed?: string | undefined;
  owner?: string | undefined;
  review?: string | undefined;
  /** In percent, of the lines before the last change. */
  lost?: number | undefined;
  /** How many changes of the source of a translation are later than its own last change. */
  behind?: number | undefined;
  /** Measures that its source has too little history for. */
  unchecked?: Measure[];
}

/** A page, or a file that no page uses. */
export interface ReportRow extends PageFacts {
  where: string;
  title?: string;
  /** Links from other pages. */
  links?: number;
  broken?: number;
  similar?: string[];
  /** In bytes. */
  size?: number;
  problems: Measure[];
}

export interface ReportOptions {
  signal: AbortSignal;
  /** Names of members of the front matter, or of custom fields. */
  ownerField: string;
  reviewField: string;
  /** YYYY-MM-DD */
  today: string;
  /** The folder that the others are translations of, page by page. */
  translationOf?: string | undefined;
}

/** Reports on all pages of these spaces. @param factsOf what is known of a page besides its text */
export async function reportOn(
  world: LinkedWorld,
  factsOf: (page: LinkedPage, text: LinkedText) => PageFacts,
  { signal, today }: ReportOptions,
): Promise<{ rows: ReportRow[]; checked: LinkCheck }> {
  const checked = await checkLinks(world, () => signal.throwIfAborted());
  const broken = Map.groupBy(
    checked.findings.filter(({ url, level }) => url !== undefined && level === 'error'),
    ({ file, subject }) => file ?? subject ?? '',
  );
  const texts = world.spaces.flatMap((space) => space.texts.filter(({ kind }) => kind === 'page'));
  const nameOf = ({ place }: LinkedText) => place.file ?? place.subject ?? '';
  const bodies = texts.map((text) => [nameOf(text), bodyOf(text.source())] as const);
  const similar = nearDuplicates(bodies);
  const rows = texts.flatMap((text): ReportRow[] => {
    const { page } = text;
    if (!page) return [];
    const where = nameOf(text);
    const row: ReportRow = {
      where,
      title: page.title,
      ...withoutUndefined(factsOf(page, text)),
      links: checked.uses.linksTo(page),
      broken: broken.get(where)?.length ?? 0,
      ...(similar.has(where) && { similar: similar.get(where) ?? [] }),
      problems: [],
    };
    row.problems = problemsOf(row, { today, isFirst: page.address === '' });
    return [row];
  });
  return { rows, checked };
}

const bodyOf = (source: string) => source.slice(readFrontMatter(source).bodyAt);

const maxLost = 40;

function problemsOf(row: ReportRow, { today, isFirst }: { today: string; isFirst: boolean }): Measure[] {
  const { review, links = 0, broken = 0, lost = 0, behind = 0, similar } = row;
  return [
    ...(review !== undefined && review < today ? (['overdue'] as const) : []),
    ...(links === 0 && !isFirst ? (['unlinked'] as const) : []),
    ...(broken > 0 ? (['broken'] as const) : []),
    ...(similar ? (['duplicate'] as const) : []),
    ...(lost > maxLost ? (['shrunk'] as const) : []),
    ...(behind > 0 ? (['behind'] as const) : []),
  ];
}

/** How often each measure applies. */
export function totalsOf(rows: readonly ReportRow[]): Record<Measure, number> {
  const totals = { overdue: 0, unlinked: 0, broken: 0, duplicate: 0, shrunk: 0, behind: 0, unused: 0 };
  for (const { problems, broken = 0 } of rows) {
    for (const problem of problems) totals[problem] += problem === 'broken' ? broken : 1;
  }
  return totals;
}

/** The source of translations has no commits beside them. */
export class NoHistory extends Error {}

/** Reports on folders: dates from Git, owners and reviews from the front matter. @throws UnreadableFolder, SettingsError */
export async function reportOnFolders(docs: readonly Docs[], options: ReportOptions): Promise<ReportRow[]> {
  const folders = await readFolders(docs);
  const changes = new Map<string, LastChange>();
  const { translationOf } = options;
  for (const { site } of folders) {
    const paths = [site.disk.path, ...(translationOf === undefined ? [] : [translationOf])];
    for (const [file, change] of await lastChanges(paths)) changes.set(file, change);
  }
  if (translationOf !== undefined && ![...changes.keys()].some((file) => file.startsWith(translationOf + sep))) {
    throw new NoHistory(`${translationOf} has no commits in the Git repository of its translations.`);
  }
  const rootOf = new Map(
    folders.flatMap(({ site, spaces }) => spaces.map((space) => [space as object, site.disk.path])),
  );
  const factsOf = ({ space }: LinkedPage, text: LinkedText): PageFacts => {
    const source = text.source();
    const file = join(rootOf.get(space) ?? '', text.key);
    const change = changes.get(file);
    const original = translationOf === undefined ? undefined : changes.get(join(translationOf, text.key));
    const { data } = readFrontMatter(source);
    return {
      changed: change?.at.slice(0, 10),
      owner: scalar(data[options.ownerField]) ?? change?.author,
      review: dateOf(data[options.reviewField]),
      ...historyFacts(source, { change, original, hasHistory: changes.size > 0 }),
    };
  };
  const { rows, checked } = await reportOn(worldOf(folders), factsOf, options);
  const missing =
    translationOf === undefined ? [] : folders.flatMap((folder) => untranslated(folder, translationOf, changes));
  return [...rows, ...missing, ...folders.flatMap((folder) => unusedFiles(folder, checked))];
}

interface PageHistory {
  change: LastChange | undefined;
  /** Of the source of a translation. */
  original: LastChange | undefined;
  hasHistory: boolean;
}

function historyFacts(source: string, { change, original, hasHistory }: PageHistory): PageFacts {
  // A page without a commit is new.
  const isCut = change?.isOldest ?? !hasHistory;
  const isBehindCut = original !== undefined && (original.isOldest || change?.isOldest === true);
  const unchecked: Measure[] = [...(isCut ? (['shrunk'] as const) : []), ...(isBehindCut ? (['behind'] as const) : [])];
  return {
    lost: isCut ? undefined : change ? lostInGit(source, change) : 0,
    behind: isBehindCut ? undefined : original && changesSince(original, change),
    ...(unchecked.length > 0 && { unchecked }),
  };
}

/** How many commits changed a source after the last change of its translation. */
function changesSince({ commits }: LastChange, translation: LastChange | undefined): number {
  // A translation that is not committed yet is newer than all of them.
  const [last = -1] = translation?.commits ?? [];
  return commits.filter((number) => number < last).length;
}

/** Pages of the source that have no translation. */
function untranslated(
  { site: { disk } }: ReadFolder,
  source: string,
  changes: ReadonlyMap<string, LastChange>,
): ReportRow[] {
  const { disk: original } = new SiteFolder(source);
  return [...original.files].flatMap((file): ReportRow[] => {
    if (!isMarkdown(file) || !original.shows(file) || disk.files.has(file)) return [];
    const where = relative(process.cwd(), join(disk.path, file));
    return [{ where, behind: changes.get(join(source, file))?.commits.length ?? 1, problems: ['behind'] }];
  });
}

/** The day of a date in the front matter or a custom field. */
export function dateOf(value: unknown): string | undefined {
  const text = value instanceof Date ? value.toISOString() : scalar(value);
  return text === undefined ? undefined : /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
}

const linesIn = (text: string) => countLines(text) + (text.endsWith('\n') || text === '' ? 0 : 1);

/** How many lines a text has lost, in percent. */
export const lostShare = (before: string, now: string): number => lostOf(linesIn(before), linesIn(now));

const lostInGit = (source: string, { added, removed }: LastChange): number =>
  lostOf(linesIn(source) - added + removed, linesIn(source));

const lostOf = (before: number, now: number) =>
  before <= 0 ? 0 : Math.max(0, Math.round(((before - now) / before) * 100));

function unusedFiles({ site, spaces }: ReadFolder, { uses }: LinkCheck): ReportRow[] {
  const used = new Set(spaces.flatMap((space) => [...uses.filesOf(space)]));
  const isContent = (file: string) =>
    site.disk.shows(file) && !isMarkdown(file) && !isSpaceFile(file) && !/(?:^|\/)[^/]+\.ya?ml$/i.test(file);
  return [...site.disk.files].flatMap((file): ReportRow[] => {
    if (!isContent(file) || used.has(file)) return [];
    return [
      {
        where: relative(process.cwd(), join(site.disk.path, file)),
        size: site.disk.stat(file)?.size ?? 0,
        problems: ['unused'],
      },
    ];
  });
}

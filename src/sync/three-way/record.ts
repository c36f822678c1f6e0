import { type Base, type BasePage, type SpaceText, textHash } from '../../content/folder/base.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import { isSameLayout, type Layout } from '../../content/folder/layout.ts';
import type { Remote, RemotePage } from '../remote.ts';
import { keyOf, metaOf, type Sides } from './sides.ts';

/** What a push records of the folder, so that the next one knows what the folder had. */
export interface PushRecord {
  /** Without a base. */
  layout: Layout;
  /** The pages of the folder. Those that the space does not have yet have ids that begin with "~" and then their key. */
  pages: RecordPage[];
  files: Base['files'];
  /** Whether it differs from what the space has already. */
  isNew: boolean;
}

export interface RecordPage {
  entry: BasePage;
  /** The text as it is sent. */
  sent: string;
  /** `textHash` of what the space has after the push. */
  spaceText: string;
  /** The push sends the text. */
  isSent: boolean;
  /** The document that has this text in the space now, where the push does not send it. */
  document?: string;
  /** `textHash` of the text in the space, where it is the folder's in another form. */
  alike?: string;
}

/** What the pages of the space have after a push. */
export interface PushOutcome {
  /** The ids that pages got, by their keys. */
  ids: ReadonlyMap<string, string>;
  /** All pages of the space at `revision`. */
  pages: ReadonlyMap<string, Pick<RemotePage, 'document' | 'updatedAt'>>;
  revision: string;
  /** When the texts of pages were written, by id. A page that has another time now was changed by others since. */
  writtenAt: ReadonlyMap<string, string>;
  files: Base['files'];
}

interface RecordInput {
  local: LocalFolder;
  remote: Remote;
  sides: Sides;
  /** Names of texts that the space has after the push, by page id. */
  spaceTexts: ReadonlyMap<string, string>;
  appTexts: ReadonlyMap<string, string>;
  sent: ReadonlyMap<string, { sent: string | null }>;
}

export function recordPages({ local, remote, sides, spaceTexts, appTexts, sent }: RecordInput): RecordPage[] {
  const documents = new Map(remote.pages.map(({ id, document }) => [id, document]));
  const leftOut = new Set(sides.leftOut);
  return local.pages.flatMap((page) => {
    const id = sides.ids.get(page.key);
    if (id === undefined || leftOut.has(page)) return [];
    const text = sent.get(page.key)?.sent ?? '';
    const before = sides.entries.get(id);
    const hash = textHash(text);
    const entry: BasePage = {
      id,
      parent: page.parent === null ? null : (sides.ids.get(page.parent) ?? null),
      title: page.title,
      slug: page.slug,
      path: page.path,
      ...(page.href !== undefined && { href: page.href }),
      ...metaOf(page),
      text: hash,
      ...(before?.text === hash && before.revision !== undefined && { revision: before.revision }),
      ...(before?.text === hash && before.source !== undefined && { source: before.source }),
    };
    const [spaceText, appText] = [spaceTexts.get(id) ?? hash, appTexts.get(id)];
    const document = documents.get(id);
    const isSent = spaceText !== appText;
    const alike = isSent ? undefined : sides.alike.get(id);
    return [
      {
        entry,
        sent: text,
        spaceText,
        isSent,
        ...(document !== undefined && !isSent && { document }),
        ...(alike !== undefined && { alike }),
      },
    ];
  });
}

const idOf = (id: string, ids: ReadonlyMap<string, string>) => ids.get(keyOf(id)) ?? id;

/** Texts that no revision has are kept with the base, up to this length in all. */
const maxSources = 200_000;

/** The base after a push. */
export function baseAfter(record: Pick<PushRecord, 'pages' | 'files'>, outcome: PushOutcome): Base {
  let room = maxSources;
  const pages = record.pages.map((page): BasePage => {
    const { revision, source, ...entry } = page.entry;
    const id = idOf(entry.id, outcome.ids);
    const parent = entry.parent === null ? null : idOf(entry.parent, outcome.ids);
    const space = spaceText(page, id, outcome);
    const isInSpace = page.spaceText === entry.text && page.alike === undefined && space !== undefined;
    const isElsewhere = revision !== undefined || source !== undefined || isInSpace || entry.text === '';
    const isKept = !isElsewhere && page.sent.length <= room;
    if (isKept) room -= page.sent.length;
    return {
      ...entry,
      id,
      parent,
      ...(space && { space }),
      ...(revision === undefined && isInSpace
        ? { revision: outcome.revision }
        : revision !== undefined && { revision }),
      ...(source !== undefined && { source }),
      ...(isKept && { source: page.sent }),
    };
  });
  return { pages, files: outcome.files };
}

/** Undefined where it is not certain which text the page has in the space. */
function spaceText(page: RecordPage, id: string, { pages, writtenAt }: PushOutcome): SpaceText | undefined {
  const { document, updatedAt } = pages.get(id) ?? {};
  const isCertain = page.isSent
    ? updatedAt !== undefined && writtenAt.get(id) === updatedAt
    : document === page.document;
  if (document === undefined || !isCertain) return undefined;
  const text = page.alike ?? page.spaceText;
  return {
    document,
    ...(updatedAt !== undefined && { updatedAt }),
    ...(text !== page.entry.text && { text }),
    ...(page.alike !== undefined && { isAlike: true }),
  };
}

/** Whether two bases say the same of the folder. What they say of the space does not count. */
export function isSameFolder(one: Base | undefined, other: Pick<Base, 'pages'>): boolean {
  const folderOf = ({ pages }: Pick<Base, 'pages'>) =>
    JSON.stringify(
      pages.map(({ id, parent, title, slug, path, href, text, ...page }) => [
        { id, parent, title, slug, path, href, text },
        metaOf(page),
      ]),
    );
  return one !== undefined && folderOf(one) === folderOf(other);
}

/** Whether the space does not have this record yet. */
export function isNewRecord(layout: Layout, before: Layout, pages: readonly RecordPage[]): boolean {
  return (
    !isSameLayout(layout, before) ||
    before.pending !== undefined ||
    !isSameFolder(before.base, { pages: pages.map(({ entry }) => entry) })
  );
}

import { isDeepStrictEqual } from 'node:util';
import { type Base, type BasePage, type SpaceText, textHash } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage } from '../../content/folder/folder.ts';
import { isSameLayout, type Layout, type SentLink } from '../../content/folder/layout.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import { newPageId, pageIdsIn, replacePageIds } from '../page-links.ts';
import { derivedFiles, derivedPath } from '../page-files.ts';
import type { Remote, RemotePage } from '../read-remote.ts';
import type { Compared } from './compare.ts';
import { keyOf, metaOf, type Sides } from './sides.ts';

/** The state of the folder that a push records as the base of the next push. */
export interface PushRecord {
  /** Without a base. */
  layout: Layout;
  /** The pages of the folder. The ID of a page that the space does not have yet is "~" and its key. */
  pages: RecordPage[];
  files: Base['files'];
  names: NonNullable<Base['names']>;
  /** Whether it differs from the record in the space. */
  isNew: boolean;
}

interface RecordPage {
  entry: BasePage;
  /** The text as it is sent; "" if it is that of the last push, and was not read again. */
  sent: string;
  /** The file and where its links lead. */
  source?: string | undefined;
  /** The text in the space after the push, if it differs and links to pages without an ID. */
  spaceSource?: string;
  /** `textHash` of the text in the space after the push. */
  spaceText: string;
  /** Whether the push sends the text. */
  isSent: boolean;
  /** The document in the space that has this text, if the push does not send it. */
  document?: string;
  /** `textHash` of the text in the space, if it differs from the folder's but results in the same file. */
  alike?: string;
}

/** The pages of the space after a push. */
interface PushOutcome {
  /** IDs of new pages by their keys. */
  ids: ReadonlyMap<string, string>;
  /** All pages of the space at `revision`. */
  pages: ReadonlyMap<string, Pick<RemotePage, 'document' | 'updatedAt'>>;
  revision: string;
  /** When the texts of pages were written, by ID. A page that now has another time was changed by others since. */
  writtenAt: ReadonlyMap<string, string>;
  files: Base['files'];
}

interface RecordInput {
  local: LocalFolder;
  remote: Remote;
  sides: Sides;
  /** Names of the texts in the space after the push, by page ID. */
  spaceTexts: ReadonlyMap<string, string>;
  appTexts: ReadonlyMap<string, string>;
  compared: Pick<Compared, 'held' | 'former'>;
}

export function recordPages({ local, remote, sides, spaceTexts, appTexts, compared }: RecordInput): RecordPage[] {
  const { held, former } = compared;
  const { sent } = sides;
  const documents = new Map(remote.pages.map(({ id, document }) => [id, document]));
  const skipped = new Set(sides.skipped);
  const read = local.pages.flatMap((page): RecordPage[] => {
    const id = sides.ids.get(page.key);
    if (id === undefined || skipped.has(page) || held.has(id)) return [];
    const { sent: text, hash = '', source, hasPaths } = sent.get(page.key) ?? {};
    const before = sides.entries.get(id);
    const entry: BasePage = {
      id,
      parent: page.parent === null ? null : (sides.ids.get(page.parent) ?? null),
      title: page.title,
      slug: page.slug,
      path: page.path,
      ...(page.file !== null && { file: page.file }),
      ...(page.href !== undefined && { href: page.href }),
      ...metaOf(page),
      text: hash,
      // The revision of a page that was created again has its former ID.
      ...(before?.text === hash && before.revision !== undefined && !former.has(id) && { revision: before.revision }),
      ...(before?.text === hash && before.source !== undefined && { source: before.source }),
      ...(hasPaths && { hasPaths }),
    };
    const [spaceText, appText] = [spaceTexts.get(id) ?? hash, appTexts.get(id)];
    const document = documents.get(id);
    const isSent = spaceText !== appText;
    const alike = isSent ? undefined : sides.alike.get(id);
    const inSpace = isSent && spaceText !== hash ? (sides.texts.get(spaceText) ?? '') : '';
    return [
      {
        entry,
        sent: text ?? '',
        source,
        spaceText,
        isSent,
        ...(inSpace !== '' && pageIdsIn(inSpace).some(() => true) && { spaceSource: inSpace }),
        ...(isSent ? {} : documentOf(document)),
        ...(alike !== undefined && { alike }),
      },
    ];
  });
  const kept = [...held].flatMap(([id, file]): RecordPage[] => {
    const entry = sides.entries.get(id);
    return entry
      ? [
          {
            entry: { ...entry, file },
            sent: sides.texts.get(entry.text) ?? '',
            // What others changed in the meantime is not in the folder.
            spaceText: spaceTexts.get(id) ?? entry.text,
            isSent: false,
            ...documentOf(documents.get(id)),
          },
        ]
      : [];
  });
  return [...read, ...kept];
}

const documentOf = (document: string | undefined) => (document === undefined ? {} : { document });

const idOf = (id: string, ids: ReadonlyMap<string, string>) => ids.get(keyOf(id)) ?? id;

/** Texts that no revision has are stored in the base, up to this total length. */
const maxSources = 200_000;

/** The base after a push. */
export function baseAfter(record: Pick<PushRecord, 'pages' | 'names'>, outcome: PushOutcome): Base {
  let room = maxSources;
  const addressOf = newAddresses(outcome.ids);
  const pages = record.pages.map((planned): BasePage => {
    const page = withNewIds(planned, addressOf);
    const { revision, source, ...entry } = page.entry;
    const id = idOf(entry.id, outcome.ids);
    const parent = entry.parent === null ? null : idOf(entry.parent, outcome.ids);
    const space = spaceText(page, id, outcome);
    const isInSpace = page.spaceText === entry.text && page.alike === undefined && space !== undefined;
    const isElsewhere = revision !== undefined || source !== undefined || isInSpace || entry.text === '';
    const isKept = !isElsewhere && page.sent.length <= room && textHash(page.sent) === entry.text;
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
      ...(page.source !== undefined && { from: textHash(page.source) }),
    };
  });
  return { pages, files: outcome.files, ...(record.names.size > 0 && { names: record.names }), hasIds: true };
}

/** The addresses of pages that a push created, by the placeholder of their IDs in the plan. @param ids by key */
export function newAddresses(ids: ReadonlyMap<string, string>): (id: string) => string | undefined {
  const addresses = new Map<string, string>();
  // The key of a page that is created again is its former ID.
  for (const [key, id] of ids) for (const name of [key, newPageId(key)]) addresses.set(name, `/pages/${id}`);
  return (id) => addresses.get(id);
}

/** Recorded links with the IDs of new pages. @param ids by key */
export function linksToPages(links: Layout['links'], ids: ReadonlyMap<string, string>): Layout['links'] {
  if (ids.size === 0) return links;
  const addressOf = newAddresses(ids);
  return new Map(
    [...links].map(([path, all]) => [path, all.map(([sent, raw]): SentLink => [replacePageIds(sent, addressOf), raw])]),
  );
}

/** The record of a page with the IDs of new pages. */
function withNewIds(page: RecordPage, addressOf: (id: string) => string | undefined): RecordPage {
  const sent = replacePageIds(page.sent, addressOf);
  const inSpace = page.spaceSource === undefined ? undefined : replacePageIds(page.spaceSource, addressOf);
  const from = page.source && replacePageIds(page.source, addressOf);
  if (sent === page.sent && inSpace === page.spaceSource) return { ...page, source: from };
  const text = sent === page.sent ? page.entry.text : textHash(sent);
  const { revision, source, ...entry } = page.entry;
  const isSame = text === page.entry.text;
  return {
    ...page,
    sent,
    entry: {
      ...entry,
      text,
      ...(isSame && revision !== undefined && { revision }),
      ...(isSame && source !== undefined && { source }),
    },
    source: from,
    spaceText: inSpace !== undefined ? textHash(inSpace) : page.spaceText === page.entry.text ? text : page.spaceText,
  };
}

/** Undefined if it is not certain which text the page has in the space. */
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

/** Whether the space has a different record. */
export function isNewRecord(layout: Layout, before: Layout, pages: readonly RecordPage[]): boolean {
  // The state of the space does not count.
  const folderOf = (entries: readonly BasePage[]) =>
    JSON.stringify(
      entries.map(({ id, parent, title, slug, path, href, text, ...page }) => [
        { id, parent, title, slug, path, href, text },
        metaOf(page),
      ]),
    );
  return (
    !isSameLayout(layout, before) ||
    before.pending !== undefined ||
    before.base === undefined ||
    folderOf(before.base.pages) !== folderOf(pages.map(({ entry }) => entry))
  );
}

/** The layout of a folder, without a base. @param kept IDs of pages of the space that are not in the folder and stay */
export function layoutFor(
  local: LocalFolder,
  remote: Remote,
  {
    layout: before,
    base,
    baseLayout,
    names,
    sent: texts,
    ofOthers,
  }: Pick<Compared, 'layout' | 'base' | 'baseLayout'> &
    Pick<Sides, 'sent'> & {
      names: ReadonlyMap<string, string>;
      /** Keys of pages whose texts in the space stay as others wrote them. */
      ofOthers: ReadonlySet<string>;
    },
  kept: ReadonlySet<string>,
): Layout {
  const pages = formerFiles(local, remote, { before, base, kept });
  const files = new Map<string, string>();
  const links = new Map<string, SentLink[]>();
  const derived = derivedFiles(local.pages.map((page) => ({ ...page, id: page.key })));
  const parents = new Set(local.pages.map(({ parent }) => parent));
  // The service does not distinguish an empty text from none; folders and labels without a text have no file.
  const couldHaveNoFile = ({ key, text }: LocalPage) => text === '' && (parents.has(key) || local.summary !== null);
  for (const page of local.pages) {
    const own = texts.get(page.key)?.links ?? [];
    // Others may have written them in another way since.
    const isKept =
      ofOthers.has(page.key) || (baseLayout && isDeepStrictEqual(baseLayout.links.get(page.path) ?? [], own));
    const sent = (isKept ? before.links.get(page.path) : undefined) ?? own;
    if (page.file !== null && (derived.get(page.key) !== page.file || couldHaveNoFile(page)))
      pages.set(page.path, page.file);
    if (sent.length > 0) links.set(page.path, [...sent]);
  }
  for (const [path, name] of names) if (derivedPath(name) !== path) files.set(name, path);
  // A file that the folder no longer has, or that is left out, keeps its place.
  const [inSpace, inFolder] = [new Set(remote.files.map(({ name }) => name)), new Set(names.values())];
  for (const [name, path] of before.files) {
    if (inSpace.has(name) && !inFolder.has(name) && !names.has(path)) files.set(name, path);
  }
  const { summary: text, summaryPath: path } = local;
  return {
    serial: before.serial + 1,
    ...(text !== null && { summary: { path, text } }),
    pages,
    files,
    old: oldFiles(names, remote, before),
    links,
  };
}

/**
 * The files of pages that were deleted in the folder and stay in the space, by the paths that the pages have there. If such
 * a file comes back, it is the same page.
 */
function formerFiles(
  local: LocalFolder,
  remote: Remote,
  { before, base, kept }: { before: Layout; base: Base | undefined; kept: ReadonlySet<string> },
): Map<string, string> {
  const present = new Set<string | null>(local.pages.map(({ file }) => file));
  const others = new Set([
    ...local.pages.map(({ path }) => path),
    ...remote.pages.flatMap(({ id, path }) => (path === undefined || kept.has(id) ? [] : [path])),
  ]);
  const files = new Map([...before.pages].filter(([path, file]) => !present.has(file) && !others.has(path)));
  const former = new Map(base?.pages.map(({ id, file }) => [id, file]));
  for (const { id, path } of remote.pages) {
    const file = kept.has(id) ? former.get(id) : undefined;
    if (path !== undefined && file !== undefined && !present.has(file)) files.set(path, file);
  }
  return files;
}

/** The files of the space that were replaced or removed, with their former paths. */
function oldFiles(names: ReadonlyMap<string, string>, { files }: Remote, before: Layout): Map<string, string> {
  const used = new Set(names.values());
  return new Map(
    files.flatMap(({ name }): [string, string][] => {
      const path = before.old.get(name) ?? before.files.get(name) ?? derivedPath(name);
      return !isOwnFile(name) && !used.has(name) && (names.has(path) || before.old.has(name)) ? [[name, path]] : [];
    }),
  );
}

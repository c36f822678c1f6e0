import type { BodyOf } from '../../../contract/endpoint.ts';
import { type content, maxInlineBytes } from '../../../contract/content.ts';
import { slugify } from '../../../content/markdown/slug.ts';
import { findPage, type PageState, stateOf } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { newId } from '../../../store/ids.ts';
import { findRevision } from '../../../store/revisions.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { RawText } from './documents.ts';
import { Draft, maxNesting, SlugTaken } from './draft.ts';
import { Invalid } from '../../engine/errors.ts';
import { type NewText, readTexts, type TextWork } from './new-texts.ts';
import type { Content } from '../find-content.ts';

export type Change = BodyOf<typeof content.change>['changes'][number];
type Of<O extends Change['operation']> = Extract<Change, { operation: O }>;
type FileInput = Of<'insert_files'>['files'][number];

/** A file of a call: its id, and its bytes where they came along. */
export interface GivenFile extends FileInput {
  id: string;
  bytes?: Uint8Array;
}

/** The changes of one call with all that could be read without the content they go to. */
export interface ReadChanges {
  changes: Change[];
  /** Ids of the pages that are made, by the number of their change. */
  ids: Map<number, string>;
  /** Ids of made pages by their `ref`. */
  pages: Map<string, string>;
  /** Texts by the number of their change; null for none. */
  documents: Map<number, NewText | null>;
  files: GivenFile[];
}

/** Names made things, rewrites links to them, and reads the texts. @throws Invalid; DomainError `too-complex` */
export async function readChanges(changes: Change[], work: TextWork): Promise<ReadChanges> {
  const read: ReadChanges = { changes, ids: new Map(), pages: new Map(), documents: new Map(), files: [] };
  const files = new Map<string, string>();
  const name = (ref: string | undefined, id: string, names: Map<string, string>, path: string) => {
    if (ref === undefined) return;
    if (read.pages.has(ref) || files.has(ref))
      throw new Invalid(path, 'is used twice; give each its own ref', 'unique');
    names.set(ref, id);
  };
  for (const [at, change] of changes.entries()) {
    if (change.operation === 'insert_page') {
      const id = newId();
      read.ids.set(at, id);
      name(change.ref, id, read.pages, `/changes/${at}/ref`);
    } else if (change.operation === 'insert_files') {
      for (const [index, file] of change.files.entries()) {
        const path = `/changes/${at}/files/${index}`;
        const id = newId();
        name(file.ref, id, files, `${path}/ref`);
        read.files.push({ ...file, id, ...bytesOf(file, `${path}/base64`) });
      }
    }
  }
  const placed = changes.flatMap((change, index) => {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') return [];
    const { document } = change;
    return document === undefined ? [] : [{ index, ...rawText(document, `/changes/${index}/document`) }];
  });
  const texts = await readTexts(placed, { pages: read.pages, files }, work);
  for (const [place, { index }] of placed.entries()) read.documents.set(index, texts[place]!);
  return read;
}

function bytesOf({ base64 }: FileInput, path: string): { bytes?: Uint8Array } {
  if (base64 === undefined) return {};
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new Invalid(path, 'must be Base64, padded, without line breaks', 'format');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.byteLength > maxInlineBytes) {
    throw new Invalid(path, 'must be at most 1 MB; give larger files by their url', 'maxLength');
  }
  return { bytes };
}

/** @returns the text with its place in the body */
function rawText(document: Record<string, unknown>, path: string): { text: RawText; path: string } {
  const { markdown } = document;
  // The tree may also stand there by itself.
  const own = document.object === 'document';
  const tree = own ? document : document.document;
  if (markdown !== undefined && tree !== undefined) {
    throw new Invalid(path, 'must have markdown or a document, not both', 'conflict');
  }
  if (markdown !== undefined) {
    if (typeof markdown !== 'string') throw new Invalid(`${path}/markdown`, 'must be a string', 'type');
    return { text: { markdown }, path };
  }
  return tree === undefined
    ? { text: { markdown: '' }, path }
    : { text: { tree }, path: own ? path : `${path}/document` };
}

/** Applies the changes in their order to a draft of the content. Nothing is written. @throws Invalid */
export async function draftChanges(db: Db, target: Content, read: ReadChanges, now: string): Promise<Draft> {
  const draft = new Draft(db, target.at);
  const drafting: Drafting = { db, target, read, now, draft };
  for (const [at, change] of read.changes.entries()) {
    if (change.operation === 'insert_page') await insertPage(drafting, at, change);
    else if (change.operation === 'update_page') await updatePage(drafting, at, change);
    else if (change.operation === 'delete_page') await draft.remove(await pageOf(drafting, at, change.page));
    else if (change.operation === 'revert_page') await revertPage(drafting, at, change);
  }
  try {
    await draft.separateSlugs();
  } catch (error) {
    if (!(error instanceof SlugTaken)) throw error;
    throw new Invalid(error.path, `is the slug of the page "${error.holder}" beside it; choose another one`, 'unique');
  }
  return draft;
}

interface Drafting {
  db: Db;
  target: Content;
  read: ReadChanges;
  now: string;
  draft: Draft;
}

/** The id of a page that is named by its id, or by its `ref` in the same call. */
async function pageOf({ draft, read }: Drafting, at: number, named: string, member = 'page'): Promise<string> {
  const id = read.pages.get(named) ?? named;
  if (!(await draft.find(id))) throw new Invalid(`/changes/${at}/${member}`, 'names no page of this content');
  return id;
}

/** Where a page goes. @throws Invalid for a parent that is not there, that holds no pages, or lies too deep */
async function parentOf(drafting: Drafting, at: number, into: string | null, height: number): Promise<string | null> {
  if (into === null) return null;
  const { draft } = drafting;
  const parent = await pageOf(drafting, at, into, 'into');
  const { type } = (await draft.find(parent))!;
  const path = `/changes/${at}/into`;
  if (type !== 'document' && type !== 'group') throw new Invalid(path, `names a ${type} page, which holds no others`);
  if ((await draft.depth(parent)) + height > maxNesting) {
    throw new Invalid(path, `lies too deep: pages nest at most ${maxNesting} levels`, 'maximum');
  }
  return parent;
}

async function insertPage(drafting: Drafting, at: number, change: Of<'insert_page'>): Promise<void> {
  const { draft, read, now } = drafting;
  const id = read.ids.get(at)!;
  const parent = await parentOf(drafting, at, change.into ?? null, 1);
  const document = read.documents.get(at) ?? null;
  const title = document?.title ?? change.title ?? 'Untitled';
  const position = await draft.placeUnder(parent, id, change.at);
  await draft.put(
    id,
    {
      parent,
      position,
      type: 'document',
      title,
      slug: change.slug ?? slugify(title),
      emoji: textOrNone(change.emoji) ?? null,
      icon: textOrNone(change.icon) ?? null,
      description: textOrNone(change.description) ?? null,
      document: document?.id ?? null,
      hidden: Number(change.hidden ?? false),
      no_index: Number(change.noIndex ?? false),
      no_robots_index: Number(change.noRobotsIndex ?? false),
      extra: null,
      created_at: now,
      updated_at: now,
    },
    change.slug === undefined ? undefined : `/changes/${at}/slug`,
  );
}

// An empty text says the same as null: there is none.
const textOrNone = (text: string | null | undefined) => (text === '' ? null : text);

async function updatePage(drafting: Drafting, at: number, change: Of<'update_page'>): Promise<void> {
  const { draft, db, read } = drafting;
  const id = await pageOf(drafting, at, change.page);
  const state = (await draft.find(id))!;
  const given: Partial<PageState> = {
    title: change.title,
    slug: change.slug,
    emoji: textOrNone(change.emoji),
    icon: textOrNone(change.icon),
    description: textOrNone(change.description),
    hidden: flag(change.hidden),
    no_index: flag(change.noIndex),
    no_robots_index: flag(change.noRobotsIndex),
    document: await documentOf(db, read, at, state),
  };
  for (const member of Object.keys(given) as (keyof PageState)[]) {
    if (given[member] === undefined) delete given[member];
  }
  const changed = { ...state, ...given };
  if (change.into !== undefined || change.at !== undefined) {
    changed.parent = change.into === undefined ? state.parent : await newParent(drafting, at, id, change.into);
    changed.position = await draft.placeUnder(changed.parent, id, change.at);
  }
  await draft.put(id, changed, change.slug === undefined ? undefined : `/changes/${at}/slug`);
}

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

/** The document that a change's text makes: the present one where it is the same text. */
async function documentOf(db: Db, read: ReadChanges, at: number, state: PageState) {
  const text = read.documents.get(at);
  if (!text || state.document === null) return text === undefined || text === null ? text : text.id;
  const ofThisCall = [...read.documents.values()].find((each) => each?.id === state.document);
  const present = ofThisCall ? ofThisCall.markdown : await markdownOf(db, state.document);
  return present === text.markdown ? state.document : text.id;
}

async function newParent(drafting: Drafting, at: number, id: string, into: string | null): Promise<string | null> {
  const { draft } = drafting;
  if (into === null) return null;
  const path = `/changes/${at}/into`;
  const { type } = (await draft.find(id))!;
  if (type === 'group') throw new Invalid(path, 'must be null: a group stands on the top level');
  const parent = await pageOf(drafting, at, into, 'into');
  if (await draft.isWithin(parent, id)) throw new Invalid(path, 'names the page itself or one under it');
  return parentOf(drafting, at, into, await draft.height(id));
}

async function revertPage(drafting: Drafting, at: number, change: Of<'revert_page'>): Promise<void> {
  const { db, draft, read } = drafting;
  const source = await revisionOf(drafting, at, change.revision);
  const id = read.pages.get(change.page) ?? change.page;
  const before = await findPage(db, source, id);
  if (!before) {
    // It was not there then, so that going back takes it away.
    await draft.remove(await pageOf(drafting, at, change.page));
    return;
  }
  const state = stateOf(before);
  const path = `/changes/${at}/page`;
  if (state.parent !== null) {
    if (!(await draft.find(state.parent))) {
      throw new Invalid(path, `was under the page ${state.parent}, which is gone; revert that one first`);
    }
    if (await draft.isWithin(state.parent, id)) {
      throw new Invalid(path, `was under the page ${state.parent}, which is now under it; move that one first`);
    }
    const height = (await draft.find(id)) ? await draft.height(id) : 1;
    if ((await draft.depth(state.parent)) + height > maxNesting) {
      throw new Invalid(path, `would lie too deep: pages nest at most ${maxNesting} levels`, 'maximum');
    }
  }
  await draft.put(id, state);
}

/** Where a page is reverted to: the revision asked for, or the one that the content rests on. */
async function revisionOf({ db, target }: Drafting, at: number, id: string | undefined) {
  if (id !== undefined) {
    const revision = await findRevision(db, id);
    if (revision?.space !== target.space.id) {
      throw new Invalid(`/changes/${at}/revision`, 'names no revision of this space');
    }
    return snapshotOf(db, id);
  }
  if (target.changeRequest) return { ...target.at, line: '', own: 0 };
  const present = (await findRevision(db, target.at.revision))!;
  const [before] = JSON.parse(present.parents) as string[];
  return snapshotOf(db, before ?? present.id);
}

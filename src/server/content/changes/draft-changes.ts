import { slugify } from '../../../content/markdown/slug.ts';
import { getFrom } from '../../../shared/get-from.ts';
import { withoutUndefined } from '../../../shared/without-undefined.ts';
import { findPage, type PageState, stateOf } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { parseJson } from '../../../store/json.ts';
import { findRevision } from '../../../store/revisions.ts';
import { type Snapshot, snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { Invalid } from '../../engine/errors.ts';
import { baseOf, type Content } from '../find-content.ts';
import { Draft, maxNesting, SlugTaken } from './draft.ts';
import type { ChangeOf, ReadChanges } from './read-changes.ts';

/** Applies the changes in their order to a draft of the content. Nothing is written. @throws Invalid */
export async function draftChanges(db: Db, target: Content, changes: ReadChanges, now: string): Promise<Draft> {
  const draft = new Draft(db, target.snapshot);
  const drafting: Drafting = { db, target, changes, now, draft };
  for (const [index, change] of changes.changes.entries()) {
    if (change.operation === 'insert_page') await insertPage(drafting, index, change);
    else if (change.operation === 'update_page') await updatePage(drafting, index, change);
    else if (change.operation === 'delete_page') await draft.remove(await pageIdFor(drafting, index, change.page));
    else if (change.operation === 'revert_page') await revertPage(drafting, index, change);
  }
  try {
    await draft.separateSlugs();
  } catch (error) {
    if (!(error instanceof SlugTaken)) throw error;
    const message = `is the slug of the page "${error.otherPage}" under the same parent; choose another one`;
    throw new Invalid(error.path, message, 'unique');
  }
  return draft;
}

interface Drafting {
  db: Db;
  target: Content;
  changes: ReadChanges;
  now: string;
  draft: Draft;
}

/** @param idOrRef id of a page, or its `ref` in the same request. @throws Invalid */
async function pageIdFor(
  { draft, changes }: Drafting,
  index: number,
  idOrRef: string,
  member = 'page',
): Promise<string> {
  const id = changes.pages.get(idOrRef) ?? idOrRef;
  if (!(await draft.find(id))) throw new Invalid(`/changes/${index}/${member}`, 'is not a page of this content');
  return id;
}

/**
 * @param height levels that the page and those under it need
 * @throws Invalid for a parent that does not exist, that cannot have pages, or that is too deep
 */
async function parentFor(
  drafting: Drafting,
  index: number,
  into: string | null,
  height: number,
): Promise<string | null> {
  if (into === null) return null;
  const { draft } = drafting;
  const parent = await pageIdFor(drafting, index, into, 'into');
  const { type } = await draft.get(parent);
  const path = `/changes/${index}/into`;
  if (type !== 'document' && type !== 'group')
    throw new Invalid(path, `is a ${type} page, which cannot have pages under it`);
  if ((await draft.depth(parent)) + height > maxNesting)
    throw new Invalid(path, `is too deep: pages can be nested at most ${maxNesting} levels`, 'maximum');
  return parent;
}

async function insertPage(drafting: Drafting, index: number, change: ChangeOf<'insert_page'>): Promise<void> {
  const { draft, changes, now } = drafting;
  const id = getFrom(changes.ids, index);
  const parent = await parentFor(drafting, index, change.into ?? null, 1);
  const document = changes.documents.get(index) ?? null;
  const title = document?.title ?? change.title ?? 'Untitled';
  const position = await draft.positionUnder(parent, id, change.at);
  await draft.put(
    id,
    {
      parent,
      position,
      type: 'document',
      title,
      slug: change.slug ?? slugify(title),
      emoji: textOrNull(change.emoji) ?? null,
      icon: textOrNull(change.icon) ?? null,
      description: textOrNull(change.description) ?? null,
      document: document?.id ?? null,
      hidden: Number(change.hidden ?? false),
      no_index: Number(change.noIndex ?? false),
      no_robots_index: Number(change.noRobotsIndex ?? false),
      extra: null,
      created_at: now,
      updated_at: now,
    },
    slugPathOf(index, change),
  );
}

// An empty text means the same as null.
const textOrNull = (text: string | null | undefined) => (text === '' ? null : text);

const slugPathOf = (index: number, { slug }: { slug?: string | undefined }) =>
  slug === undefined ? undefined : `/changes/${index}/slug`;

async function updatePage(drafting: Drafting, index: number, change: ChangeOf<'update_page'>): Promise<void> {
  const { draft } = drafting;
  const id = await pageIdFor(drafting, index, change.page);
  const state = await draft.get(id);
  const columns: Partial<PageState> = {
    title: change.title,
    slug: change.slug,
    emoji: textOrNull(change.emoji),
    icon: textOrNull(change.icon),
    description: textOrNull(change.description),
    hidden: numberOf(change.hidden),
    no_index: numberOf(change.noIndex),
    no_robots_index: numberOf(change.noRobotsIndex),
    document: await documentFor(drafting, index, state),
  };
  const changed = { ...state, ...withoutUndefined(columns) };
  if (change.into !== undefined || change.at !== undefined) {
    changed.parent = change.into === undefined ? state.parent : await newParent(drafting, index, id, change.into);
    changed.position = await draft.positionUnder(changed.parent, id, change.at);
  }
  await draft.put(id, changed, slugPathOf(index, change));
}

const numberOf = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

/** The document of a change's text: the one that the page has if the text is the same. */
async function documentFor({ db, changes }: Drafting, index: number, { document }: PageState) {
  const text = changes.documents.get(index);
  if (!text || document === null) return text === undefined || text === null ? text : text.id;
  const ofThisRequest = [...changes.documents.values()].find((newText) => newText?.id === document);
  const markdown = ofThisRequest ? ofThisRequest.markdown : await markdownOf(db, document);
  return markdown === text.markdown ? document : text.id;
}

async function newParent(drafting: Drafting, index: number, id: string, into: string | null): Promise<string | null> {
  const { draft } = drafting;
  if (into === null) return null;
  const path = `/changes/${index}/into`;
  const { type } = await draft.get(id);
  if (type === 'group') throw new Invalid(path, 'must be null: a group can only be on the top level');
  const parent = await pageIdFor(drafting, index, into, 'into');
  if (await draft.isWithin(parent, id)) throw new Invalid(path, 'is the page itself or a page under it');
  return parentFor(drafting, index, into, await draft.height(id));
}

async function revertPage(drafting: Drafting, index: number, change: ChangeOf<'revert_page'>): Promise<void> {
  const { db, draft, changes } = drafting;
  const source = await sourceOf(drafting, index, change.revision);
  const id = changes.pages.get(change.page) ?? change.page;
  const before = await findPage(db, source, id);
  if (!before) {
    // The page did not exist then, so reverting deletes it.
    await draft.remove(await pageIdFor(drafting, index, change.page));
    return;
  }
  const state = stateOf(before);
  await assertPossibleParent(draft, id, state.parent, `/changes/${index}/page`);
  await draft.put(id, state);
}

/** @throws Invalid if the page cannot be under its earlier parent again */
async function assertPossibleParent(draft: Draft, id: string, parent: string | null, path: string): Promise<void> {
  if (parent === null) return;
  if (!(await draft.find(parent)))
    throw new Invalid(path, `was under the page ${parent}, which is deleted; revert that page first`);
  if (await draft.isWithin(parent, id))
    throw new Invalid(path, `was under the page ${parent}, which is under it now; move that page first`);
  const height = (await draft.find(id)) ? await draft.height(id) : 1;
  if ((await draft.depth(parent)) + height > maxNesting)
    throw new Invalid(path, `would be too deep: pages can be nested at most ${maxNesting} levels`, 'maximum');
}

/** The content to revert to: the given revision, else the base of a change request or the previous revision. */
async function sourceOf({ db, target }: Drafting, index: number, id: string | undefined): Promise<Snapshot> {
  if (id !== undefined) {
    const revision = await findRevision(db, id);
    if (revision?.space !== target.space.id)
      throw new Invalid(`/changes/${index}/revision`, 'is not a revision of this space');
    return snapshotOf(db, id);
  }
  if (target.changeRequest) return baseOf(target.snapshot);
  const { revision } = target.snapshot;
  const row = await findRevision(db, revision);
  const [previous] = row ? parseJson(row.parents) : [];
  return snapshotOf(db, previous ?? revision);
}

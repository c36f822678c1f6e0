import { atLeast } from '../../contract/access.ts';
import { holdingOf, isWithin, placeContent, siteShowing, transferContent } from '../../store/collections.ts';
import { findCollection, findOrganization, findSpace } from '../../store/lookups.ts';
import { contentOrder, type Item } from '../../store/siblings.ts';
import type { Db } from '../../store/store.ts';
import { forbidden } from '../engine/access.ts';
import type { OrgAt } from '../engine/context.ts';
import { Conflict, Forbidden, Invalid } from '../engine/errors.ts';
import type { Asked } from '../engine/implement.ts';
import { levelOn } from '../organizations/levels.ts';
import { landing } from './positions.ts';
import { roleIn } from '../engine/access.ts';

/** Where spaces and collections may stand, and how they get there: the rules are the same for both. */

export const asking = (org: OrgAt, user: string) => ({ organization: org.id, user, role: roleIn(org) });

type Asker = Pick<Asked, 'db' | 'caller'> & { at: { org: OrgAt } };

async function collectionSeen({ db, caller, at: { org } }: Asker, id: string) {
  const collection = await findCollection(db, id);
  if (collection?.organization !== org.id) return undefined;
  const level = await levelOn(db, asking(org, caller.id), 'collection', collection);
  return level === null ? undefined : { ...collection, level };
}

/**
 * Whether content may be put under a parent: creating it anywhere in the organization, or under that one, is allowed.
 *
 * @throws Forbidden, also for a parent that the caller cannot see
 */
export async function permitUnder(asker: Asker, parent: string | null): Promise<void> {
  if (atLeast(asker.at.org.caller_role, 'create')) return;
  if (parent === null) throw forbidden('organization', 'createContent');
  const collection = await collectionSeen(asker, parent);
  if (!collection || !atLeast(collection.level, 'create')) throw forbidden('collection', 'create');
}

/** For a body whose `parent` says where something new goes. */
export const permitCreation = (asked: Asked<unknown> & Asker) =>
  permitUnder(asked, typeof asked.body.parent === 'string' ? asked.body.parent : null);

/** @throws Invalid for a parent that is not there for the caller */
export async function assertVisibleParent(asker: Asker, parent: string | null | undefined): Promise<void> {
  if (parent == null || (await collectionSeen(asker, parent))) return;
  throw new Invalid('/parent', 'names no collection of this organization that you can see');
}

type Pointer = { type: 'space'; space: string } | { type: 'collection'; collection: string };

const pointed = (pointer: Pointer): Item =>
  pointer.type === 'space' ? { table: 'space', id: pointer.space } : { table: 'collection', id: pointer.collection };

export interface Move {
  parent?: string | null | undefined;
  position?: { before?: Pointer | undefined; after?: Pointer | undefined } | undefined;
}

/** A space or collection as the path names it. */
interface Standing {
  table: 'space' | 'collection';
  id: string;
  parent: string | null;
}

/** A move needs `create` on the new parent as well (open parts, section 7). */
export async function permitMove(asked: Asker & Pick<Asked, 'body'>, { parent }: { parent: string | null }) {
  const wanted = asked.body.parent;
  if (wanted === parent || (wanted !== null && typeof wanted !== 'string')) return;
  await permitUnder(asked, wanted);
}

/** @throws Invalid for a parent or neighbour that will not do; Conflict where nothing would change */
export async function moveContent(asker: Asker, { table, id, parent: present }: Standing, move: Move): Promise<void> {
  const { db, at } = asker;
  const parent = move.parent === undefined ? present : move.parent;
  if (parent !== present) {
    await assertVisibleParent(asker, parent);
    if (table === 'collection' && parent !== null && (await isWithin(db, parent, id))) {
      throw new Invalid('/parent', 'names the collection itself or one inside it; a collection cannot hold itself');
    }
  }
  const position = await seen(asker, move.position);
  const { positions, stays } = await landing(db, contentOrder(at.org.id, parent), [{ table, id }], position);
  if (stays && parent === present) {
    throw new Conflict('no-change', `The ${table} stands there already, so the move would change nothing.`);
  }
  await placeContent(db, { table, id }, { parent, position: positions[0]! });
}

/** @throws Invalid for a neighbour that the caller cannot see */
async function seen(asker: Asker, position: Move['position'] = {}) {
  const { db, caller, at } = asker;
  const found: { before?: Item; after?: Item } = {};
  for (const which of ['before', 'after'] as const) {
    const pointer = position[which];
    if (!pointer) continue;
    const item = pointed(pointer);
    const row = item.table === 'space' ? await findSpace(db, item.id) : await findCollection(db, item.id);
    const level =
      row?.organization === at.org.id ? await levelOn(db, asking(at.org, caller.id), pointer.type, row) : null;
    if (level === null) throw new Invalid(`/position/${which}`, `names no ${pointer.type} that you can see`);
    found[which] = item;
  }
  return found;
}

async function targetOrganization(db: Db, caller: string, id: unknown): Promise<OrgAt | undefined> {
  const org = typeof id === 'string' ? await findOrganization(db, id, caller) : undefined;
  return org && org.caller_user !== null ? org : undefined;
}

/** A transfer needs `createContent` in the organization it goes to. */
export async function permitTransfer({ db, caller, body }: Pick<Asked, 'db' | 'caller' | 'body'>): Promise<void> {
  const target = await targetOrganization(db, caller.id, body.organization);
  if (!target) return;
  if (target.caller_disabled) {
    throw new Forbidden('Your membership in the target organization is disabled.', 'member-disabled');
  }
  if (target.blocked !== null) {
    throw new Forbidden('The target organization is blocked, so nothing in it can be changed.', 'organization-blocked');
  }
  if (!atLeast(target.caller_role, 'create')) throw forbidden('target organization', 'createContent');
}

/**
 * Gives a space or collection to another organization.
 *
 * @returns the organization it is in now
 */
export async function transfer(
  { db, caller }: Pick<Asker, 'db' | 'caller'>,
  { table, id, organization }: { table: 'space' | 'collection'; id: string; organization: string },
  to: string,
): Promise<OrgAt> {
  const target = await targetOrganization(db, caller.id, to);
  if (!target) throw new Invalid('/organization', 'names no organization that you belong to');
  if (target.id === organization) {
    throw new Conflict('no-change', `The ${table} is in this organization already.`);
  }
  const held = await holdingOf(db, { table, id });
  const site = await siteShowing(db, held.spaces);
  if (site) {
    throw new Conflict(
      'cannot-move',
      table === 'space'
        ? `The space is in the site "${site.title}". Take it out of its sites before you transfer it.`
        : `A space of this collection is in the site "${site.title}". Take it out of its sites before you transfer it.`,
    );
  }
  await transferContent(db, { table, id }, held, target.id);
  return target;
}

import { atLeast, lackingUnder } from '../../../contract/access.ts';
import { holdingOf, isWithin, placeContent, siteShowing, transferContent } from '../../../store/collections.ts';
import { findCollection, findOrganization, findSpace } from '../../../store/lookups.ts';
import { type ContentItem, contentOrder } from '../../../store/siblings.ts';
import type { Db } from '../../../store/store.ts';
import { forbidden, organizationAllows } from '../../engine/access.ts';
import type { LoadedOrg } from '../../engine/context.ts';
import { Conflict, Forbidden, Invalid } from '../../engine/errors.ts';
import type { Asked } from '../../engine/implement.ts';
import { levelOn } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { positionAt } from './positions.ts';

/** Where spaces and collections are, and how they are moved: the rules are the same for both. */

type OrgScope = Pick<Asked, 'db' | 'caller'> & { objects: { org: LoadedOrg } };

async function visibleItem({ db, caller, objects: { org } }: OrgScope, { table, id }: ContentItem) {
  const row = table === 'space' ? await findSpace(db, id) : await findCollection(db, id);
  if (row?.organization !== org.id) return undefined;
  const level = await levelOn(db, viewerIn(org, caller.id), table, row);
  return level === null ? undefined : { ...row, level };
}

/**
 * Permits to add content under a parent to those who can create content there or in the whole organization.
 *
 * @throws Forbidden, also for a parent that the caller cannot see
 */
export async function permitUnder(scope: OrgScope, parent: string | null): Promise<void> {
  const lacking = await lackingUnder(parent, {
    inOrganization: organizationAllows(scope.objects.org, 'createContent'),
    async inCollection(id) {
      const collection = await visibleItem(scope, { table: 'collection', id });
      return atLeast(collection?.level, 'create');
    },
  });
  if (lacking) throw forbidden(...lacking);
}

/** For a body whose `parent` says where the new object goes. */
export const permitCreation = (asked: Asked<unknown> & OrgScope) =>
  permitUnder(asked, typeof asked.body.parent === 'string' ? asked.body.parent : null);

/** @throws Invalid for a parent that does not exist or that the caller cannot see */
export async function assertVisibleParent(scope: OrgScope, parent: string | null | undefined): Promise<void> {
  if (parent == null || (await visibleItem(scope, { table: 'collection', id: parent }))) return;
  throw new Invalid('/parent', 'is not a collection of this organization that you can see');
}

type Pointer = { type: 'space'; space: string } | { type: 'collection'; collection: string };

const itemOf = (pointer: Pointer): ContentItem =>
  pointer.type === 'space' ? { table: 'space', id: pointer.space } : { table: 'collection', id: pointer.collection };

export interface Move {
  parent?: string | null | undefined;
  position?: { before?: Pointer | undefined; after?: Pointer | undefined } | undefined;
}

/** A move also needs `create` on the new parent. */
export async function permitMove(asked: OrgScope & Pick<Asked, 'body'>, item: { parent: string | null }) {
  const { parent } = asked.body;
  if (parent === item.parent || (parent !== null && typeof parent !== 'string')) return;
  await permitUnder(asked, parent);
}

/** @throws Invalid for a parent or neighbour that cannot be used; Conflict if nothing would change */
export async function moveContent(
  scope: OrgScope,
  item: ContentItem & { parent: string | null },
  move: Move,
): Promise<void> {
  const { db, objects } = scope;
  const { table, id } = item;
  const parent = move.parent === undefined ? item.parent : move.parent;
  if (parent !== item.parent) {
    await assertVisibleParent(scope, parent);
    if (table === 'collection' && parent !== null && (await isWithin(db, parent, id)))
      throw new Invalid('/parent', 'is the collection itself or inside it; a collection cannot move into itself');
  }
  const before = await visibleNeighbour(scope, 'before', move.position?.before);
  const after = await visibleNeighbour(scope, 'after', move.position?.after);
  const order = contentOrder(objects.org.id, parent);
  const { position, stays } = await positionAt(db, order, { table, id }, { before, after });
  if (stays && parent === item.parent) throw new Conflict('no-change', `The ${table} is at this place already.`);
  await placeContent(db, { table, id }, { parent, position });
}

/** @throws Invalid for a neighbour that the caller cannot see */
async function visibleNeighbour(scope: OrgScope, side: 'before' | 'after', pointer: Pointer | undefined) {
  if (!pointer) return undefined;
  const item = itemOf(pointer);
  if (await visibleItem(scope, item)) return item;
  throw new Invalid(`/position/${side}`, `is not a ${pointer.type} that you can see`);
}

async function targetOrganization(db: Db, caller: string, id: unknown): Promise<LoadedOrg | undefined> {
  const org = typeof id === 'string' ? await findOrganization(db, id, caller) : undefined;
  return org && org.caller_user !== null ? org : undefined;
}

/** A transfer needs `createContent` in the target organization. */
export async function permitTransfer({ db, caller, body }: Pick<Asked, 'db' | 'caller' | 'body'>): Promise<void> {
  const target = await targetOrganization(db, caller.id, body.organization);
  if (!target) return;
  if (target.caller_disabled)
    throw new Forbidden('Your membership in the target organization is disabled.', 'member-disabled');
  if (target.blocked !== null)
    throw new Forbidden('The target organization is blocked, so nothing in it can be changed.', 'organization-blocked');
  if (!atLeast(target.caller_role, 'create')) throw forbidden('target organization', 'createContent');
}

/**
 * Moves a space or collection to another organization.
 *
 * @returns the target organization
 */
export async function transfer(
  { db, caller }: Pick<OrgScope, 'db' | 'caller'>,
  { table, id, organization }: ContentItem & { organization: string },
  to: string,
): Promise<LoadedOrg> {
  const target = await targetOrganization(db, caller.id, to);
  if (!target) throw new Invalid('/organization', 'is not an organization that you belong to');
  if (target.id === organization) throw new Conflict('no-change', `The ${table} is in this organization already.`);
  const held = await holdingOf(db, { table, id });
  const site = await siteShowing(db, held.spaces);
  if (site) {
    const subject = table === 'space' ? 'The space' : 'A space of this collection';
    throw new Conflict(
      'cannot-move',
      `${subject} is in the site "${site.title}" (${site.id}). Remove it from its sites before you transfer it.`,
    );
  }
  await transferContent(db, { table, id }, held, target.id);
  return target;
}

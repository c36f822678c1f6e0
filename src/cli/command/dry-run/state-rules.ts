import { changeRequests } from '../../../contract/change-requests.ts';
import { collections } from '../../../contract/collections.ts';
import type { Reason } from '../../../contract/errors.ts';
import { invites } from '../../../contract/invites.ts';
import { sectionGroups } from '../../../contract/section-groups.ts';
import { siteSections } from '../../../contract/site-sections.ts';
import { siteSpaces } from '../../../contract/site-spaces.ts';
import { sites } from '../../../contract/sites.ts';
import { spaces } from '../../../contract/spaces.ts';
import { isObject } from '../../../shared/is-object.ts';
import { valueAt } from '../../../shared/value-at.ts';
import type { Fields, Invocation } from '../command.ts';
import { lookUp, type Params } from './named-objects.ts';

/** A call, and the object that it is about. */
interface RuledCall {
  invocation: Invocation;
  params: Params;
  object: unknown;
  body: Fields;
}

/** Why the state of the organization does not allow a call. */
interface Refusal {
  reason: Reason;
  message: string;
  /** The field at fault. */
  path?: string;
}

type Rule = (call: RuledCall) => Refusal | undefined | Promise<Refusal | undefined>;

const invalidState = (message: string): Refusal => ({ reason: 'invalid-state', message });
const invalid = (path: string, message: string): Refusal => ({ reason: 'validation', message, path });

const isMoved = (side: string, id: unknown) =>
  invalid(`/position/${side}`, `is ${JSON.stringify(id)}, which is moved itself; name a sibling of its new place`);

const notUnderParent = (side: string, id: unknown) =>
  invalid(`/position/${side}`, `is ${JSON.stringify(id)}, which is not under the target parent; name an item that is`);

/** The position of a move must be next to something under the target parent. */
async function refuseMove({ invocation, object, params, body }: RuledCall): Promise<Refusal | undefined> {
  const own = valueAt(object, 'parent') ?? null;
  const parent = body.parent === undefined ? own : body.parent;
  if (valueAt(object, 'object') === 'collection' && (await isWithin(invocation, parent, params['collectionId'])))
    return invalid('/parent', 'is the collection itself or inside it; a collection cannot move into itself');
  for (const side of ['before', 'after']) {
    const pointer = isObject(body.position) ? body.position[side] : undefined;
    if (!isObject(pointer)) continue;
    const [space, collection] = [pointer['space'], pointer['collection']];
    const neighbour =
      typeof space === 'string'
        ? await lookUp(invocation, spaces.view.path, { spaceId: space })
        : await lookUp(invocation, collections.view.path, { collectionId: String(collection) });
    if (valueAt(neighbour, 'id') === valueAt(object, 'id')) return isMoved(side, space ?? collection);
    if ((valueAt(neighbour, 'parent') ?? null) !== parent) return notUnderParent(side, space ?? collection);
  }
  return undefined;
}

/** Whether a collection is the same as another one, or inside it. */
async function isWithin(invocation: Invocation, id: unknown, ancestor: string | undefined): Promise<boolean> {
  for (let current = id; typeof current === 'string';) {
    if (current === ancestor) return true;
    current = valueAt(await lookUp(invocation, collections.view.path, { collectionId: current }), 'parent');
  }
  return false;
}

/** A section group must move next to a section or section group of its site. */
async function refuseGroupMove({ invocation, params, body }: RuledCall): Promise<Refusal | undefined> {
  const { orgId = '', siteId = '' } = params;
  const client = await invocation.client();
  for (const side of ['before', 'after']) {
    const id = valueAt(body, `position.${side}.id`);
    if (id === undefined) continue;
    const input = { params: { orgId, siteId } };
    const [groups, sections] = await Promise.all([
      Array.fromAsync(client.items(sectionGroups.list, input)),
      Array.fromAsync(client.items(siteSections.list, input)),
    ]);
    if (![...groups, ...sections].some((each) => each.id === id)) return notUnderParent(side, id);
  }
  return undefined;
}

function refuseSectionMove({ object, body }: RuledCall): Refusal | undefined {
  const own = valueAt(object, 'id');
  const side = ['before', 'after'].find((each) => valueAt(body, `position.${each}.siteSection`) === own);
  return side === undefined ? undefined : isMoved(side, own);
}

/** A site space must move next to another one of its section. */
async function refuseSiteSpaceMove(call: RuledCall): Promise<Refusal | undefined> {
  for (const side of ['before', 'after']) {
    const id = valueAt(call.body, `position.${side}.siteSpace`);
    if (id === undefined) continue;
    if (id === valueAt(call.object, 'id')) return isMoved(side, id);
    if (!(await inSameSection(call)).some((each) => each.id === id)) return notUnderParent(side, id);
  }
  return undefined;
}

/** The site spaces in the section of a site space, or outside of sections as it is. */
async function inSameSection({ invocation, object, params: { orgId = '', siteId = '' } }: RuledCall) {
  const client = await invocation.client();
  const all = await Array.fromAsync(client.items(siteSpaces.list, { params: { orgId, siteId } }));
  return all.filter(({ section }) => section === valueAt(object, 'section'));
}

async function refuseRemoval(call: RuledCall): Promise<Refusal | undefined> {
  const section = valueAt(call.object, 'section');
  if (section === undefined || (await inSameSection(call)).length > 1) return undefined;
  return invalidState(
    `This is the only site space of its section (${String(section)}). Remove the section instead, or add another space to it first.`,
  );
}

const rules: Readonly<Record<string, Rule>> = {
  [changeRequests.edit.name]: ({ object, body: { status } }) =>
    status !== undefined && valueAt(object, 'status') === 'merged'
      ? invalidState(`Change request #${String(valueAt(object, 'number'))} is merged, so its status cannot be changed.`)
      : undefined,
  [changeRequests.merge.name]: ({ object }) =>
    ['draft', 'archived', 'merged'].includes(String(valueAt(object, 'status')))
      ? invalidState(
          `Only an open change request can be merged; #${String(valueAt(object, 'number'))} is ${String(valueAt(object, 'status'))}.`,
        )
      : undefined,
  [spaces.restore.name]: ({ object }) =>
    valueAt(object, 'object') === 'space' && valueAt(object, 'deletedAt') === undefined
      ? invalidState('This space is not deleted, so it cannot be restored.')
      : undefined,
  [spaces.move.name]: refuseMove,
  [collections.move.name]: refuseMove,
  [sites.publish.name]: ({ object }) =>
    valueAt(object, 'siteSpaces') === 0
      ? invalidState('This site has no site spaces, so it cannot be published. Add a space to it first.')
      : undefined,
  [siteSections.move.name]: refuseSectionMove,
  [siteSpaces.move.name]: refuseSiteSpaceMove,
  [siteSpaces.remove.name]: refuseRemoval,
  [sectionGroups.move.name]: refuseGroupMove,
  [sectionGroups.remove.name]: ({ object, params: { siteSectionGroupId, siteSectionId = '' } }) =>
    valueAt(object, 'sectionGroup') === siteSectionGroupId
      ? undefined
      : { reason: 'not-found', message: `Section of this group ${JSON.stringify(siteSectionId)} not found.` },
  [invites.editLink.name]: ({ object, body: { role, level } }) => {
    const isToContent = valueAt(object, 'space') !== undefined || valueAt(object, 'collection') !== undefined;
    if (isToContent && role !== undefined)
      return invalid('/role', 'is for invites to the organization; this one is to content, use level');
    if (!isToContent && level !== undefined)
      return invalid('/level', 'is for invites to content; this one is to the organization, use role');
    return undefined;
  },
};

/** Why the state of the organization does not allow a call, as far as GET requests show it. */
export const refusalOf = async (name: string, call: RuledCall): Promise<Refusal | undefined> => rules[name]?.(call);

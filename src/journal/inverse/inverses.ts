import { changeRequests } from '../../contract/change-requests.ts';
import { collections } from '../../contract/collections.ts';
import { changeRequestComments, comments } from '../../contract/comments.ts';
import { fields } from '../../contract/custom-fields.ts';
import { invites } from '../../contract/invites.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { siteSections } from '../../contract/site-sections.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import { translations } from '../../contract/translations.ts';
import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';
import { type Inverse, type Irreversible, type MadeChange, undoRequest, unknownId, unknownState } from './inverse.ts';
import { create, edit, essenceOf, objectAt, replace } from './objects.ts';
import { createGroup, placeInSite, placeInTree, structureOf } from './places.ts';
import {
  deleteSpace,
  editComment,
  fieldValues,
  published,
  restoreSpace,
  specification,
  teamMembers,
} from './states.ts';

const never = (reason: string): Irreversible => ({ never: reason });

const deleted = never('deleted objects are not kept; a new object would have another ID');
const keptRevisions = 'pages can only be changed back with a new change of the content; the previous revision is kept';

/** Restores the fields of a site or section, with its default items. */
const editDefaults = edit({
  shown: {
    async defaultSiteSpace(_object, reader, { params, body }) {
      const structure = await structureOf(reader, params);
      if (structure.type === 'siteSpaces') return structure.structure.find((item) => item.default)?.id;
      // In the section that the same call makes the default, if it does.
      const sectionId = params['siteSectionId'] ?? body['defaultSiteSection'];
      return sectionsOf(structure)
        .filter(({ id, default: isDefault }) => (sectionId === undefined ? isDefault : id === sectionId))
        .flatMap(({ siteSpaces: items }) => items)
        .find((item) => item.default)?.id;
    },
    defaultSiteSection: async (_object, reader, { params }) =>
      sectionsOf(await structureOf(reader, params)).find((item) => item.default)?.id,
  },
  last: 'defaultSiteSection',
});

const sectionsOf = (structure: Awaited<ReturnType<typeof structureOf>>) =>
  structure.type === 'sections'
    ? structure.structure.flatMap((item) => (item.object === 'site-section-group' ? item.sections : [item]))
    : [];

/** A change request cannot be deleted, but archived. */
const createRequest: Inverse = {
  after: (answer) => essenceOf(answer),
  async now(reader, { params, id = '' }) {
    const path = changeRequests.view.path;
    return essenceOf(await objectAt(reader, path, { ...params, changeRequestId: id }));
  },
  undo({ params, id }) {
    if (id === undefined) return unknownId;
    const { spaceId = '' } = params;
    return [undoRequest(changeRequests.edit, { spaceId, changeRequestId: id }, { status: 'archived' })];
  },
  note: 'a change request cannot be deleted; it is archived instead',
};

/** With the first section, the service also creates one with all current site spaces. */
const addSection: Inverse = {
  ...create({ remove: siteSections.remove, param: 'siteSectionId' }),
  async before(reader, { params }) {
    return { type: (await structureOf(reader, params)).type };
  },
  undo(change) {
    if (!change.before) return unknownState;
    if (change.before['type'] !== 'sections')
      return { reason: 'it was the first section, so the service moved all site spaces into sections' };
    return create({ remove: siteSections.remove, param: 'siteSectionId' }).undo(change);
  },
};

const makesSpace = ({ body }: MadeChange) =>
  typeof body['spaces'] === 'string'
    ? 'the service created a space with it, whose ID the response does not contain'
    : undefined;

const losesOptions = ({ before, after }: MadeChange) => {
  const options = (state: unknown) => (isObject(state) && Array.isArray(state['options']) ? state['options'] : []);
  const isLost = options(before).some((option: unknown) => !options(after).includes(option));
  return isLost ? 'the service deleted the values with the removed option' : undefined;
};

const commentFamily = (
  group: typeof comments | typeof changeRequestComments,
): Record<string, Inverse | Irreversible> => ({
  [group.create.name]: create({ remove: group.delete, param: 'commentId' }),
  [group.edit.name]: editComment(group.view),
  [group.delete.name]: never('a deleted comment is not kept'),
  [group.createReply.name]: create({ remove: group.deleteReply, param: 'commentReplyId' }),
  [group.editReply.name]: editComment(group.viewReply),
  [group.deleteReply.name]: never('a deleted reply is not kept'),
});

/** The inverse of each endpoint that changes something, by its name; or why there is none. */
export const inverses: Readonly<Record<string, Inverse | Irreversible>> = {
  'orgs.create': never('an organization cannot be deleted with the API'),
  'orgs.edit': edit(),
  'orgs.ping': never('it sets when you were last seen'),
  'members.edit': edit(),
  'members.remove': never('a removed member loses teams and levels, and must be invited again'),
  'members.markSso': never('the service cannot mark a member as signing in without SSO'),
  'teams.create': create({ remove: teams.delete, param: 'teamId' }),
  'teams.edit': edit(),
  'teams.delete': deleted,
  'teams.updateMembers': teamMembers,
  'teams.setMember': teamMembers,
  'teams.removeMember': teamMembers,
  'invites.send': never('a sent invite cannot be revoked; "docsctl members remove" removes the people'),
  'invites.accept': never('you joined an organization; an administrator can remove you'),
  'invites.createLink': create({ remove: invites.deleteLink, param: 'inviteId' }),
  'invites.editLink': edit(),
  'invites.deleteLink': never('a deleted invite link is not kept; a new one has another address'),
  'sso.createProvider': create({ remove: sso.deleteProvider, param: 'samlProviderId' }),
  'sso.editProvider': edit(),
  'sso.deleteProvider': never('a deleted SSO provider is not kept; a new one has other addresses'),
  'fields.create': create({ remove: fields.delete, param: 'fieldName', note: 'its values in spaces are deleted, too' }),
  'fields.edit': edit({ never: losesOptions }),
  'fields.delete': never('the values of a deleted field are not kept'),
  'fields.setValues': fieldValues,
  'translations.create': create({ remove: translations.delete, param: 'translationSettingsId' }),
  'translations.edit': edit(),
  'translations.delete': deleted,
  'collections.create': create({
    remove: collections.delete,
    param: 'collectionId',
    async more({ client }, { collectionId = '' }) {
      const { count } = await client.call(collections.spaces, { params: { collectionId }, query: { limit: 0 } });
      return { spaces: count };
    },
  }),
  'collections.edit': edit(),
  'collections.delete': never('its contents were moved to its parent, and the collection is not kept'),
  'collections.move': placeInTree,
  'collections.transfer': never('a transfer removes the levels of people; transfer it back manually'),
  'spaces.create': create({ remove: spaces.delete, param: 'spaceId' }),
  'spaces.edit': edit(),
  'spaces.delete': deleteSpace,
  'spaces.restore': restoreSpace,
  'spaces.duplicate': create({ remove: spaces.delete, param: 'spaceId' }),
  'spaces.move': placeInTree,
  'spaces.transfer': never('a transfer removes the levels of people; transfer it back manually'),
  'content.import': never(keptRevisions),
  'content.change': never(keptRevisions),
  'changeRequestContent.import': never(keptRevisions),
  'changeRequestContent.change': {
    never: keptRevisions,
    after: (answer: unknown) => ({
      revision: valueAt(answer, 'changeRequest.revision') ?? valueAt(answer, 'revision'),
    }),
  },
  'changeRequests.create': createRequest,
  'changeRequests.edit': edit(),
  'changeRequests.merge': never('a merge is permanent; its revision and the previous one are kept'),
  'changeRequests.update': never('changes taken over from the main content cannot be removed again'),
  ...commentFamily(comments),
  ...commentFamily(changeRequestComments),
  'sites.create': create({ remove: sites.delete, param: 'siteId', never: makesSpace }),
  'sites.edit': editDefaults,
  'sites.delete': deleted,
  'sites.publish': published,
  'sites.unpublish': published,
  'sites.sort': placeInSite,
  'siteSections.add': addSection,
  'siteSections.edit': editDefaults,
  'siteSections.remove': never('neither a removed section nor its site spaces are kept'),
  'siteSections.move': placeInSite,
  'sectionGroups.create': createGroup,
  'sectionGroups.edit': edit(),
  'sectionGroups.delete': deleted,
  'sectionGroups.add': placeInSite,
  'sectionGroups.remove': placeInSite,
  'sectionGroups.move': placeInSite,
  'siteSpaces.add': create({ remove: siteSpaces.remove, param: 'siteSpaceId' }),
  'siteSpaces.edit': edit(),
  'siteSpaces.remove': never('a removed site space is not kept; a new one has another ID'),
  'siteSpaces.move': placeInSite,
  'shareLinks.create': create({ remove: shareLinks.delete, param: 'shareLinkId' }),
  'shareLinks.edit': edit(),
  'shareLinks.delete': never('a deleted share link is not kept; a new one has another address'),
  'siteCustomization.set': replace(),
  'siteSchema.set': replace('jsonSchema'),
  'openapi.create': specification,
  'openapi.put': specification,
  'openapi.delete': never('the versions of a deleted specification are not kept'),
};

/** The members of responses that identify a created object in paths, if not `id`. */
const idKeys: Readonly<Record<string, string>> = { 'fields.create': 'name', 'openapi.create': 'slug' };

/** The ID of the object that a call created, if the response has one. */
export function madeId(endpoint: string, answer: unknown): string | undefined {
  const id = valueAt(answer, idKeys[endpoint] ?? 'id');
  return typeof id === 'string' ? id : undefined;
}

export const isIrreversible = (inverse: Inverse | Irreversible): inverse is Irreversible => 'never' in inverse;

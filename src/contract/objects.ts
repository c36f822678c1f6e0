/**
 * Every object of the service that a path parameter names, in one table: arguments, questions, completions, `open`,
 * name lookup, the server's loading of objects and its messages follow from it.
 */
export interface ObjectKind {
  /** The name of the object in a handler's `objects`, and of its loader; absent where handlers load it themselves. */
  key?: string;
  /** What people call one of them. */
  noun: string;
  /** What a command's argument is called where it is not the parameter without `Id`. */
  arguments?: readonly string[];
  /** What the argument holds, where it is not "id of the <noun>". */
  identifier?: string;
  /** The member that a path calls the object by; `id` where absent. */
  pathKey?: 'slug' | 'name';
  /** Commander's names of flags whose value names one. */
  flags?: readonly string[];
  /** The list that all of them are found in, where a path has no list of them directly above. */
  list?: string;
  /** The flag, variable and setting that say which one is meant where no argument does. */
  scope?: 'org' | 'space' | 'site';
  /** Words for `docsctl open`, the shown one first, with the address of one object. */
  open?: { words: readonly string[]; view: string; inChangeRequest?: string };
}

const page = '/v1/spaces/{spaceId}/content/page/{pageId}';
const pageInChangeRequest = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}';

/** By path parameter. */
export const objects = {
  orgId: {
    key: 'org',
    noun: 'organization',
    flags: ['org', 'to'],
    list: '/v1/orgs',
    scope: 'org',
    open: { words: ['org', 'organization'], view: '/v1/orgs/{orgId}' },
  },
  spaceId: {
    key: 'space',
    noun: 'space',
    flags: ['space', 'spaces'],
    list: '/v1/orgs/{orgId}/spaces',
    scope: 'space',
    open: { words: ['space'], view: '/v1/spaces/{spaceId}' },
  },
  siteId: {
    key: 'site',
    noun: 'site',
    flags: ['site', 'defaultContentSite'],
    list: '/v1/orgs/{orgId}/sites',
    scope: 'site',
    open: { words: ['site'], view: '/v1/orgs/{orgId}/sites/{siteId}' },
  },
  collectionId: {
    key: 'collection',
    noun: 'collection',
    flags: ['parent', 'collection'],
    list: '/v1/orgs/{orgId}/collections',
    open: { words: ['collection'], view: '/v1/collections/{collectionId}' },
  },
  changeRequestId: {
    key: 'changeRequest',
    noun: 'change request',
    arguments: ['cr'],
    identifier: 'id or number of the change request',
    flags: ['cr'],
    list: '/v1/spaces/{spaceId}/change-requests',
    open: {
      words: ['cr', 'change-request'],
      view: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}',
    },
  },
  pageId: {
    noun: 'page',
    flags: ['page', 'targetPage'],
    list: '/v1/spaces/{spaceId}/content/page',
    open: { words: ['page'], view: page, inChangeRequest: pageInChangeRequest },
  },
  specSlug: {
    key: 'spec',
    noun: 'OpenAPI specification',
    arguments: ['slug'],
    identifier: 'slug of the specification',
    pathKey: 'slug',
    list: '/v1/orgs/{orgId}/openapi',
    open: { words: ['openapi'], view: '/v1/orgs/{orgId}/openapi/{specSlug}' },
  },
  userId: {
    key: 'member',
    noun: 'member',
    identifier: 'id of the user',
    flags: ['contributor', 'owner', 'user', 'as', 'members', 'add', 'remove'],
    list: '/v1/orgs/{orgId}/members',
  },
  teamId: { key: 'team', noun: 'team', flags: ['defaultTeam'], list: '/v1/orgs/{orgId}/teams' },
  inviteId: { key: 'invite', noun: 'invite link' },
  samlProviderId: {
    key: 'provider',
    noun: 'SSO provider',
    arguments: ['provider'],
    flags: ['provider'],
  },
  siteSectionId: {
    key: 'section',
    noun: 'section',
    arguments: ['section'],
    flags: ['section', 'sections', 'defaultSiteSection'],
    list: '/v1/orgs/{orgId}/sites/{siteId}/sections',
  },
  siteSectionGroupId: {
    key: 'sectionGroup',
    noun: 'section group',
    arguments: ['group'],
    list: '/v1/orgs/{orgId}/sites/{siteId}/section-groups',
  },
  siteSpaceId: {
    key: 'siteSpace',
    noun: 'site space',
    arguments: ['site-space'],
    identifier: 'id of the space in the site, as "sites spaces list" shows it',
    flags: ['defaultSiteSpace'],
  },
  shareLinkId: { key: 'shareLink', noun: 'share link', arguments: ['link'] },
  fieldName: {
    key: 'field',
    noun: 'custom field',
    arguments: ['field', 'name'],
    identifier: 'name of the custom field',
    pathKey: 'name',
    list: '/v1/orgs/{orgId}/custom-fields',
  },
  commentId: { key: 'comment', noun: 'comment' },
  commentReplyId: { key: 'reply', noun: 'reply', arguments: ['reply'] },
  translationSettingsId: {
    key: 'translation',
    noun: 'translation settings',
    arguments: ['translation'],
  },
} as const satisfies Record<string, ObjectKind>;

export type ObjectParam = keyof typeof objects;
/** The name of an object in a handler's `objects`. */
export type ObjectKey = Extract<(typeof objects)[ObjectParam], { key: string }>['key'];

const byParam: ReadonlyMap<string, ObjectKind> = new Map(Object.entries(objects));

/** The object that a path parameter names; undefined for parameters that name none, such as `emailDomain`. */
export const objectNamedBy = (param: string): ObjectKind | undefined => byParam.get(param);

/** What people call the object of a path parameter. */
export const nounOf = (param: string): string => objectNamedBy(param)?.noun ?? param.replace(/Id$/, '');

/** The path parameter of the objects that a flag's value names, by commander's name of the flag. */
export function paramOfFlag(flag: string): string | undefined {
  for (const [param, { flags }] of byParam) if (flags?.includes(flag)) return param;
  return undefined;
}

/** The path parameter among `names` that an argument fills. */
export const paramOfArgument = (argument: string, names: readonly string[]): string | undefined =>
  names.find((param) => objectNamedBy(param)?.arguments?.includes(argument)) ??
  [`${argument}Id`, argument].find((param) => names.includes(param));

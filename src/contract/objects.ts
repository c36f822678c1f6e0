/**
 * Every object of the service that a path parameter names, in one table: arguments, questions, completions, `open`,
 * name lookup, the server's loading of objects and its messages follow from it.
 */
export interface ObjectKind {
  /** The name of the object in a handler's `objects`, and of its loader; absent if handlers load it themselves. */
  key?: string;
  /** What people call one of them. */
  noun: string;
  /** What a command's argument is called if it is not the parameter without `Id`. */
  arguments?: readonly string[];
  /** What the argument holds, if it is not "id of the <noun>". */
  identifier?: string;
  /** The member that a path calls the object by; `id` if absent. */
  pathKey?: 'slug' | 'name';
  /** Members by which people name it instead, ignoring case. */
  names?: Names;
  /** Commander's names of flags whose value names one, of commands that make them themselves. */
  flags?: readonly string[];
  /** The list that all of them are in; absent if a path may name one that the caller cannot list. */
  list?: string;
  /** The command that prints the list. */
  listCommand: string;
  /** The address of one of them, if it is not below the list. */
  view?: string;
  /** Its word in addresses of the app: `s` for `/s/<space>`. */
  appWord?: string;
  /** The flag, variable and setting that say which one is meant if no argument does. */
  scope?: ScopeName;
  /** Words for `docsctl open`, the shown one first. */
  open?: { words: readonly string[]; inChangeRequest?: string };
}

/** The objects that commands work in. */
export type ScopeName = 'org' | 'space' | 'site';

/** Paths of members in an item of the list. */
export interface Names {
  /** `title:X` means these only. */
  title?: readonly string[];
  /** `path:X` means these only. */
  path?: readonly string[];
  /** A query parameter of the list that leaves out what does not contain the name. */
  filter?: string;
}

const inOrg = '/v1/orgs/{orgId}';
const inSite = `${inOrg}/sites/{siteId}`;
const inSpace = '/v1/spaces/{spaceId}';
const pageInChangeRequest = `${inSpace}/change-requests/{changeRequestId}/content/page/{pageId}` as const;

/** By path parameter. */
export const objects = {
  orgId: {
    key: 'org',
    noun: 'organization',
    names: { title: ['title'], path: ['hostname'] },
    flags: ['org'],
    list: '/v1/orgs',
    listCommand: 'orgs list',
    appWord: 'o',
    scope: 'org',
    open: { words: ['org', 'organization'] },
  },
  spaceId: {
    key: 'space',
    noun: 'space',
    names: { title: ['title'] },
    flags: ['space'],
    list: `${inOrg}/spaces`,
    listCommand: 'spaces list',
    view: inSpace,
    appWord: 's',
    scope: 'space',
    open: { words: ['space'] },
  },
  siteId: {
    key: 'site',
    noun: 'site',
    names: { title: ['title'], path: ['basename', 'hostname'] },
    flags: ['site'],
    list: `${inOrg}/sites`,
    listCommand: 'sites list',
    appWord: 'sites',
    scope: 'site',
    open: { words: ['site'] },
  },
  collectionId: {
    key: 'collection',
    noun: 'collection',
    names: { title: ['title'] },
    list: `${inOrg}/collections`,
    listCommand: 'collections list',
    view: '/v1/collections/{collectionId}',
    appWord: 'c',
    open: { words: ['collection'] },
  },
  changeRequestId: {
    key: 'changeRequest',
    noun: 'change request',
    arguments: ['cr'],
    identifier: 'number or ID of the change request',
    names: { path: ['number'] },
    flags: ['cr'],
    list: `${inSpace}/change-requests`,
    listCommand: 'cr list --status all',
    appWord: 'cr',
    open: { words: ['cr', 'change-request'] },
  },
  pageId: {
    noun: 'page',
    identifier: 'path or ID of the page',
    names: { path: ['path'] },
    list: `${inSpace}/content/page`,
    listCommand: 'content pages list',
    open: { words: ['page'], inChangeRequest: pageInChangeRequest },
  },
  specSlug: {
    key: 'spec',
    noun: 'OpenAPI specification',
    arguments: ['slug'],
    identifier: 'slug of the specification',
    pathKey: 'slug',
    list: `${inOrg}/openapi`,
    listCommand: 'openapi list',
    appWord: 'openapi',
    open: { words: ['openapi'] },
  },
  userId: {
    key: 'member',
    noun: 'member',
    identifier: 'email address or ID of the member; @me is you',
    names: { title: ['user.email'], filter: 'search' },
    flags: ['user', 'member', 'as', 'to'],
    list: `${inOrg}/members`,
    listCommand: 'members list',
  },
  teamId: {
    key: 'team',
    noun: 'team',
    names: { title: ['title'], filter: 'title' },
    list: `${inOrg}/teams`,
    listCommand: 'teams list',
  },
  inviteId: { key: 'invite', noun: 'invite link', listCommand: 'invites links list' },
  samlProviderId: {
    key: 'provider',
    noun: 'SSO provider',
    arguments: ['provider'],
    identifier: 'label or ID of the SSO provider',
    names: { title: ['label'] },
    flags: ['provider'],
    list: `${inOrg}/saml`,
    listCommand: 'sso providers list',
  },
  siteSectionId: {
    key: 'section',
    noun: 'section',
    arguments: ['section'],
    names: { title: ['title'], path: ['path'] },
    list: `${inSite}/sections`,
    listCommand: 'sites sections list',
  },
  siteSectionGroupId: {
    key: 'sectionGroup',
    noun: 'section group',
    arguments: ['group'],
    names: { title: ['title'] },
    list: `${inSite}/section-groups`,
    listCommand: 'sites section-groups list',
  },
  siteSpaceId: {
    key: 'siteSpace',
    noun: 'site space',
    arguments: ['site-space'],
    identifier: 'title, path or ID of the site space, as in "sites spaces list"',
    names: { title: ['title'], path: ['path'] },
    list: `${inSite}/site-spaces`,
    listCommand: 'sites spaces list',
  },
  shareLinkId: {
    key: 'shareLink',
    noun: 'share link',
    arguments: ['link'],
    identifier: 'name or ID of the share link',
    names: { title: ['name'] },
    list: `${inSite}/share-links`,
    listCommand: 'sites share-links list',
  },
  fieldName: {
    key: 'field',
    noun: 'custom field',
    arguments: ['field', 'name'],
    identifier: 'name or title of the custom field',
    pathKey: 'name',
    names: { title: ['title'] },
    list: `${inOrg}/custom-fields`,
    listCommand: 'fields list',
  },
  commentId: { key: 'comment', noun: 'comment', list: `${inSpace}/comments`, listCommand: 'comments list' },
  commentReplyId: {
    key: 'reply',
    noun: 'reply',
    arguments: ['reply'],
    list: `${inSpace}/comments/{commentId}/replies`,
    listCommand: 'comments replies list',
  },
  translationSettingsId: {
    key: 'translation',
    noun: 'translation settings',
    arguments: ['translation'],
    names: { title: ['title'] },
    list: `${inOrg}/translations`,
    listCommand: 'translations list',
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

/** The path that shows one object, by the kind of its path parameter. */
export const viewPathOf = (param: string, { view, list = '' }: ObjectKind): string => view ?? `${list}/{${param}}`;

/** What an argument that names the object holds. */
export function identifierOf(param: string): string {
  const kind = objectNamedBy(param);
  const isTitled = kind?.names?.title !== undefined;
  return kind?.identifier ?? `${isTitled ? 'title or ID' : 'ID'} of the ${nounOf(param)}`;
}

/** The path parameter among `names` that an argument fills. */
export const paramOfArgument = (argument: string, names: readonly string[]): string | undefined =>
  names.find((param) => objectNamedBy(param)?.arguments?.includes(argument)) ??
  [`${argument}Id`, argument].find((param) => names.includes(param));

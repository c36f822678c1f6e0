import { argumentFields, paramNames, paramOf } from './derive.ts';
import type { argumentsOf, Command } from './tree.ts';

type Argument = ReturnType<typeof argumentsOf>[number];

/** What a path parameter is the id of. */
const things: Record<string, string> = {
  orgId: 'id of the organization',
  userId: 'id of the user',
  changeRequestId: 'id or number of the change request',
  samlProviderId: 'id of the SSO provider',
  siteSectionId: 'id of the section',
  siteSectionGroupId: 'id of the section group',
  siteSpaceId: 'id of the space in the site, as "sites spaces list" shows it',
  shareLinkId: 'id of the share link',
  inviteId: 'id of the invite link',
  specSlug: 'slug of the specification',
  fieldName: 'name of the custom field',
  commentReplyId: 'id of the reply',
  translationSettingsId: 'id of the translation settings',
  emailDomain: 'domain of e-mail addresses, such as example.com',
};

/** Arguments of hand-written commands. */
const texts: Record<string, string> = {
  email: 'e-mail address',
  file: 'path of the file',
  folder: 'path of the folder',
  key: 'name of the setting',
  value: 'its new value',
  old: 'name of the profile',
  new: 'its new name',
  source: 'file or address; - for standard input',
  'token-id': 'id of the token, as "serve token list" shows it',
  method: 'GET, POST, PUT, PATCH or DELETE',
  path: 'path of the request',
  name: 'name of the profile',
  values: 'value as name=value',
  resource: 'org, space, site, collection, cr, page or openapi',
  id: 'its id',
  words: 'words of a command, or a topic',
};

/** What an argument is, in words, where it can be told from its name and the command's endpoint. */
export function argumentText(command: Command, argument: Argument): string {
  const { name, variadic } = argument;
  const { endpoint } = command;
  const names = paramNames(endpoint?.path ?? '');
  const param = paramOf(name, names, command.params);
  const field = endpoint ? argumentFields(endpoint, command).get(name) : undefined;
  const text =
    field?.description ??
    things[param ?? ''] ??
    (param === undefined ? (texts[name] ?? name.replaceAll('-', ' ')) : `id of the ${param.replace(/Id$/, '')}`);
  const several = variadic
    ? `; several may be given${takesInput(command, name) ? ', and - reads them from standard input, one a line' : ''}`
    : '';
  const missing =
    argument.optional && param && param in contexts ? `; without it, the one that ${contexts[param]}` : '';
  return `${text}${several}${missing}`;
}

/** Ids may come from standard input; of hand-written commands, those of tokens. */
const takesInput = ({ endpoint, run }: Command, name: string) => (endpoint && !run) || name === 'token-id';

const contexts: Record<string, string> = {
  orgId: '--org or the settings name',
  spaceId: '--space or the settings name',
  siteId: '--site or the settings name',
};

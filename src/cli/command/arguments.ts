import { paramNames } from '../../contract/path.ts';
import { identifierOf, objectNamedBy } from '../../contract/objects.ts';
import { argumentFields, paramOf } from './flags.ts';
import type { argumentsOf, Command } from './command.ts';

type Argument = ReturnType<typeof argumentsOf>[number];

/** Texts for the arguments of hand-written commands. */
const texts: Record<string, string> = {
  email: 'email address',
  file: 'path of the file',
  folder: 'path of the folder',
  key: 'name of the setting',
  value: 'new value',
  old: 'name of the profile',
  new: 'new name',
  source: 'file or address; - for standard input',
  'token-id': 'ID of the token, as in "serve token list"',
  method: 'GET, POST, PUT, PATCH or DELETE',
  path: 'path of the request',
  name: 'name of the profile',
  values: 'value as name=value',
  resource: 'org, space, site, collection, cr, page or openapi',
  id: 'ID of the object',
  level: 'admin, create, review, edit, comment or read (default read)',
  words: 'words of a command, or a topic',
};

/** The help text of an argument, from its name and the command's endpoint. */
export function argumentText(command: Command, argument: Argument): string {
  const { name, variadic } = argument;
  const own = command.input?.texts?.[name];
  if (own !== undefined) return own;
  const { endpoint } = command;
  const names = paramNames(endpoint?.path ?? '');
  const param = paramOf(name, names, command.input?.params);
  const field = endpoint ? argumentFields(endpoint, command).get(name) : undefined;
  const text =
    field?.description ?? (param === undefined ? (texts[name] ?? name.replaceAll('-', ' ')) : paramText(param));
  const several = variadic
    ? `; repeatable${takesInput(command) ? ', or - to read them from standard input, one per line' : ''}`
    : '';
  const scope = param === undefined ? undefined : objectNamedBy(param)?.scope;
  const missing = argument.optional && scope ? `; default: --${scope} or the setting` : '';
  return `${text}${several}${missing}`;
}

/** Whether the ids may come from standard input. */
const takesInput = ({ endpoint, run, input }: Command) => (endpoint && !run) || input?.batch;

const paramText = (param: string) =>
  param === 'emailDomain' ? 'email domain, such as example.com' : identifierOf(param);

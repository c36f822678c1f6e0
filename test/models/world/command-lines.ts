import { argumentsOf, type Command } from '../../../src/cli/command/command.ts';
import { argumentFields, paramOf } from '../../../src/cli/command/flags.ts';
import { paramNames } from '../../../src/contract/path.ts';
import { isObject } from '../../../src/shared/is-object.ts';
import { commandsOfTree, type Leaf } from '../../support/tree.ts';
import { type Ids, type Random, schemaOf, valueFor } from './generate.ts';

interface Source {
  ids: Ids;
  random: Random;
}

/** The words of a command line with generated arguments. */
export type MakeLine = (source: Source) => string[];

const roles = ['admin', 'create', 'edit', 'review', 'comment', 'read', 'guest'];
const one = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!;
const names = ['alpha', 'beta', 'gamma'];

/** Commands whose flags are not those of their request. */
const ownLines: Readonly<Record<string, MakeLine>> = {
  'members edit': ({ ids, random }) => [ids.pick('user', random), '--role', one(roles, random)],
  'teams members update': ({ ids, random }) => [
    ids.pick('team', random),
    one(['--add', '--remove'], random),
    ids.pick('user', random),
    ...(random(2) === 0 ? ['--role', `${ids.pick('user', random)}=${one(['owner', 'member'], random)}`] : []),
  ],
  'comments edit': ({ ids, random }) => [
    ids.pick('comment', random),
    ...(random(2) === 0 ? ['--body', `Text ${random(9)}`] : ['--react', '👍']),
  ],
  'comments replies edit': ({ ids, random }) => [
    ids.pick('comment', random),
    ids.pick('comment-reply', random),
    '--body',
    `Text ${random(9)}`,
  ],
  'comments resolve': ({ ids, random }) => [ids.pick('comment', random)],
  'comments reopen': ({ ids, random }) => [ids.pick('comment', random)],
  'cr open': ({ ids, random }) => [ids.pick('change-request', random)],
  'cr archive': ({ ids, random }) => [ids.pick('change-request', random)],
  'cr create': ({ random }) => ['--subject', `Subject ${random(9)}`],
  'cr update': ({ ids, random }) => [ids.pick('change-request', random)],
  'cr merge': ({ ids, random }) => [ids.pick('change-request', random), ...(random(2) === 0 ? ['--open'] : [])],
  'fields values set': ({ random }) => [`${one(names, random)}=${one(['Ada', 'Bob', ''], random)}`],
};

/** Commands that read files or other services, or that a model cannot compare. */
const excluded: ReadonlySet<string> = new Set([
  'orgs create',
  'content import',
  'openapi create',
  'sites schema set',
  'sites customization set',
]);

/** What makes a line of each command that changes one organization, by the words of the command. */
export async function lineMakers(): Promise<Map<string, MakeLine>> {
  const leaves = (await commandsOfTree()).filter(
    ({ path, command: { endpoint, run } }) =>
      endpoint && endpoint.method !== 'GET' && !excluded.has(path) && (!run || path in ownLines),
  );
  return new Map(leaves.map((leaf) => [leaf.path, makerOf(leaf)]));
}

const makerOf =
  ({ path, command }: Leaf): MakeLine =>
  (source) => {
    const own = ownLines[path]?.(source);
    return [...path.split(' '), ...(own ?? derivedWords(command, source)), ...scopeFlags(command, source)];
  };

const kindOf = (param: string) => param.replace(/Id$|Slug$|Name$/, '');

function derivedWords(command: Command, { ids, random }: Source): string[] {
  const endpoint = command.endpoint!;
  const body = endpoint.body && valueFor(schemaOf(endpoint, 'body'), 'body', ids, random);
  const fields: Record<string, unknown> = isObject(body) ? { ...body } : {};
  const taken = argumentFields(endpoint, command);
  const words = argumentsOf(command.use).flatMap(({ name, variadic }) => {
    const field = taken.get(name)?.path[0];
    if (field !== undefined) {
      const value = fields[field];
      delete fields[field];
      return [typeof value === 'string' && value !== '' ? value : ids.pick(name, random)];
    }
    const param = paramOf(name, paramNames(endpoint.path), command.input?.params) ?? name;
    const pick = () => (/(?:Name|Slug)$/.test(param) ? one(names, random) : ids.pick(kindOf(param), random));
    return variadic && random(4) === 0 ? [pick(), pick()] : [pick()];
  });
  if (Object.keys(fields).length > 0 && command.input?.without !== 'all') words.push('--data', JSON.stringify(fields));
  return words;
}

/** Flags for the objects in the path that no argument names. */
function scopeFlags(command: Command, { ids, random }: Source): string[] {
  const names = paramNames(command.endpoint!.path);
  const taken = new Set(argumentsOf(command.use).map(({ name }) => paramOf(name, names, command.input?.params)));
  const scopes = { spaceId: '--space', siteId: '--site' };
  return Object.entries(scopes).flatMap(([param, flag]) =>
    names.includes(param) && !taken.has(param) ? [flag, ids.pick(kindOf(param), random)] : [],
  );
}

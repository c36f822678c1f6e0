import type { Endpoint } from '../../contract/endpoint.ts';
import { nounOf, objectNamedBy, type ScopeName } from '../../contract/objects.ts';
import { UsageError } from '../program/failure.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { argumentsOf, type Command, type Invocation } from './command.ts';
import { paramNames } from '../../contract/path.ts';

/** The innermost organization, space or site that a path names. */
const scopeIn = (path: string): ScopeName | undefined =>
  paramNames(path)
    .map((name) => objectNamedBy(name)?.scope)
    .findLast((scope) => scope !== undefined);

/**
 * The name and the arguments of a command that shows something of an organization, a space or a site and has no other
 * argument: it takes that as an argument too, `list [space]`.
 */
export function withScopeArgument({ use, endpoint }: Pick<Command, 'use' | 'endpoint'>): string {
  if (endpoint?.method !== 'GET' || argumentsOf(use).length > 0) return use;
  const subject = objectNamedBy(paramNames(endpoint.path).at(-1) ?? '')?.scope;
  return subject === undefined ? use : `${use} [${subject}]`;
}

/** @throws UsageError if an argument and its flag name an organization, space or site, and not the same */
export function refuseTwoScopes({ command, args, values }: Pick<Invocation, 'command' | 'args' | 'values'>): void {
  for (const { name, optional } of argumentsOf(command.use)) {
    const [word, flag] = [args[name], values[name]];
    if (!optional || objectNamedBy(`${name}Id`)?.scope !== name || word === undefined || flag === undefined) continue;
    const other = [word].flat().find((each) => each !== flag);
    if (other !== undefined)
      throw new UsageError(
        `The ${nounOf(`${name}Id`)} is given twice: "${other}" and --${name} "${String(flag)}".`,
        'Give one of them.',
        'conflicting-options',
      );
  }
}

/** Flags that a word without a flag was most likely meant for, the first that a command has. */
const likelyFlags = ['--title', '--subject', '--label', '--name'];

/** The error for words behind the last argument, with the flag that one of them may have been meant for. */
export function excessArgument(
  { command, path, derived }: Pick<Invocation, 'command' | 'path' | 'derived'>,
  word: string,
): UsageError {
  const { use, endpoint } = command;
  const count = argumentsOf(use).length;
  const takes = count === 0 ? 'no argument' : count === 1 ? 'one argument' : `${count} arguments`;
  const scope = scopeOfFlag(endpoint, use);
  const title =
    endpoint?.method === 'GET' ? undefined : likelyFlags.find((flag) => derived.some(({ long }) => long === flag));
  const value = shellCommand([word]);
  const flags = [
    ...(title === undefined ? [] : [`${title} ${value}`]),
    ...(scope === undefined ? [] : [`--${scope} ${value}`]),
  ];
  return new UsageError(
    `"docsctl ${path}" takes ${takes}: "${word}" is one too many.`,
    flags.length > 0 ? `Pass ${flags.join(' or ')}, or see --help.` : `See "docsctl ${path} --help".`,
    'too-many-arguments',
  );
}

/** The scope that only a flag names. */
function scopeOfFlag(endpoint: Endpoint | undefined, use: string): ScopeName | undefined {
  const scope = endpoint && scopeIn(endpoint.path);
  return scope !== undefined && argumentsOf(use).every(({ name }) => name !== scope) ? scope : undefined;
}

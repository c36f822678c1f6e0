import { camel } from './pointer.ts';
import type { Invocation } from './command.ts';
import { argumentsOf } from './command.ts';
import { paramNames } from '../../contract/path.ts';
import { argumentFields, objectOfField, paramOf } from './flags.ts';
import { endpointOf, missingInput, needsChange, noChange, type RequiredInput, requiredInputs } from './request.ts';
import { objectNamedBy } from '../../contract/objects.ts';
import { missingValue } from '../program/failure.ts';

/**
 * Asks for the values that a command needs beside its objects, or refuses, before it asks for an object: who has chosen
 * one out of a long list must not learn then that a flag was missing. Only for people at a terminal; elsewhere nothing is
 * asked, and the request is refused before it is sent.
 *
 * @throws UsageError for what cannot be asked for
 */
export async function askMissingInput(invocation: Invocation): Promise<void> {
  const { flags } = invocation;
  await refuseUnlisted(invocation);
  if (flags.data !== undefined) return;
  const missing = missingInputs(invocation);
  const unaskable = missing.filter((input) => !canBeAsked(input));
  if (unaskable.length > 0) throw missingInput(invocation, unaskable);
  for (const input of missing) await askFor(invocation, input);
}

/** Objects are chosen out of a list, words too, and texts of flags are typed. */
const canBeAsked = ({ argument, flag: { field } }: RequiredInput) =>
  objectOfField(field) !== undefined || (argument === undefined && ['string', 'enum'].includes(field.kind));

function missingInputs(invocation: Invocation): RequiredInput[] {
  const { command, derived, args, values, flags } = invocation;
  const endpoint = endpointOf(invocation);
  const isSet = (attribute: string) => values[attribute] !== undefined;
  // A command's own flags may set the field, as --body-file does; a PUT is filled up with the values that are there.
  const isSetByCommand =
    command.input?.body !== undefined &&
    ((command.flags ?? []).some((flag) => isSet(attributeOf(flag.flags))) || endpoint.method === 'PUT');
  const missing = requiredInputs(invocation, endpoint).filter(({ argument, field }) =>
    argument === undefined
      ? !isSetByCommand && !derived.some(({ path, attribute }) => path[0] === field && isSet(attribute))
      : args[argument] === undefined,
  );
  if (missing.length > 0 || !needsChange(invocation, endpoint) || flags.clear !== undefined) return missing;
  const own = (command.flags ?? []).filter(({ sets }) => sets).map((flag) => attributeOf(flag.flags));
  if (command.input?.without === 'all') return [];
  if ([...derived.map(({ attribute }) => attribute), ...own].some(isSet)) return [];
  const [only, ...others] = derived;
  if (!only || others.length > 0 || own.length > 0) throw noChange(invocation);
  return [{ field: only.path[0] ?? '', flag: only }];
}

const attributeOf = (flags: string) => camel(/--([\w-]+)/.exec(flags)?.[1] ?? '');

/** Asks for the value of a flag or an argument: one of its words, an object, or a text. */
async function askFor(invocation: Invocation, input: RequiredInput): Promise<void> {
  const { flag, argument } = input;
  const { attribute, choices, description, long } = flag;
  const param = objectOfField(flag.field);
  if (argument !== undefined && param !== undefined) {
    invocation.args[argument] = await invocation.pick(param);
    return;
  }
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const message = `${long} (${description}):`;
  if (choices) {
    const prompt = await openPrompt(invocation);
    const words = choices.map((value) => ({ value, title: value }));
    invocation.values[attribute] = await prompt.select({ message, choices: words });
  } else if (param !== undefined) {
    await invocation.io.err.write(`${message}\n`);
    invocation.values[attribute] = await invocation.pick(param);
  } else {
    const prompt = await openPrompt(invocation);
    const check = (answer: string) => (answer === '' ? 'Type a value, or press Ctrl-C to stop.' : undefined);
    invocation.values[attribute] = await prompt.input({ message, check });
  }
}

/** @throws UsageError for an argument that is missing and that cannot be chosen out of a list */
async function refuseUnlisted(invocation: Invocation): Promise<void> {
  const { args, command, flags, path } = invocation;
  const endpoint = endpointOf(invocation);
  const names = paramNames(endpoint.path);
  for (const { name, optional } of argumentsOf(command.use)) {
    const param = paramOf(name, names, command.input?.params);
    if (optional || args[name] !== undefined || argumentFields(endpoint, command).has(name)) continue;
    if (param === undefined || !names.includes(param)) throw missingValue(`<${name}>`, path);
    if (objectNamedBy(param)?.scope || (param === 'changeRequestId' && flags.cr !== undefined)) continue;
    const { listOf } = await import('../../contract/object-lists.ts');
    if (!(await listOf(param, endpoint.path))) throw missingValue(`<${name}>`, path);
  }
}

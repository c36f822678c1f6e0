import type { Endpoint } from '../../contract/endpoint.ts';
import { type Field, fieldOf } from '../../contract/fields.ts';
import type { CommandOutput } from './command.ts';

/** Deeper members are not listed; an answer that has them may still be asked for them. */
const depth = 6;

/**
 * Every path below the items or the object that a command prints of its endpoint's answer, those of all branches of a
 * union. `*` stands for the index of an item, or for any name.
 */
export function answerPaths(endpoint: Endpoint, select: CommandOutput['select']): string[] {
  const schema = endpoint.items ?? endpoint.answer;
  if (!schema) return [];
  return [...new Set(pathsBelow(selectedField(fieldOf(schema(), depth), select), ''))];
}

/** The field of the part of an answer that is printed. A `select` takes one member, so it finds that of the members too. */
function selectedField(field: Field, select: CommandOutput['select']): Field {
  if (!select) return field;
  if (field.branches) return { ...field, branches: field.branches.map((branch) => selectedField(branch, select)) };
  if (!field.members) return field;
  const selected = Object.values(field.members).find((member) => member === select(field.members));
  return selected?.item ?? selected ?? field;
}

function pathsBelow({ kind, members = {}, branches = [], item }: Field, prefix: string): string[] {
  if (kind === 'record') return [`${prefix}*`];
  return [
    ...Object.entries(members).flatMap(([name, member]) => [prefix + name, ...pathsBelow(member, `${prefix}${name}.`)]),
    ...branches.flatMap((branch) => pathsBelow(branch, prefix)),
    ...(item && prefix !== '' ? [`${prefix}*`, ...pathsBelow(item, `${prefix}*.`)] : []),
  ];
}

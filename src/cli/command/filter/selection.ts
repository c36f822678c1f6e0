import { type Field, fieldOf } from '../../../contract/fields.ts';
import { UsageError } from '../../program/failure.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Command, Tree } from '../command.ts';
import { conditionsOf } from './condition.ts';
import { columnFields, contractFields, type ItemFields } from './field-type.ts';
import { sortedBy, sortKeyOf } from './order.ts';
import type { Selection } from './types.ts';

interface SelectionFlags {
  filter?: readonly string[] | undefined;
  sortBy?: readonly string[] | undefined;
  /** Those of the service, if the list has them. */
  sort?: unknown;
  order?: unknown;
}

/** What `--filter` and `--sort-by` ask of a list; undefined if neither is given. @throws UsageError */
export function selectionOf(
  command: Command,
  endpoint: Endpoint | undefined,
  { filter = [], sortBy, sort, order }: SelectionFlags,
  now = Date.now(),
): Selection | undefined {
  if (filter.length === 0 && sortBy === undefined) return undefined;
  if (sortBy?.length === 0)
    throw new UsageError('--sort-by: there is no field.', '"docsctl help filters" has examples.');
  const fields = itemFieldsOf(command, endpoint);
  const conditions = filter.flatMap((source) => conditionsOf(source, fields, now));
  const keys = (sortBy ?? []).map((source) => sortKeyOf(source, fields));
  const other = sort === undefined ? (order === undefined ? undefined : '--order') : '--sort';
  if (keys.length > 0 && other !== undefined) {
    throw new UsageError(
      `${other} and --sort-by cannot be combined.`,
      `--sort-by FIELD:desc sorts in descending order.`,
    );
  }
  return { conditions, keys };
}

/** The fields of the items that a command lists: those of the contract, else its columns. */
export function itemFieldsOf({ output = {} }: Command, endpoint: Endpoint | undefined): ItemFields {
  const { columns = [], card = [], tree } = output;
  const item = endpoint && itemOf(endpoint, output.member);
  const all = [...columns, ...card, ...(output.fields ?? []).map((key) => ({ key }))];
  if (!item) return columnFields(all);
  return contractFields(tree && 'children' in tree ? withChildren(item) : item, columns, all);
}

/** The items of a response can be several levels below it. */
const answerDepth = 8;

function itemOf(endpoint: Endpoint, member: string | undefined): Field | undefined {
  if (endpoint.items) return fieldOf(endpoint.items());
  return endpoint.answer && itemOfAnswer(fieldOf(endpoint.answer(), answerDepth), member);
}

function itemOfAnswer(answer: Field, member: string | undefined): Field | undefined {
  if (answer.kind === 'union') {
    const branches = (answer.branches ?? []).flatMap((branch) => itemOfAnswer(branch, member) ?? []);
    return { kind: 'union', optional: false, nullable: false, branches };
  }
  return member === undefined ? answer.item : answer.members?.[member]?.item;
}

/** In a tree, the items below an item are items too, and may have other fields. */
function withChildren(item: Field): Field {
  const ofList = (member: Field) =>
    member.item && ['object', 'union'].includes(member.item.kind) ? [member.item] : [];
  return {
    kind: 'union',
    optional: false,
    nullable: false,
    branches: [item, ...Object.values(item.members ?? {}).flatMap(ofList)],
  };
}

/** The items that pass, in order. In a tree, each item counts. */
export function select({ conditions, keys }: Selection, items: readonly unknown[], tree?: Tree): unknown[] {
  const children = childrenOf(tree);
  const single = children ? flattened(items, children) : items;
  const passing = single.filter((item) => conditions.every(({ matches }) => matches(item)));
  const ordered = keys.length > 0 ? sortedBy(keys, passing) : passing;
  return children ? ordered.map((item) => alone(item, children)) : ordered;
}

export const childrenOf = (tree: Tree | undefined): Children | undefined =>
  tree && 'children' in tree ? (item) => tree.children(item) : undefined;

type Children = (item: unknown) => unknown[] | undefined;

/** An item and all below it. */
export function flattened(items: readonly unknown[], children: Children): unknown[] {
  return items.flatMap((item) => [item, ...flattened(children(item) ?? [], children)]);
}

/** An item without those below it, which are items of the list themselves. */
export function alone(item: unknown, children: Children): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const below = children(item);
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== below));
}

import { hasMembers } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import { UsageError } from '../program/failure.ts';
import { pathNamed } from './column-name.ts';
import { labelOf } from './label.ts';
import type { Column, Kind, OutputOptions } from './options.ts';
import { copyAt, emptyLike, leavesOf } from './value.ts';
import { valueAt } from '../../shared/value-at.ts';

/** A column that is printed, with its title and how to read its value. */
export interface Field extends Column {
  title: string;
  read(item: unknown): unknown;
}

/**
 * The columns to print: those that the user chose, else those of the command, else the members of the items.
 *
 * @throws UsageError for a chosen column that no item has
 */
export function fieldsFor(options: OutputOptions, columns: readonly Column[], items: unknown[]): Field[] {
  if (options.columns) return chosenFields(options, options.columns, columns, items);
  return columns.length > 0 ? columns.map(fieldOf) : inferredFields(items);
}

export function fieldOf(column: Column): Field {
  const { key, value } = column;
  return {
    ...column,
    title: column.title ?? labelOf(key.slice(key.lastIndexOf('.') + 1)),
    read: value ?? ((item) => valueAt(item, key)),
  };
}

/** Gives a function that copies only the members of an item that the fields name. What is computed is added to them. */
export function pickerOf(fields: readonly Field[]): (item: unknown) => unknown {
  return (item) => {
    if (!hasMembers(item)) return item;
    const picked = emptyLike(item);
    for (const { key, value } of fields) {
      const isMember = copyAt(item, key, picked);
      if (!isMember && value) Reflect.set(picked, key, value(item));
    }
    return picked;
  };
}

function chosenFields(options: OutputOptions, chosen: string[], columns: readonly Column[], items: unknown[]): Field[] {
  const all = [...columns, ...(options.otherColumns ?? [])];
  return pathsOf(chosen).map((name) => {
    const isPath = options.contractPaths !== undefined && inContract(name, options.contractPaths);
    const path = isPath || all.some(({ key }) => key === name) ? name : (pathNamed(name, all) ?? name);
    const column = all.find(({ key }) => key === path);
    if (column) return fieldOf(column);
    // Without a contract, nothing is known of the members of an empty list.
    const isKnown = options.contractPaths ? inContract(path, options.contractPaths) : items.length === 0;
    if (!isKnown && !items.some((item) => valueAt(item, path) !== undefined))
      throw unknownColumn(path, all, [...(options.contractPaths ?? []), ...items.flatMap((item) => leavesOf(item, 3))]);
    return fieldOf(memberColumn(path));
  });
}

function pathsOf(chosen: readonly string[]): string[] {
  const paths = chosen.map((path) => path.trim()).filter((path) => path !== '');
  if (paths.length === 0) throw new UsageError('--columns names no column.');
  return paths;
}

/** Whether a path is one of the contract's, in which `*` matches a part with any name. */
function inContract(path: string, contractPaths: readonly string[]): boolean {
  if (contractPaths.includes(path)) return true;
  const parts = path.split('.');
  return contractPaths.some((known) => {
    const knownParts = known.split('.');
    return (
      knownParts.length === parts.length && knownParts.every((part, index) => part === '*' || part === parts[index])
    );
  });
}

/**
 * Refuses columns that no answer has, before a request that changes something is sent.
 *
 * @throws UsageError for a column that neither the contract nor the command knows
 */
export function checkColumns({ columns, otherColumns = [], contractPaths }: OutputOptions): void {
  // Without an answer nothing is printed.
  if (!columns || !contractPaths?.length) return;
  for (const path of pathsOf(columns)) {
    const isKnown =
      otherColumns.some(({ key }) => key === path) ||
      inContract(path, contractPaths) ||
      pathNamed(path, otherColumns) !== undefined;
    if (!isKnown) throw unknownColumn(path, otherColumns, contractPaths);
  }
}

/** How many names an error lists: more than any answer of the service has. */
const maxNames = 100;

function unknownColumn(path: string, columns: readonly Column[], others: readonly string[]): UsageError {
  const paths = [...new Set([...columns.map(({ key }) => key), ...others])].filter((each) => !each.includes('*'));
  // People may write the title of a column.
  const titles = new Map(columns.map(fieldOf).map(({ key, title }) => [title.toLowerCase(), key]));
  const likely =
    titles.get(path.toLowerCase()) ?? nearestPath(path, paths) ?? titles.get(nearest(path, [...titles.keys()]) ?? '');
  const question = likely === undefined ? '' : ` Did you mean ${likely}?`;
  const rest = paths.length > maxNames ? `, and ${paths.length - maxNames} more` : '';
  return new UsageError(
    `--columns: no result has "${path}".${question} There are: ${paths.slice(0, maxNames).join(', ')}${rest}.`,
  );
}

function inferredFields(items: unknown[]): Field[] {
  const keys = new Set(items.flatMap((item) => (hasMembers(item) && !Array.isArray(item) ? Object.keys(item) : [])));
  keys.delete('object');
  if (keys.size === 0) return [{ key: 'value', title: 'Value', read: (item) => item }];
  return [...keys].map((key) => fieldOf(memberColumn(key)));
}

/** A column for a path; its kind is guessed from the name. */
export function memberColumn(path: string): Column {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return { key: path, title: labelOf(path), kind: kinds.find(([names]) => names.test(name))?.[1] ?? 'text' };
}

const kinds: [names: RegExp, kind: Kind][] = [
  [/^id$|Id$/, 'id'],
  [/(At|Date)$/, 'date'],
  [/^(role|level|defaultRole)$/, 'role'],
];

/** The path that the user probably meant: the most similar one, else one that ends with the word. */
const nearestPath = (word: string, paths: readonly string[]): string | undefined =>
  nearest(word, paths) ?? paths.find((path) => path.toLowerCase().endsWith(`.${word.toLowerCase()}`));

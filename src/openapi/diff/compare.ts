import { pathShape } from '../paths.ts';
import { type BasePaths, movedBasePaths } from './base-paths.ts';
import { compareAllServers, compareSecuritySchemes } from './compare-access.ts';
import { Collector, type CollectedChange, type Documents } from './collector.ts';
import { compareItems, compareOperations } from './compare-operations.ts';
import { dateOf } from './lifecycle.ts';
import { Operations, type Item, type Operation } from './operations.ts';
import { Pairs } from './pairs.ts';
import type { Ref } from './shape.ts';
import { levelOf, type Level } from './rules.ts';
import type { Source } from './shapes.ts';

/** A change between two descriptions. */
export interface Change {
  rule: string;
  level: Level;
  message: string;
  /** The place in the first of the operations: `request body /owner/name`, `response 200 header x-rate`. */
  where: string;
  /** `POST /pets`; empty for changes to the description as a whole. */
  operations: string[];
  /** Undefined if it has no place in the description. */
  before: Ref | undefined;
  after: Ref | undefined;
}

/**
 * Finds all changes that affect the users of an API: what it accepts and returns. The two descriptions may have different
 * OpenAPI versions. Different notations with the same meaning are not changes, such as other names of components, `allOf` or
 * `$ref` instead of the content, or another order.
 *
 * @param now decides which deprecated operations have passed their sunset date
 * @returns breaking changes first
 */
export function compareDescriptions(before: Source, after: Source, now = new Date()): Change[] {
  const [oldOperations, newOperations] = [new Operations(before), new Operations(after)];
  const collector = new Collector(new Pairs(oldOperations.shapes, newOperations.shapes));
  const documents: Documents = { before: oldOperations, after: newOperations, collector, now };
  const bases = movedBasePaths(oldOperations, newOperations);
  comparePaths(documents, bases);
  compareItems(documents, oldOperations.webhooks(), newOperations.webhooks(), {
    kind: 'webhook',
    useOf: (name) => ({ operation: `webhook ${name}`, where: 'webhook' }),
    before: oldOperations.document,
    after: newOperations.document,
    sender: 'api',
  });
  compareAllServers(documents, bases);
  compareSecuritySchemes(documents);
  const order = { breaking: 0, warning: 1, info: 2 };
  return [...collector.changes(), ...missingReferences(documents, [before, after])]
    .map((change) => ({ ...change, level: levelOf(change.rule), operations: [...change.operations] }))
    .toSorted((a, b) => order[a.level] - order[b.level]);
}

/** Reports references that cannot be resolved, because it is unknown whether their targets changed. */
function missingReferences({ before, after }: Documents, sources: [Source, Source]): CollectedChange[] {
  const missing = (operations: Operations, { reasonFor }: Source, side: 'before' | 'after') =>
    [...operations.shapes.missing].map(([node, reference]) => ({
      rule: 'not-compared',
      message: `the reference ${reference} ${reasonFor?.(reference, node) ?? 'cannot be resolved'}`,
      where: side === 'before' ? oldDescription : 'new description',
      operations: new Set<string>(),
      before: undefined,
      after: undefined,
      [side]: { node, key: '$ref' },
    }));
  const [oldSource, newSource] = sources;
  return [...missing(before, oldSource, 'before'), ...missing(after, newSource, 'after')];
}

function comparePaths(documents: Documents, bases: BasePaths): void {
  const { before, after, collector } = documents;
  const [oldPaths, newPaths] = [before.paths(), after.paths()];
  const byShape = new Map([...newPaths.keys()].map((path) => [pathShape(bases.after + path), path]));
  const byPath = new Map([...newPaths.keys()].map((path) => [bases.after + path, path]));
  const matched = new Set<string>();
  for (const [path, item] of oldPaths) {
    const match = byPath.get(bases.before + path) ?? byShape.get(pathShape(bases.before + path));
    const other = match === undefined ? undefined : newPaths.get(match);
    if (match !== undefined) matched.add(match);
    for (const [method, operation] of item.operations) {
      const name = `${method.toUpperCase()} ${path}`;
      const newOperation = other?.operations.get(method);
      if (newOperation) {
        compareOperations({ ...documents, name, sender: 'client' }, operation, newOperation);
      } else {
        reportRemoved(documents, { name, operation, item, other });
      }
    }
    for (const [method, operation] of other?.operations ?? []) {
      if (item.operations.has(method)) continue;
      const use = { operation: `${method.toUpperCase()} ${match}`, where: 'operation' };
      collector.add('operation-added', use, 'is new', { node: item.node }, { node: operation.node });
    }
  }
  for (const [path, item] of newPaths) {
    if (matched.has(path)) continue;
    for (const method of item.operations.keys()) {
      const use = { operation: `${method.toUpperCase()} ${path}`, where: 'path' };
      collector.add('path-added', use, 'is new', { node: before.document, key: 'paths' }, { node: item.node });
    }
  }
}

function reportRemoved(
  { after, collector, now }: Documents,
  removed: { name: string; operation: Operation; item: Item; other: Item | undefined },
): void {
  const { name, operation, item, other } = removed;
  const { deprecated, 'x-sunset': sunset } = operation.node;
  const use = { operation: name, where: other ? 'operation' : 'path' };
  const place = other ? { node: other.node } : { node: after.document, key: 'paths' };
  const date = dateOf(sunset);
  if (deprecated === true && sunset === undefined) {
    collector.add('operation-removed-deprecated', use, 'was removed', { node: operation.node }, place);
  } else if (deprecated === true && date && date <= now) {
    collector.add('operation-removed-after-sunset', use, 'was removed', { node: operation.node }, place);
  } else {
    const before = deprecated === true && date ? ` before its x-sunset, ${String(sunset)}` : '';
    const rule = other ? 'operation-removed' : 'path-removed';
    const node = other ? operation.node : item.node;
    collector.add(rule, use, `was removed${before}`, { node }, place);
  }
}

/** Whether a change breaks the users of an API, or may do so because something could not be compared. */
export const mayBreak = ({ rule, level }: Pick<Change, 'rule' | 'level'>): boolean =>
  level === 'breaking' || isNotCompared({ rule });

/** Whether something could not be compared. */
export const isNotCompared = ({ rule }: Pick<Change, 'rule'>): boolean => rule.endsWith('not-compared');

const oldDescription = 'old description';

/** Whether something could not be compared because of a broken reference in the old description. */
export const isUnresolvedBefore = ({ rule, where }: Pick<Change, 'rule' | 'where'>): boolean =>
  rule === 'not-compared' && where === oldDescription;

/** `POST /pets and 2 more: request body /name: is now required` */
export function changeText({ message, where, operations }: Pick<Change, 'message' | 'where' | 'operations'>): string {
  const [first, ...others] = operations;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${first === undefined ? '' : `${first}${more}: `}${where}: ${message}`;
}

import type { Collector, Context, Documents, Use } from './collector.ts';
import { compareSecurity, compareServers } from './compare-access.ts';
import { compareContent } from './compare-content.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareResponses } from './compare-responses.ts';
import { compareLifecycle } from './lifecycle.ts';
import type { Item, Operation } from './operations.ts';

/** Compares two operations, with their callbacks. */
export function compareOperations(context: Context, before: Operation, after: Operation): void {
  const { name, sender } = context;
  compareFields(context, before, after);
  compareParameters(context, before.parameters, after.parameters);
  compareBodies(context, before, after);
  compareResponses(context, before.responses, after.responses);
  if (sender === 'client') {
    compareSecurity(context, before, after);
    compareServers(context, before, after);
  }
  compareItems(context, before.callbacks, after.callbacks, {
    kind: 'callback',
    useOf: (callback) => ({ operation: name, where: `callback ${callback}` }),
    before: before.node,
    after: after.node,
    sender: sender === 'client' ? 'api' : 'client',
  });
}

/** Compares what the API itself requests: callbacks or webhooks. */
export function compareItems(
  documents: Documents,
  before: Map<string, Item>,
  after: Map<string, Item>,
  about: { kind: 'callback' | 'webhook'; useOf: (name: string) => Use; before: object; after: object } & Pick<
    Context,
    'sender'
  >,
): void {
  const { collector } = documents;
  const { kind, sender } = about;
  for (const [name, item] of before) {
    const use = about.useOf(name);
    const other = after.get(name);
    if (!other) {
      collector.add(`${kind}-removed`, use, 'was removed', { node: item.node }, { node: about.after });
      continue;
    }
    for (const [method, operation] of item.operations) {
      const newOperation = other.operations.get(method);
      const where = `${use.where} ${method.toUpperCase()}`;
      if (newOperation) {
        compareOperations({ ...documents, name: `${use.operation} ${where}`.trim(), sender }, operation, newOperation);
      } else {
        const places = [{ node: operation.node }, { node: other.node }] as const;
        collector.add(`${kind}-removed`, { ...use, where }, 'was removed', ...places);
      }
    }
  }
  for (const [name, item] of after) {
    if (before.has(name)) continue;
    collector.add(`${kind}-added`, about.useOf(name), 'is new', { node: about.before }, { node: item.node });
  }
}

function compareFields({ collector, name }: Context, { node: old }: Operation, { node: now }: Operation): void {
  const use = { operation: name, where: 'operation' };
  const add = (rule: Parameters<Collector['add']>[0], message: string, key: string) =>
    collector.add(rule, use, message, { node: old, key }, { node: now, key });
  compareLifecycle(old, now, (rule, message, key) => {
    add(rule === 'deprecated' || rule === 'restored' ? `operation-${rule}` : rule, message, key);
  });
  if (old.operationId !== now.operationId) {
    const message = `operationId was ${String(old.operationId ?? 'none')}, is now ${String(now.operationId ?? 'none')}`;
    add('operation-id-changed', message, 'operationId');
  }
}

function compareBodies(
  context: Context,
  { body: before, node: old }: Operation,
  { body: after, node: now }: Operation,
): void {
  const { collector, name, sender } = context;
  const use = { operation: name, where: 'request body' };
  const places = [{ node: before?.node ?? old }, { node: after?.node ?? now }] as const;
  const isSent = sender === 'api';
  const add = (rule: Parameters<Collector['add']>[0], message: string) => collector.add(rule, use, message, ...places);
  if (!before && after?.isRequired && !isSent) add('request-body-added-required', 'is new and required');
  else if (!before && after) add('request-body-added', 'is new');
  else if (before && !after) add(isSent ? 'callback-body-optional' : 'request-body-removed', 'was removed');
  if (!before || !after) return;
  if (after.isRequired && !before.isRequired) {
    add(isSent ? 'callback-body-required' : 'request-body-required', 'is now required');
  }
  if (before.isRequired && !after.isRequired) {
    add(isSent ? 'callback-body-optional' : 'request-body-optional', 'is no longer required');
  }
  compareContent(collector, { ...use, direction: isSent ? 'response' : 'request' }, before, after);
}

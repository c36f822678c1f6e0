import type { Collector, Use } from './collector.ts';
import { compareContent } from './compare-content.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareResponses } from './compare-responses.ts';
import { compareSecurity, compareServers } from './compare-access.ts';
import type { Item, Operation } from './operations.ts';
import type { Context, Documents, Sender } from './context.ts';
import { compareStability, compareSunsets } from './sunset.ts';

interface PairOfOperations {
  name: string;
  before: Operation;
  after: Operation;
  sender: Sender;
}

/** Compares two operations, with their callbacks. */
export function compareOperations(documents: Documents, { name, before, after, sender }: PairOfOperations): void {
  const { collector } = documents;
  const context = { collector, name, sender, now: documents.now };
  compareLifecycle(documents, name, before, after);
  compareParameters(context, before.parameters, after.parameters);
  compareBodies(context, before, after);
  compareResponses(context, before.responses, after.responses);
  if (sender === 'client') {
    compareSecurity(documents, name, before, after);
    compareServers(documents, name, before, after);
  }
  const what = { removed: 'callback-removed', added: 'callback-added' } as const;
  compareItems(documents, before.callbacks, after.callbacks, {
    rules: what,
    nameOf: (callback) => ({ operation: name, where: `callback ${callback}` }),
    before: before.node,
    after: after.node,
    sender: sender === 'client' ? 'api' : 'client',
  });
}

/** What the API itself requests: callbacks or webhooks. */
export function compareItems(
  documents: Documents,
  before: Map<string, Item>,
  after: Map<string, Item>,
  about: {
    rules: { removed: 'callback-removed' | 'webhook-removed'; added: 'callback-added' | 'webhook-added' };
    nameOf: (name: string) => Use;
    before: object;
    after: object;
    sender: Sender;
  },
): void {
  const { collector } = documents;
  for (const [name, item] of before) {
    const use = about.nameOf(name);
    const other = after.get(name);
    if (!other) collector.add(about.rules.removed, use, 'was removed', { node: item.node }, { node: about.after });
    for (const [method, operation] of other ? item.operations : []) {
      const newOperation = other?.operations.get(method);
      const where = `${use.where} ${method.toUpperCase()}`;
      if (newOperation) {
        const whole = `${use.operation} ${where}`.trim();
        compareOperations(documents, { name: whole, before: operation, after: newOperation, sender: about.sender });
      } else {
        const place = { node: other?.node ?? about.after };
        collector.add(about.rules.removed, { ...use, where }, 'was removed', { node: operation.node }, place);
      }
    }
  }
  for (const [name, item] of after) {
    if (before.has(name)) continue;
    collector.add(about.rules.added, about.nameOf(name), 'is new', { node: about.before }, { node: item.node });
  }
}

function compareLifecycle({ collector }: Documents, name: string, before: Operation, after: Operation): void {
  const [old, now] = [before.node, after.node];
  const use = { operation: name, where: 'operation' };
  const add = (rule: Parameters<Collector['add']>[0], message: string, key: string) =>
    collector.add(rule, use, message, { node: old, key }, { node: now, key });
  const [wasDeprecated, isDeprecated] = [old.deprecated === true, now.deprecated === true];
  if (isDeprecated && !wasDeprecated) add('operation-deprecated', 'is now deprecated', 'deprecated');
  if (wasDeprecated && !isDeprecated) add('operation-restored', 'is no longer deprecated', 'deprecated');
  compareSunsets(old, now, add);
  compareStability(old, now, add);
  if (old.operationId !== now.operationId) {
    const text = (id: unknown) => (id === undefined ? 'none' : String(id));
    const message = `operationId was ${text(old.operationId)}, is now ${text(now.operationId)}`;
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
  if (!before) {
    if (!after) return;
    if (after.isRequired && !isSent)
      collector.add('request-body-added-required', use, 'is new and required', ...places);
    else collector.add('request-body-added', use, 'is new', ...places);
    return;
  }
  if (!after) {
    collector.add(isSent ? 'callback-body-optional' : 'request-body-removed', use, 'was removed', ...places);
    return;
  }
  if (after.isRequired && !before.isRequired) {
    collector.add(isSent ? 'callback-body-required' : 'request-body-required', use, 'is now required', ...places);
  }
  if (before.isRequired && !after.isRequired) {
    const rule = isSent ? 'callback-body-optional' : 'request-body-optional';
    collector.add(rule, use, 'is no longer required', ...places);
  }
  compareContent(collector, { ...use, direction: isSent ? 'response' : 'request' }, before, after);
}

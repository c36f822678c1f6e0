import { fieldsOf } from '../fields.ts';
import type { Collector, Context, Documents, SchemaUse, Use } from './collector.ts';
import { compareSecurity, compareServers } from './compare-access.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareLifecycle } from './lifecycle.ts';
import { type Header, type Item, type Media, type Operation, type Response, isSameText } from './operations.ts';
import type { PlainRule } from './rules.ts';
import type { Ref } from './shape.ts';

/** Compares two operations, with their callbacks. */
export function compareOperations(context: Context, before: Operation, after: Operation): void {
  const { name, sender } = context;
  compareFields(context, before, after);
  compareParameters(context, before, after);
  if (!before.unknown.has('body')) compareBodies(context, before, after);
  compareResponses(context, before, after);
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
  if (after.isRequired && !before.isRequired)
    add(isSent ? 'callback-body-required' : 'request-body-required', 'is now required');
  if (before.isRequired && !after.isRequired)
    add(isSent ? 'callback-body-optional' : 'request-body-optional', 'is no longer required');
  compareContent(collector, { ...use, direction: isSent ? 'response' : 'request' }, before, after);
}

type Responses = ReadonlyMap<string, Response>;

/** Compares the responses of an operation. */
function compareResponses(context: Context, old: Operation, now: Operation): void {
  const [before, after] = [old.responses, now.responses];
  const matched = new Set<Response>();
  for (const [status, response] of before) {
    const others = matchingResponses(status, after);
    for (const other of others) {
      if (!matched.has(other)) reportRange(context, status, response, before, other, after);
      matched.add(other);
      compareResponse(context, titleOf(status), response, other);
    }
    if (others.length === 0) reportRemoved(context, status, response, { before, around: { node: now.node } });
  }
  for (const [status, response] of after) {
    if (matched.has(response) || before.has(status)) continue;
    const use = { operation: context.name, where: titleOf(status) };
    context.collector.add('response-added', use, 'is new', undefined, { node: response.node });
  }
}

/** `200` became `2XX`: callers may get another status. */
function reportRange(
  { collector, name, sender }: Context,
  status: string,
  response: Response,
  before: Responses,
  other: Response,
  after: Responses,
): void {
  const range = `${status.charAt(0)}XX`;
  if (sender !== 'client' || before.has(range) || after.get(range) !== other || !isExpected(status, before)) return;
  const use = { operation: name, where: titleOf(status) };
  collector.add('response-status-widened', use, `is now ${range}`, { node: response.node }, { node: other.node });
}

const titleOf = (status: string): string => `response ${status === 'DEFAULT' ? 'default' : status}`;

function reportRemoved(
  { collector, name, sender }: Context,
  status: string,
  response: Response,
  { before, around }: { before: Responses; around: Ref },
): void {
  const success = sender === 'client' ? 'response-removed' : 'callback-response-removed';
  const expected = status === 'DEFAULT' ? 'response-default-removed' : success;
  const rule = isExpected(status, before) ? expected : 'response-error-removed';
  const use = { operation: name, where: titleOf(status), around };
  collector.add(rule, use, 'was removed', { node: response.node }, undefined);
}

function matchingResponses(status: string, after: Responses): Response[] {
  const range = `${status.charAt(0)}XX`;
  const same = after.get(status) ?? after.get(range);
  if (same) return [same];
  const within = status === range ? [...after].filter(([other]) => other.startsWith(status.charAt(0))) : [];
  const rest = after.get('DEFAULT');
  return within.length === 0 && rest ? [rest] : within.map(([, response]) => response);
}

/** Whether callers rely on a response. Error responses may change. */
function isExpected(status: string, responses: Responses): boolean {
  const isSuccess = (other: string) => /^[123]/.test(other);
  return isSuccess(status) || (status === 'DEFAULT' && ![...responses.keys()].some(isSuccess));
}

function compareResponse(context: Context, where: string, before: Response, after: Response): void {
  const { collector, name, sender } = context;
  const use = { operation: name, where };
  compareHeaders(context, where, before, after);
  for (const [link, fields] of Object.entries(before.links)) {
    const [isPresent, other] = [Object.hasOwn(after.links, link), after.links[link]];
    if (isPresent && isSameText(fields, other)) continue;
    const [rule, message] = isPresent
      ? (['response-link-changed', 'changed'] as const)
      : (['response-link-removed', 'was removed'] as const);
    const places = [{ node: fieldsOf(fields) }, { node: isPresent ? fieldsOf(other) : after.node }] as const;
    collector.add(rule, { ...use, where: `${where} link ${link}` }, message, ...places);
  }
  compareContent(collector, { ...use, direction: sender === 'client' ? 'response' : 'request' }, before, after);
}

function compareHeaders(context: Context, where: string, before: Response, after: Response): void {
  const { collector, sender } = context;
  const isSent = sender === 'api';
  for (const name of new Set([...before.headers.keys(), ...after.headers.keys()])) {
    const [old, now] = [before.headers.get(name), after.headers.get(name)];
    const use = { operation: context.name, where: `${where} header ${name}` };
    const places = [{ node: old?.node ?? before.node }, { node: now?.node ?? after.node }] as const;
    const add = (rule: PlainRule, message: string) => collector.add(rule, use, message, ...places);
    if (!now) {
      add(old?.isRequired ? 'response-header-removed-required' : 'response-header-removed', 'was removed');
    } else if (old) {
      compareHeader(old, now, add, isSent);
      const direction = isSent ? 'request' : 'response';
      collector.compare(old.schema, now.schema, { ...use, direction, isText: true });
    } else if (isSent && now.isRequired) add('callback-response-header-required', 'is new and required');
    else add('response-header-added', 'is new');
  }
}

function compareHeader(
  old: Header,
  now: Header,
  add: (rule: PlainRule, message: string) => void,
  isSent: boolean,
): void {
  if (old.isRequired && !now.isRequired && !isSent) add('response-header-optional', 'is no longer required');
  if (now.isRequired && !old.isRequired)
    add(isSent ? 'callback-response-header-required' : 'response-header-required', 'is now required');
  if (old.style !== now.style)
    add('response-header-style-changed', `was serialized as ${old.style}, is now ${now.style}`);
  if (now.node.deprecated === true && old.node.deprecated !== true)
    add('response-header-deprecated', 'is now deprecated');
}

interface WithContent {
  node: object;
  content: Map<string, Media>;
}

/** Compares a body by its media types. */
function compareContent(collector: Collector, use: SchemaUse, before: WithContent, after: WithContent): void {
  const { direction } = use;
  const matched = new Set<string>();
  for (const [type, media] of before.content) {
    const match = matchingType(type, after.content, direction === 'request');
    const other = after.content.get(match ?? '');
    if (match === undefined || !other) {
      const place = { node: after.node, key: 'content' };
      collector.add(`${direction}-media-type-removed`, use, `${type} was removed`, { node: media.node }, place);
      continue;
    }
    matched.add(match);
    const where = before.content.size > 1 ? `${use.where} (${type})` : use.where;
    compareMedia(collector, { ...use, where, isXml: /[/+]xml\b/.test(type), isText: isFormType(type) }, media, other);
  }
  for (const [type, media] of after.content) {
    if (matched.has(type)) continue;
    const place = { node: before.node, key: 'content' };
    // A new range in a response includes types that were not there before.
    const isWider = direction === 'response' && type.includes('*') && before.content.size > 0;
    const rule = isWider ? 'response-media-type-removed' : (`${direction}-media-type-added` as const);
    collector.add(rule, use, `${type} was added`, place, { node: media.node });
  }
}

const isFormType = (type: string): boolean =>
  type === 'application/x-www-form-urlencoded' || type.startsWith('multipart/');

function compareMedia(collector: Collector, use: SchemaUse, before: Media, after: Media): void {
  collector.compare(before.schema, after.schema, use);
  for (const name of new Set([...Object.keys(before.encoding), ...Object.keys(after.encoding)])) {
    const [old, now] = [before.encoding[name], after.encoding[name]];
    if (isSameText(old, now)) continue;
    const where = `${use.where} /${name}`;
    const places = [
      { node: before.node, key: 'encoding' },
      { node: after.node, key: 'encoding' },
    ] as const;
    collector.add('encoding-changed', { ...use, where }, 'encoding changed', ...places);
  }
}

/** A range includes all its types. In a response, it promises less than a single type. */
function matchingType(type: string, content: Map<string, Media>, isRequest: boolean): string | undefined {
  if (content.has(type)) return type;
  const [plain = ''] = type.split(';');
  const [main] = type.split('/');
  const isRange = type.includes('*');
  const wider = isRequest || isRange ? [plain, `${main}/*`, '*/*'].find((name) => content.has(name)) : undefined;
  if (wider !== undefined) return wider;
  const names = content.keys();
  if (isRange && !isRequest) return names.find((name) => type === '*/*' || name.startsWith(`${main}/`));
  // The same type with other parameters, such as a version or a profile.
  return names.find((name) => name.split(';')[0] === plain);
}

import { fieldsOf } from '../fields.ts';
import type { Context } from './collector.ts';
import { compareContent } from './compare-content.ts';
import { type Header, isSameText, type Response } from './operations.ts';
import type { PlainRule } from './rules.ts';

type Responses = ReadonlyMap<string, Response>;

/** Compares the responses of an operation. */
export function compareResponses(context: Context, before: Responses, after: Responses): void {
  const matched = new Set<Response>();
  for (const [status, response] of before) {
    const others = matchingResponses(status, after);
    for (const other of others) {
      matched.add(other);
      compareResponse(context, titleOf(status), response, other);
    }
    if (others.length === 0) reportRemoved(context, status, response, before);
  }
  for (const [status, response] of after) {
    if (matched.has(response) || before.has(status)) continue;
    const use = { operation: context.name, where: titleOf(status) };
    context.collector.add('response-added', use, 'is new', undefined, { node: response.node });
  }
}

const titleOf = (status: string): string => `response ${status === 'DEFAULT' ? 'default' : status}`;

function reportRemoved({ collector, name, sender }: Context, status: string, response: Response, all: Responses): void {
  const success = sender === 'client' ? 'response-removed' : 'callback-response-removed';
  const expected = status === 'DEFAULT' ? 'response-default-removed' : success;
  const rule = isExpected(status, all) ? expected : 'response-error-removed';
  const place = { node: response.node };
  collector.add(rule, { operation: name, where: titleOf(status) }, 'was removed', place, undefined);
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
  if (now.isRequired && !old.isRequired) {
    add(isSent ? 'callback-response-header-required' : 'response-header-required', 'is now required');
  }
  if (old.style !== now.style) {
    add('response-header-style-changed', `was serialized as ${old.style}, is now ${now.style}`);
  }
  if (now.node.deprecated === true && old.node.deprecated !== true) {
    add('response-header-deprecated', 'is now deprecated');
  }
}

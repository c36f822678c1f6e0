import type { Context } from './collector.ts';
import { compareDeprecation, compareSunsets, dateOf } from './lifecycle.ts';
import type { Operation, Parameter } from './operations.ts';
import type { PlainRule } from './rules.ts';

type Parameters = ReadonlyMap<string, Parameter>;
type Report = (rule: PlainRule, message: string, key?: string) => void;

/** Compares the parameters of an operation. */
export function compareParameters(context: Context, old: Operation, now: Operation): void {
  const { parameters: before } = old;
  const { parameters: after } = now;
  const moved = new Set<Parameter>();
  for (const [key, parameter] of before) {
    const other = after.get(key);
    // A removed name in the path means another path.
    if (!other && parameter.in === 'path') continue;
    const target = other ?? findMoved(parameter, before, after);
    const report = reporter(context, other ?? parameter, [parameter, target], now);
    if (other) compareParameter(context, parameter, other, report);
    else if (target) {
      moved.add(target);
      report('parameter-moved', `is now a ${target.in} parameter`);
    } else report(isExpected(parameter, context) ? 'parameter-removed-deprecated' : 'parameter-removed', 'was removed');
  }
  // A new parameter may be the one that a broken reference meant.
  if (old.unknown.has('parameters')) return;
  for (const [key, parameter] of after) {
    // Each name in a path has one, whether it is described or not.
    if (before.has(key) || moved.has(parameter) || parameter.in === 'path') continue;
    const isBreaking = parameter.isRequired && context.sender === 'client';
    const message = parameter.isRequired ? 'is new and required' : 'is new';
    const report = reporter(context, parameter, [undefined, parameter], now);
    report(isBreaking ? 'parameter-added-required' : 'parameter-added', message);
  }
}

function reporter(
  { collector, name }: Context,
  about: Parameter,
  [before, after]: readonly [Parameter | undefined, Parameter | undefined],
  { node }: Operation,
): Report {
  const use = { operation: name, where: titleOf(about), around: { node } };
  return (rule, message, key) => {
    const place = (parameter: Parameter | undefined) =>
      parameter && { node: parameter.node, ...(key !== undefined && { key }) };
    collector.add(rule, use, message, place(before), place(after));
  };
}

const titleOf = (parameter: Parameter): string => `${parameter.in} parameter ${parameter.name}`;

/** The parameter of the same name that is new in another place. */
function findMoved({ name }: Parameter, before: Parameters, after: Parameters): Parameter | undefined {
  const isSame = (other: Parameter) => other.in !== 'path' && other.name.toLowerCase() === name.toLowerCase();
  return after.entries().find(([key, other]) => !before.has(key) && isSame(other))?.[1];
}

function isExpected({ node }: Parameter, { now }: Context): boolean {
  const sunset = dateOf(node['x-sunset']);
  return node.deprecated === true && (node['x-sunset'] === undefined || (sunset !== undefined && sunset <= now));
}

function compareParameter(context: Context, before: Parameter, after: Parameter, report: Report): void {
  const { collector, name, sender } = context;
  if (after.isRequired && !before.isRequired)
    report(sender === 'client' ? 'parameter-required' : 'parameter-optional', 'is now required', 'required');
  if (before.isRequired && !after.isRequired) {
    const rule = sender === 'client' ? 'parameter-optional' : 'callback-parameter-optional';
    report(rule, 'is no longer required', 'required');
  }
  if (before.style !== after.style && (isStyled(context, before, after) || isMedia(before) || isMedia(after)))
    report('parameter-style-changed', `was serialized as ${before.style}, is now ${after.style}`);
  compareFlags(before, after, report);
  compareDefaults(context, before, after);
  // A single value is serialized like an array with one item.
  const items = after.style === 'form, exploded' ? collector.itemsForOne(before.schema, after.schema) : undefined;
  if (items !== undefined) report('parameter-repeatable', 'may now have several values', 'schema');
  collector.compare(before.schema, items ?? after.schema, {
    operation: name,
    where: titleOf(after),
    direction: sender === 'client' ? 'request' : 'response',
    isText: !isMedia(after),
    hasDefault: true,
  });
}

/** Whether the style matters. A single value looks the same in all usual styles. */
function isStyled({ collector }: Context, before: Parameter, after: Parameter): boolean {
  const isUsual = ({ style }: Parameter) => /^(?:form|simple)(?:,|$)/.test(style);
  return !isUsual(before) || !isUsual(after) || collector.hasParts(before.schema);
}

const isMedia = ({ style }: Parameter): boolean => style.includes('/');

function compareFlags({ node: old }: Parameter, { node: now }: Parameter, report: Report): void {
  const key = 'allowEmptyValue';
  if (old[key] === true && now[key] !== true) report('parameter-empty-refused', 'may no longer be empty', key);
  const isReserved = now.allowReserved === true;
  if ((old.allowReserved === true) !== isReserved)
    report('parameter-reserved-changed', `allowReserved is ${isReserved ? 'now' : 'no longer'} true`, 'allowReserved');
  compareDeprecation(old, now, (rule, message, at) => report(`parameter-${rule}`, message, at));
  compareSunsets(old, now, report);
}

function compareDefaults({ collector, name }: Context, before: Parameter, after: Parameter): void {
  const defaults = collector.defaultsOf(before.schema, after.schema);
  const [was, is] = [defaults.before?.text, defaults.after?.text];
  if (was === is) return;
  const places = [
    defaults.before?.place ?? { node: before.node },
    defaults.after?.place ?? { node: after.node },
  ] as const;
  const report = (rule: PlainRule, message: string) =>
    collector.add(rule, { operation: name, where: titleOf(after) }, message, ...places);
  const message = is === undefined ? `default ${was} was removed` : `default was ${was ?? 'none'}, is now ${is}`;
  if (before.isRequired && after.isRequired) report('parameter-default-unused', message);
  else if (was === undefined) report('parameter-default-added', `default is now ${is}`);
  else report('parameter-default-changed', message);
}

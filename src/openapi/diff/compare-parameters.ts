import type { Context } from './context.ts';
import type { Parameter } from './operations.ts';
import type { PlainRule } from './rules.ts';
import { compareSunsets, dateOf } from './sunset.ts';

type Parameters = ReadonlyMap<string, Parameter>;

/** Compares the parameters of an operation. */
export function compareParameters(context: Context, before: Parameters, after: Parameters): void {
  const moved = new Set<string>();
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other) compareParameter(context, parameter, other);
    else reportRemoved(context, parameter, findMoved(parameter, before, after), moved);
  }
  for (const [key, parameter] of after) {
    // Each name in a path has one, described or not.
    if (before.has(key) || moved.has(key) || parameter.in === 'path') continue;
    const isBreaking = parameter.isRequired && context.sender === 'client';
    const message = parameter.isRequired ? 'is new and required' : 'is new';
    add(context, parameter, isBreaking ? 'parameter-added-required' : 'parameter-added', message, undefined, parameter);
  }
}

function add(
  { collector, name }: Context,
  about: Parameter,
  rule: PlainRule,
  message: string,
  before: Parameter | undefined,
  after: Parameter | undefined,
  key?: string,
): void {
  const use = { operation: name, where: titleOf(about) };
  const ref = (parameter: Parameter | undefined) =>
    parameter && (key === undefined ? { node: parameter.node } : { node: parameter.node, key });
  collector.add(rule, use, message, ref(before), ref(after));
}

const titleOf = (parameter: Parameter): string => `${parameter.in} parameter ${parameter.name}`;

/** The parameter of the same name that is new in another place. */
function findMoved({ name }: Parameter, before: Parameters, after: Parameters): [string, Parameter] | undefined {
  return [...after].find(
    ([key, other]) => !before.has(key) && other.in !== 'path' && other.name.toLowerCase() === name.toLowerCase(),
  );
}

function reportRemoved(
  context: Context,
  parameter: Parameter,
  target: [string, Parameter] | undefined,
  moved: Set<string>,
): void {
  // A name that left the path makes another path.
  if (parameter.in === 'path') return;
  if (target) {
    const [key, other] = target;
    moved.add(key);
    add(context, parameter, 'parameter-moved', `is now a ${other.in} parameter`, parameter, other);
    return;
  }
  const { node } = parameter;
  const sunset = dateOf(node['x-sunset']);
  const isExpected = node.deprecated === true && (node['x-sunset'] === undefined || (sunset && sunset <= context.now));
  const rule = isExpected ? 'parameter-removed-deprecated' : 'parameter-removed';
  add(context, parameter, rule, 'was removed', parameter, undefined);
}

function compareParameter(context: Context, before: Parameter, after: Parameter): void {
  const { collector, name, sender } = context;
  const report = (rule: PlainRule, message: string, key?: string) =>
    add(context, after, rule, message, before, after, key);
  if (after.isRequired && !before.isRequired) {
    report(sender === 'client' ? 'parameter-required' : 'parameter-optional', 'is now required', 'required');
  }
  if (before.isRequired && !after.isRequired) {
    const rule = sender === 'client' ? 'parameter-optional' : 'callback-parameter-optional';
    report(rule, 'is no longer required', 'required');
  }
  if (before.style !== after.style && (isStyled(context, before, after) || isMedia(before) || isMedia(after))) {
    report('parameter-style-changed', `was written as ${before.style}, is now ${after.style}`);
  }
  compareFlags(before, after, report);
  compareDefaults(context, before, after);
  // One value is written like an array of one.
  const items = after.style === 'form, exploded' ? collector.itemsForOne(before.schema, after.schema) : undefined;
  collector.compare(before.schema, items ?? after.schema, {
    operation: name,
    where: titleOf(after),
    direction: sender === 'client' ? 'request' : 'response',
    isText: !isMedia(after),
    hasDefault: true,
  });
}

/** Whether the style matters: a single value looks the same in all usual styles. */
function isStyled({ collector }: Context, before: Parameter, after: Parameter): boolean {
  const simple = new Set(['form', 'simple']);
  const isUsual = ({ style }: Parameter) => simple.has(style.split(',')[0] ?? '');
  return !isUsual(before) || !isUsual(after) || collector.hasParts(before.schema);
}

const isMedia = ({ style }: Parameter): boolean => style.includes('/');

function compareFlags(
  before: Parameter,
  after: Parameter,
  report: (rule: PlainRule, message: string, key?: string) => void,
): void {
  const [old, now] = [before.node, after.node];
  const key = 'allowEmptyValue';
  if (old[key] === true && now[key] !== true) report('parameter-empty-refused', 'may no longer be empty', key);
  if ((old.allowReserved === true) !== (now.allowReserved === true)) {
    const message = `allowReserved is ${now.allowReserved === true ? 'now' : 'no longer'} true`;
    report('parameter-reserved-changed', message, 'allowReserved');
  }
  const [wasDeprecated, isDeprecated] = [old.deprecated === true, now.deprecated === true];
  if (isDeprecated && !wasDeprecated) report('parameter-deprecated', 'is now deprecated', 'deprecated');
  if (wasDeprecated && !isDeprecated) report('parameter-restored', 'is no longer deprecated', 'deprecated');
  compareSunsets(old, now, report);
}

function compareDefaults({ collector, name }: Context, before: Parameter, after: Parameter): void {
  const defaults = collector.defaultsOf(before.schema, after.schema);
  const [was, is] = [defaults.before?.text, defaults.after?.text];
  if (was === is) return;
  const [oldPlace, newPlace] = [
    defaults.before?.place ?? { node: before.node },
    defaults.after?.place ?? { node: after.node },
  ];
  const report = (rule: PlainRule, message: string) =>
    collector.add(rule, { operation: name, where: titleOf(after) }, message, oldPlace, newPlace);
  const message = `default was ${was ?? 'none'}, is ${is === undefined ? 'gone' : `now ${is}`}`;
  if (before.isRequired && after.isRequired) report('parameter-default-unused', message);
  else if (was === undefined) report('parameter-default-added', `default is now ${is}`);
  else report('parameter-default-changed', message);
}

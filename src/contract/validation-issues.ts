import type { z } from 'zod/mini';
import { pointerTo } from '../shared/json-pointer.ts';
import { definitionOf } from './definition.ts';
import { rules, type Rule, type ValidationIssue } from './errors.ts';
import { lengthIssues } from './lengths.ts';

type Issue = z.core.$ZodIssue;

/** How many issues a response lists. */
export const maxIssues = 100;

type Checked<T> =
  | { success: true; data: T }
  | { success: false; issues: readonly Issue[]; /** Whether there may be other issues. */ isCut: boolean };

/**
 * Checks a value that may be large. The lengths of lists and records come first: if one is too long, its items are not
 * looked at. The check ends with the item that has the issue number `maxIssues`: zod would keep all issues, and hands them
 * on as arguments, of which the stack holds some 120,000.
 */
export function checkValue<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const tooLong = lengthIssues(schema, value);
  if (tooLong.length > 0) return { success: false, issues: tooLong, isCut: false };
  limitItems(schema);
  counts = { kept: 0, isCut: false };
  try {
    let result = schema.safeParse(value);
    // Issues may have been counted in branches of a union that did not count in the end, and other items skipped for them.
    if (result.success && counts.isCut) {
      counts = undefined;
      result = schema.safeParse(value);
    }
    return result.success
      ? { success: true, data: result.data }
      : { success: false, issues: result.error.issues, isCut: counts?.isCut ?? false };
  } finally {
    counts = undefined;
  }
}

/** Issues of items so far in the check that is under way. */
let counts: { kept: number; isCut: boolean } | undefined;
const limited = new WeakSet<z.core.$ZodType>();

/** Prepares the lists and records of a schema, once: their items are skipped when there are enough issues. */
function limitItems(schema: z.core.$ZodType): void {
  if (limited.has(schema)) return;
  limited.add(schema);
  const def = definitionOf(schema);
  switch (def.type) {
    case 'array':
      return limitIssues(def.element);
    case 'record':
      limitIssues(def.keyType);
      return limitIssues(def.valueType);
    case 'object':
      return Object.values(def.shape).forEach(limitItems);
    case 'union':
      return def.options.forEach(limitItems);
    case 'lazy':
      return limitItems(def.getter());
    default:
      if ('innerType' in def) limitItems(def.innerType);
  }
}

const limitedItems = new WeakSet<z.core.$ZodType>();

function limitIssues(item: z.core.$ZodType): void {
  limitItems(item);
  if (limitedItems.has(item)) return;
  limitedItems.add(item);
  const { run } = item._zod;
  item._zod.run = (payload, context) => {
    const before = counts?.kept ?? 0;
    if (counts !== undefined && before >= maxIssues) {
      counts.isCut = true;
      return payload;
    }
    const result = run(payload, context);
    // What its own items kept is among the item's issues, or was not one in the end.
    if (counts !== undefined && !(result instanceof Promise)) counts.kept = before + result.issues.length;
    return result;
  };
}

/** The issues that zod reports in a value, with the messages of the service. */
export function validationIssues(
  where: ValidationIssue['in'],
  issues: readonly Issue[],
  parentPath: readonly PropertyKey[] = [],
): ValidationIssue[] {
  return issues.flatMap((issue) => {
    const path = [...parentPath, ...issue.path];
    if (issue.code === 'invalid_union') return unionIssues(where, issue, path);
    if (issue.code === 'invalid_key' || issue.code === 'invalid_element')
      return validationIssues(where, issue.issues, path);
    return [{ in: where, path: where === 'body' ? pointerTo(path) : path.join('.'), ...describe(issue) }];
  });
}

export { pointerTo as pointer };

// The alternative of the value's own type is what the caller meant; of several, the one whose error is deepest.
function unionIssues(
  where: ValidationIssue['in'],
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: PropertyKey[],
): ValidationIssue[] {
  const here = where === 'body' ? pointerTo(path) : path.join('.');
  // The member that names the alternative has a value of none of them.
  if ('options' in issue && Array.isArray(issue.options))
    return [{ in: where, path: here, rule: 'enum', message: `must be one of ${issue.options.join(', ')}` }];
  const branches = issue.errors.map((errors) => validationIssues(where, errors, path));
  const depth = (details: ValidationIssue[]) =>
    details.reduce((deepest, detail) => Math.max(deepest, detail.path.split('/').length), 0) -
    (details.some((detail) => detail.rule === 'type' || detail.rule === 'required') ? 0.5 : 0);
  const [matching, ...others] = branches.filter(
    (details) => !details.some((detail) => detail.rule === 'type' && detail.path === here),
  );
  if (matching && others.length === 0) return matching;
  const best = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
  if (best && best.length > 0 && branches.length === 1) return best;
  if (best?.some((detail) => detail.path !== here)) return best;
  const messages = [...new Set(branches.flat().map((detail) => detail.message))];
  return [
    {
      in: where,
      path: here,
      rule: 'type',
      message: messages.length > 0 ? messages.join(', or ') : 'must have one of the forms of the description',
    },
  ];
}

/** zod's message for a rule that has none. */
const unnamed = 'Invalid input';

function describe(issue: Issue): { rule: Rule; message: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.message === 'required')
        return { rule: 'required', message: 'is required' };
      return issue.expected === 'int'
        ? { rule: 'type', message: 'must be a whole number' }
        : { rule: 'type', message: `must be ${article(names[issue.expected] ?? issue.expected)}` };
    case 'invalid_value':
      return issue.values.length === 1
        ? { rule: 'enum', message: `must be ${String(issue.values[0])}` }
        : { rule: 'enum', message: `must be one of ${issue.values.join(', ')}` };
    case 'too_big':
      return tooBig(issue.origin, issue.maximum);
    case 'too_small':
      return issue.origin === 'string'
        ? {
            rule: 'minLength',
            message: `must be at least ${issue.minimum} character${Number(issue.minimum) === 1 ? '' : 's'}`,
          }
        : issue.origin === 'array'
          ? {
              rule: 'minItems',
              message: `must have at least ${issue.minimum} item${Number(issue.minimum) === 1 ? '' : 's'}`,
            }
          : { rule: 'minimum', message: `must be at least ${issue.minimum}` };
    case 'invalid_format':
      return issue.format === 'regex'
        ? { rule: 'pattern', message: issue.message === unnamed ? `must match ${issue.pattern}` : issue.message }
        : { rule: 'format', message: issue.message === unnamed ? `must be a valid ${issue.format}` : issue.message };
    case 'unrecognized_keys':
      return { rule: 'unexpected', message: `has unknown members: ${issue.keys.join(', ')}` };
    case 'custom':
      return { rule: rules.find((rule) => rule === issue.params?.rule) ?? 'type', message: issue.message };
    default:
      return { rule: 'type', message: issue.message };
  }
}

function tooBig(origin: string, maximum: number | bigint): { rule: Rule; message: string } {
  switch (origin) {
    case 'string':
      return { rule: 'maxLength', message: `must be at most ${maximum} characters` };
    case 'array':
      return { rule: 'maxItems', message: `must have at most ${maximum} items` };
    case 'record':
      return { rule: 'maxItems', message: `must have at most ${maximum} members` };
    case 'key':
      return { rule: 'maxLength', message: `must have names of at most ${maximum} characters` };
    default:
      return { rule: 'maximum', message: `must be at most ${maximum}` };
  }
}

const names: Record<string, string> = { record: 'object', nan: 'number', undefined: 'absent' };
const article = (noun: string) =>
  noun === 'null' || noun === 'absent' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/**
 * Marks the issues of missing members, so that their message is "is required".
 * zod leaves the input out of its issues, so it is read from the value.
 */
export function markMissing(value: unknown, issues: readonly Issue[]): Issue[] {
  return issues.map((issue): Issue => {
    let member: unknown = value;
    for (const part of issue.path) member = member == null ? undefined : Reflect.get(Object(member), part);
    if (issue.code === 'custom') return issue;
    if (member === undefined && issue.path.length > 0)
      return { code: 'invalid_type', expected: 'nonoptional', input: undefined, path: issue.path, message: 'required' };
    if (issue.code !== 'invalid_union' || issue.inclusive === false) return issue;
    return { ...issue, errors: issue.errors.map((errors) => markMissing(member, errors)) };
  });
}

import type { z } from 'zod/mini';
import type { Fault, Rule } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** All faults that zod found in a value, in the service's words. */
export function faultsOf(where: Fault['in'], issues: readonly Issue[], at: readonly PropertyKey[] = []): Fault[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code === 'invalid_union') return unionFaults(where, issue, path);
    if (issue.code === 'invalid_key' || issue.code === 'invalid_element') return faultsOf(where, issue.issues, path);
    return [{ in: where, path: where === 'body' ? pointer(path) : path.join('.'), ...told(issue) }];
  });
}

export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

// The one branch of the value's own kind is what the caller meant; of several, the one that got furthest.
function unionFaults(
  where: Fault['in'],
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: PropertyKey[],
): Fault[] {
  const here = where === 'body' ? pointer(path) : path.join('.');
  // The member that tells the branches apart says none of them.
  const { options } = issue as { options?: unknown[] };
  if (options) return [{ in: where, path: here, rule: 'enum', message: `must be one of ${options.join(', ')}` }];
  const branches = issue.errors.map((errors) => faultsOf(where, errors, path));
  const depth = (faults: Fault[]) =>
    Math.max(0, ...faults.map((fault) => fault.path.split('/').length)) -
    (faults.some((f) => f.rule === 'type' || f.rule === 'required') ? 0.5 : 0);
  const fitting = branches.filter((faults) => !faults.some((fault) => fault.rule === 'type' && fault.path === here));
  if (fitting.length === 1) return fitting[0]!;
  const best = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
  if (best && best.length > 0 && branches.length === 1) return best;
  if (best?.some((fault) => fault.path !== here)) return best;
  const messages = [...new Set(branches.flat().map((fault) => fault.message))];
  return [
    {
      in: where,
      path: here,
      rule: 'type',
      message: messages.length > 0 ? messages.join(', or ') : 'must be one of the shapes of the description',
    },
  ];
}

function told(issue: Issue): { rule: Rule; message: string } {
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
      return issue.origin === 'string'
        ? { rule: 'maxLength', message: `must be at most ${issue.maximum} characters` }
        : issue.origin === 'array'
          ? { rule: 'maxItems', message: `must have at most ${issue.maximum} items` }
          : { rule: 'maximum', message: `must be at most ${issue.maximum}` };
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
        ? { rule: 'pattern', message: `must match ${issue.pattern ?? 'the pattern'}` }
        : { rule: 'format', message: `must be a valid ${issue.format}` };
    case 'unrecognized_keys':
      return { rule: 'unexpected', message: `has unknown members: ${issue.keys.join(', ')}` };
    case 'custom':
      return { rule: (issue.params?.rule as Rule | undefined) ?? 'type', message: issue.message };
    default:
      return { rule: 'type', message: issue.message };
  }
}

const names: Record<string, string> = { record: 'object', nan: 'number', undefined: 'absent' };
const article = (noun: string) =>
  noun === 'null' || noun === 'absent' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/**
 * Marks issues for members that are not there, so that `told` can say "required".
 * zod leaves the input out of its issues, so the value itself is asked.
 */
export function markMissing(value: unknown, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue): Issue => {
    let here: unknown = value;
    for (const part of issue.path) here = here == null ? undefined : (here as Record<PropertyKey, unknown>)[part];
    if (issue.code === 'custom') return issue;
    if (here === undefined && issue.path.length > 0) {
      return {
        ...issue,
        code: 'invalid_type',
        expected: 'nonoptional',
        input: undefined,
        message: 'required',
      } as Issue;
    }
    return issue.code === 'invalid_union'
      ? ({ ...issue, errors: issue.errors.map((errors) => markMissing(here, errors)) } as Issue)
      : issue;
  });
}

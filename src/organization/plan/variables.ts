import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../shared/is-object.ts';

/** Names of variables, by their values: these must neither be shown nor written into a file. */
export type Secrets = ReadonlyMap<string, string>;

/** How a saved plan knows whether a variable still has the value that it was made with. */
export interface VariableCheck {
  salt: string;
  hash: string;
}

/** A text of a saved plan with variables in it. */
interface Template {
  $text: (string | { env: string })[];
}

/** Why a saved plan cannot be read here. */
export class VariableMismatch extends Error {
  override readonly name = 'VariableMismatch';
}

/** A copy in which values of variables cannot be read. */
export const hideSecrets = (value: unknown, secrets: Secrets): unknown =>
  mapTexts(value, (text) => ([...secrets.keys()].some((secret) => text.includes(secret)) ? '(hidden)' : text));

/** Members with the names of variables in the place of their values, and what tells whether a value is the same. */
export function withNames(members: Readonly<Record<string, unknown>>, secrets: Secrets) {
  const used = new Map<string, string>();
  const longestFirst = [...secrets].toSorted(([one], [other]) => other.length - one.length);
  const divide = (text: string): Template['$text'] => {
    for (const [secret, variable] of longestFirst) {
      const start = text.indexOf(secret);
      if (start < 0) continue;
      used.set(variable, secret);
      const [before, after] = [text.slice(0, start), text.slice(start + secret.length)];
      return [...divide(before), { env: variable }, ...divide(after)];
    }
    return text === '' ? [] : [text];
  };
  const name = (text: string) => {
    const parts = divide(text);
    return parts.some((part) => typeof part !== 'string') ? { $text: parts } : text;
  };
  const named = Object.entries(members).map(([key, value]) => [key, mapTexts(value, name)]);
  const checks = [...used].map(([variable, secret]): [string, VariableCheck] => {
    const salt = randomBytes(16).toString('base64');
    return [variable, { salt, hash: hashOf(secret, salt).toString('base64') }];
  });
  return { members: Object.fromEntries(named), checks: Object.fromEntries(checks) };
}

/**
 * The variables of a saved plan with their values here.
 *
 * @throws VariableMismatch where one is not set, or has another value than the plan was made with
 */
export function variablesFor(
  checks: Readonly<Record<string, VariableCheck>>,
  variable: (name: string) => string | undefined,
): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, { salt, hash }] of Object.entries(checks)) {
    const value = variable(name);
    if (value === undefined) throw new VariableMismatch(`the variable ${name} is not set`);
    const expected = Buffer.from(hash, 'base64');
    const actual = hashOf(value, salt);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
      throw new VariableMismatch(`the variable ${name} has another value than when the plan was made`);
    values.set(name, value);
  }
  return values;
}

/** A copy with the values of variables in the place of their names. @param values by name */
export function withValues(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (!isObject(value)) return value;
  if (isTemplate(value)) {
    return value.$text.map((part) => (typeof part === 'string' ? part : (values.get(part.env) ?? ''))).join('');
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withValues(member, values)]));
}

const isTemplate = (value: object): value is Template => '$text' in value && Array.isArray(value.$text);

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, change)]));
}

// Slow on purpose: a plan is kept where others read it, and a short secret could be guessed by a fast hash.
export const hashOf = (value: string, salt: string): Buffer => scryptSync(value, Buffer.from(salt, 'base64'), 32);

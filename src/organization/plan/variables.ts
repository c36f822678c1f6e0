import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../shared/is-object.ts';

/** Names of variables by their values, which must neither be shown nor written to a file. */
export type Secrets = ReadonlyMap<string, string>;

/** Detects whether a variable has the same value as when the plan was made. */
interface VariableCheck {
  salt: string;
  hash: string;
}

/** A text of a saved plan that contains variables. */
interface Template {
  $text: (string | { env: string })[];
}

/** The values that must not be shown. */
export const secretsIn = (variables: ReadonlyMap<string, string>): Secrets =>
  new Map([...variables].flatMap(([name, value]) => (value === '' ? [] : [[value, name]])));

/** A copy without the values of variables. The text around them is kept, because it is sent, too. */
export const hideSecrets = (value: unknown, secrets: Secrets): unknown =>
  mapTexts(value, (text) =>
    divide(text, secrets)
      .map((part) => (typeof part === 'string' ? part : '(hidden)'))
      .join(''),
  );

/** Members with the names of variables instead of their values. */
export function withNames(members: Readonly<Record<string, unknown>>, secrets: Secrets): Record<string, unknown> {
  const name = (text: string) => {
    const parts = divide(text, secrets);
    return parts.some((part) => typeof part !== 'string') ? { $text: parts } : text;
  };
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, mapTexts(value, name)]));
}

function divide(text: string, secrets: Secrets): Template['$text'] {
  const longestFirst = [...secrets].toSorted(([one], [other]) => other.length - one.length);
  for (const [secret, variable] of longestFirst) {
    const start = text.indexOf(secret);
    if (start < 0) continue;
    const [before, after] = [text.slice(0, start), text.slice(start + secret.length)];
    return [...divide(before, secrets), { env: variable }, ...divide(after, secrets)];
  }
  return text === '' ? [] : [text];
}

/** Checks that detect whether the variables have the same values elsewhere. */
export const checksOf = (variables: ReadonlyMap<string, string>): Record<string, VariableCheck> =>
  Object.fromEntries(
    [...variables].map(([variable, value]) => {
      const salt = randomBytes(16).toString('base64');
      return [variable, { salt, hash: hashOf(value, salt).toString('base64') }];
    }),
  );

/** The current values of the variables of a saved plan. @param errorFor for a variable that is not set, or has changed */
export function variablesFor(
  checks: Readonly<Record<string, VariableCheck>>,
  env: Readonly<Record<string, string | undefined>>,
  errorFor: (reason: string) => Error,
): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, { salt, hash }] of Object.entries(checks)) {
    const value = env[name];
    if (value === undefined) throw errorFor(`the variable ${name} is not set`);
    const expected = Buffer.from(hash, 'base64');
    const actual = hashOf(value, salt);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
      throw errorFor(`the variable ${name} does not have the value that it had when the plan was made`);
    values.set(name, value);
  }
  return values;
}

/** A copy with the values of variables instead of their names. @param values by name */
export function withValues(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (!isObject(value)) return value;
  if (isTemplate(value)) {
    return value.$text.map((part) => (typeof part === 'string' ? part : (values.get(part?.env) ?? ''))).join('');
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

// Slow on purpose: others may read a saved plan, and a short secret could be guessed from a fast hash.
export const hashOf = (value: string, salt: string): Buffer => scryptSync(value, Buffer.from(salt, 'base64'), 32);

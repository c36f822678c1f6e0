import * as z from 'zod/mini';
import type { ObjectParam } from './objects.ts';

/** A schema built on first use and kept: building every object schema at start-up would cost more than most commands. */
export function lazy<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

interface TextLimits {
  min?: number;
  max?: number;
  pattern?: RegExp;
}

/**
 * A string whose length is counted in Unicode code points, as JSON Schema counts it,
 * so that an emoji is one character of a title.
 */
export function text({ min, max, pattern }: TextLimits = {}, about?: string) {
  const meta: Record<string, unknown> = {};
  const checks: z.core.$ZodCheck<string>[] = [];
  if (about !== undefined) meta.description = about;
  if (min !== undefined || max !== undefined) {
    if (min !== undefined) meta.minLength = min;
    if (max !== undefined) meta.maxLength = max;
    checks.push(lengthCheck(min, max));
  }
  if (pattern) checks.push(z.regex(pattern));
  if (Object.keys(meta).length > 0) checks.push(z.meta(meta));
  return z.string().check(...checks);
}

function lengthCheck(min = 0, max = Infinity) {
  return z.check<string>((payload) => {
    const { value } = payload;
    // UTF-16 length bounds the count of code points from above, and half of it from below.
    const length = value.length <= max && value.length / 2 >= min ? value.length : [...value].length;
    if (length > max) {
      payload.issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: max,
        inclusive: true,
        input: value,
        continue: true,
      });
    } else if (length < min) {
      payload.issues.push({
        code: 'too_small',
        origin: 'string',
        minimum: min,
        inclusive: true,
        input: value,
        continue: true,
      });
    }
  });
}

/** An http or https address; with `empty`, also the empty text of one that is not set. */
export function webAddress(max: number, about?: string, { empty = false } = {}) {
  return text({ max }, about).check(
    z.refine((value) => isWebAddress(value) || (empty && value === ''), {
      params: { rule: 'format' },
      message: 'must be an http or https address',
    }),
  );
}

const isWebAddress = (value: string) => /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value);

const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}$/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Letters of any script; the domain in labels, two at least. */
function isEmailAddress(value: string): boolean {
  const [name, domain, ...more] = value.split('@', 3);
  const labels = domain?.split('.') ?? [];
  return (
    mailbox.test(name!) &&
    more.length === 0 &&
    labels.length > 1 &&
    labels.at(-1)!.length > 1 &&
    labels.every((each) => label.test(each))
  );
}

export function emailAddress(about?: string) {
  return text({ max: 254 }, about).check(
    z.refine(isEmailAddress, { params: { rule: 'format' }, message: 'must be an e-mail address' }),
  );
}

/** A check of arrays: every item is told that is there already. */
export const distinct = () =>
  z.check<unknown[]>((payload) => {
    const seen = new Set<unknown>();
    for (const [index, item] of payload.value.entries()) {
      if (seen.has(item)) {
        payload.issues.push({
          code: 'custom',
          path: [index],
          params: { rule: 'unique' },
          message: 'repeats an earlier item',
          input: item,
          continue: true,
        });
      }
      seen.add(item);
    }
  });

/** The schema with a description, which users read in help and in the reference. */
export const about = <S extends z.ZodMiniType>(schema: S, description: string): S =>
  schema.check(z.describe(description));

/** What the value of a field names. */
export interface Referenced {
  /** The object, as a path parameter. */
  param: ObjectParam;
  /** The service itself takes an e-mail address there, too. */
  takesEmail?: boolean;
}

const referenced = z.registry<Referenced>();

/** The id of an object in a query or a body. The command line also takes names of the object there. */
export function reference(param: ObjectParam, description?: string, options: Omit<Referenced, 'param'> = {}) {
  const schema = id(description);
  referenced.add(schema, { param, ...options });
  return schema;
}

/** What a schema made by `reference` names; undefined for others. */
export const referencedBy = (schema: z.core.$ZodType): Referenced | undefined => referenced.get(schema);

/** ISO 8601 with milliseconds and Z (open parts, 4). */
export const dateTime = () => z.string().check(z.meta({ format: 'date-time' }));
export const id = (description?: string) =>
  description === undefined ? z.string() : z.string().check(z.describe(description));
export const flags = <const Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.boolean()])) as Record<Names, z.ZodMiniBoolean>);

import * as z from 'zod/mini';
import type { ObjectParam } from './objects.ts';

/** A schema built on first use and kept: building every object schema at start-up would cost more than most commands. */
export function lazy<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/** What a text must look like: a rule for machines, and the same in words, as people read it after the name of the field. */
export interface TextForm {
  pattern: RegExp;
  message: string;
}

/** One part of the address of a page or a site, as it is typed and shown. */
export const addressPart: TextForm = {
  // The empty text is refused for its length.
  pattern: /^(?!\.{1,2}$)[^\s/?#%\\\p{Cc}]*$/u,
  message: 'must be one part of an address: without spaces, slashes, ?, # and %, and not . or ..',
};

/** Such parts with slashes between them. */
export const addressPath: TextForm = {
  pattern: /^(?:(?!\.{1,2}(?:\/|$))[^\s/?#%\\\p{Cc}]+(?:\/(?!\.{1,2}(?:\/|$))[^\s/?#%\\\p{Cc}]+)*)?$/u,
  message: 'must be a path: without spaces, ?, # and %, with single slashes, and no part . or ..',
};

interface TextLimits {
  min?: number;
  max?: number;
  form?: TextForm;
}

/**
 * A string whose length is counted in Unicode code points, as JSON Schema counts it,
 * so that an emoji is one character of a title.
 */
export function text({ min, max, form }: TextLimits = {}, about?: string) {
  const meta: Record<string, unknown> = {};
  const checks: z.core.$ZodCheck<string>[] = [];
  if (about !== undefined) meta.description = about;
  if (min !== undefined || max !== undefined) {
    if (min !== undefined) meta.minLength = min;
    if (max !== undefined) meta.maxLength = max;
    checks.push(lengthCheck(min, max));
  }
  if (form) checks.push(z.regex(form.pattern, form.message));
  if (Object.keys(meta).length > 0) checks.push(z.meta(meta));
  return z.string().check(...checks);
}

function lengthCheck(min = 0, max = Infinity) {
  return z.check<string>((payload) => {
    const { value } = payload;
    const isFarTooLong = value.length > 2 * max;
    // UTF-16 length bounds the count of code points from above, and half of it from below.
    const isClear = isFarTooLong || (value.length <= max && value.length / 2 >= min);
    const length = isClear ? value.length : [...value].length;
    if (length > max) {
      payload.issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: max,
        inclusive: true,
        input: value,
        // Other checks of a very long text take long.
        continue: !isFarTooLong,
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

/** Letters of any script, in labels, two at least. A single one is most often a typing error, but for `localhost`. */
function isEmailDomain(value: string): boolean {
  if (value.toLowerCase() === 'localhost') return true;
  const labels = value.split('.');
  return labels.length > 1 && labels.at(-1)!.length > 1 && labels.every((each) => label.test(each));
}

function isEmailAddress(value: string): boolean {
  const [name, domain, ...more] = value.split('@', 3);
  return mailbox.test(name!) && more.length === 0 && domain !== undefined && isEmailDomain(domain);
}

export function emailAddress(about?: string) {
  return text({ max: 254 }, about).check(
    z.refine(isEmailAddress, { params: { rule: 'format' }, message: 'must be an email address' }),
  );
}

/** The part of an address after the @. */
export function emailDomain() {
  return text({ max: 253 }).check(
    z.refine(isEmailDomain, { params: { rule: 'pattern' }, message: 'must be a domain, such as lumen.example' }),
  );
}

const maxEmoji = 50;

/**
 * One emoji: those that Unicode recommends, and the sequences of them that it permits, so that an emoji of a later version
 * is not refused.
 */
const oneEmoji = lazy(
  () =>
    // slow-regexp: the checker does not know the flag; what repeats begins with a joiner, which no emoji has within.
    /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)*)$/v,
);

/** One emoji. */
export function emoji() {
  return text({ max: maxEmoji }).check(
    z.refine((value) => oneEmoji().test(value), { params: { rule: 'format' }, message: 'must be an emoji' }),
  );
}

/** Emoji and no other text. */
export function emojis(about: string) {
  return text({ max: maxEmoji }, about).check(
    z.refine(isEmojis, { params: { rule: 'format' }, message: 'must be an emoji, and no other text' }),
  );
}

function isEmojis(value: string): boolean {
  // A text that is too long is refused for that, and splitting it takes time.
  if (Array.from(value.slice(0, 2 * maxEmoji + 1)).length > maxEmoji) return true;
  const parts = Array.from(new Intl.Segmenter().segment(value), ({ segment }) => segment);
  return parts.length > 0 && parts.every((part) => oneEmoji().test(part));
}

/** A check of arrays that reports each duplicate item. */
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

/** Most items of a list in a request, and most members of a record, if there is no smaller limit. */
export const maxItems = 1_000;

/** A list of at most `maxItems` items. */
export const list = <S extends z.ZodMiniType>(item: S, max = maxItems) => z.array(item).check(z.maxLength(max));

/** An object with free names, of which it has at most `maxItems`. `lengthIssues` checks that. */
export const record = <K extends z.core.$ZodRecordKey, S extends z.ZodMiniType>(key: K, value: S) =>
  z.record(key, value).check(z.meta({ maxProperties: maxItems }));

/** The schema with a description, which users read in help and in the reference. */
export const about = <S extends z.ZodMiniType>(schema: S, description: string): S =>
  schema.check(z.describe(description));

/** What the value of a field names. */
export interface Referenced {
  /** The object, as a path parameter. */
  param: ObjectParam;
  /** The service itself takes an email address there, too. */
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

/** ISO 8601 with milliseconds and Z. */
export const dateTime = () => z.string().check(z.meta({ format: 'date-time' }));
const id = (description?: string) =>
  description === undefined ? z.string() : z.string().check(z.describe(description));
export const flags = <const Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.boolean()])) as Record<Names, z.ZodMiniBoolean>);

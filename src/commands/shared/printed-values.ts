import * as z from 'zod/mini';
import { words } from '../../shared/words.ts';

export { array, boolean, number, object, optional, record, string, union, unknown } from 'zod/mini';

// Short names for the parts of the schemas in printed.ts and printed-local.ts.

export const text = () => z.optional(z.string());
export const count = () => z.optional(z.number());
export const anything = () => z.optional(z.unknown());
export const word = <const Words extends readonly string[]>(...words: Words) => z.enum(words);

/** Several members of one kind. */
export const all = <Schema>(kind: () => Schema, names: string): Record<string, Schema> =>
  Object.fromEntries(words(names).map((name) => [name, kind()]));

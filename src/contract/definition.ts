import type * as z from 'zod/mini';

/** The definition of a schema by its type. Every schema is of one of zod's own types: the contract adds none. */
export const definitionOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

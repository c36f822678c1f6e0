import type { Texts } from './english.ts';

/** The texts of other languages than English. */
export const tables: Record<string, Partial<Texts>> = {};

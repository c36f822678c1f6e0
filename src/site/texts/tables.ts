import type { Texts } from './english.ts';
import { ar, he, ja, ko, ru, zh } from './others.ts';
import { de, es, fr, it, nl, norwegian, pt } from './western.ts';

/** The texts of other languages than English. */
export const tables: Record<string, Texts> = {
  ar,
  de,
  es,
  fr,
  he,
  it,
  ja,
  ko,
  nl,
  no: norwegian,
  nb: norwegian,
  pt,
  ru,
  zh,
};

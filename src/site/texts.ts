import { english, type Texts } from './texts/english.ts';
import { tables } from './texts/tables.ts';

export type { Texts };

/**
 * The texts in a language such as `pt-br`; English ones where the language is not translated.
 *
 * @param locale a language with or without a region
 */
export function textsOf(locale: string): Texts {
  const [language = ''] = locale.toLowerCase().split('-');
  return tables[language] ?? english;
}

/**
 * What the script in the browser needs. Texts with a value in them have `{}` in its place.
 *
 * @param hasDiagrams whether it draws diagrams
 */
export function scriptTexts(locale: string, hasDiagrams = false): Record<string, string> {
  const { search, searchPlaceholder, noResults, searchFailed, copy, copied, close, results, ...more } = textsOf(locale);
  const { showAllLines, showFewerLines, diagram, diagramSource, diagramMistake } = more;
  return {
    search,
    searchPlaceholder,
    searchFailed,
    copy,
    copied,
    close,
    showAllLines,
    showFewerLines,
    noResults: noResults('{}'),
    oneResult: results(1),
    results: results(99).replace('99', '{}'),
    ...(hasDiagrams ? { diagram, diagramSource, diagramMistake: diagramMistake('{}') } : {}),
  };
}

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur', 'ps', 'sd', 'yi', 'dv', 'ug', 'ckb']);

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  rightToLeft.has(locale.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr';

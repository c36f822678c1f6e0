import ar from './texts/ar.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import he from './texts/he.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import ko from './texts/ko.json' with { type: 'json' };
import nb from './texts/nb.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };
import zh from './texts/zh.json' with { type: 'json' };

/** The texts of the interface around pages. Some have `{}` in place of a value. */
export type Texts = typeof en;

const languages: Record<string, Texts> = { ar, de, en, es, fr, he, it, ja, ko, nb, nl, no: nb, pt, ru, zh };

const languageOf = (locale: string): string => locale.toLowerCase().split('-')[0] ?? '';

/** The texts in the language of a locale such as `pt-br`, or in English if there is no translation. */
export const textsOf = (locale: string): Texts => languages[languageOf(locale)] ?? en;

/** The texts that the script in the browser needs. */
export function scriptTexts(locale: string, hasDiagrams = false): Record<string, string> {
  const { search, searchPlaceholder, noResults, didYouMean, searchFailed, copy, copied, close, ...more } =
    textsOf(locale);
  const { showAllLines, showFewerLines, oneResult, results, enlarge, diagram, diagramSource, diagramMistake } = more;
  return {
    search,
    searchPlaceholder,
    searchFailed,
    copy,
    copied,
    close,
    enlarge,
    showAllLines,
    showFewerLines,
    noResults,
    didYouMean,
    oneResult,
    results,
    ...(hasDiagrams ? { diagram, diagramSource, diagramMistake } : {}),
  };
}

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur', 'ps', 'sd', 'yi', 'dv', 'ug', 'ckb']);

export const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(languageOf(locale)) ? 'rtl' : 'ltr');

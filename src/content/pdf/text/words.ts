import LineBreaker from 'linebreak';
import type { Run } from './run.ts';

/** A part of a paragraph that stays on one line, or a forced line break. */
export type Word = { runs: PlacedRun[]; isBlank: boolean } | '\n';

/** A run with its offset in the text of the paragraph. */
export interface PlacedRun {
  run: Run;
  at: number;
}

/**
 * Divides a paragraph into words with adjacent punctuation, and spaces. Text without spaces between words is divided where
 * its script allows it.
 */
export function wordsOf(runs: readonly Run[], text: string): Word[] {
  const breaks = breaksOf(text);
  const words: Word[] = [];
  let word: PlacedRun[] = [];
  const end = () => {
    if (word.length > 0) words.push({ runs: word, isBlank: false });
    word = [];
  };
  let at = 0;
  for (const run of runs) {
    const last = at + run.text.length;
    while (at < last) {
      if (breaks.has(at)) end();
      const character = text[at];
      if (character === '\n') {
        end();
        words.push('\n');
        at += 1;
        continue;
      }
      const isBlank = isSpace(character);
      let next = at + 1;
      while (next < last && text[next] !== '\n' && isSpace(text[next]) === isBlank && !breaks.has(next)) next += 1;
      const part = { run: { ...run, text: text.slice(at, next) }, at };
      if (isBlank) {
        end();
        words.push({ runs: [part], isBlank });
      } else word.push(part);
      at = next;
    }
  }
  end();
  return words;
}

const isSpace = (character: string | undefined) => character === ' ' || character === '\t' || character === '\u3000';

/** Scripts without spaces between words. */
const dictionaryScripts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const wide =
  /[\u2E80-\uA4CF\uAC00-\uD7AF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFF}]/u;

/** Offsets within words at which a line can end. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>();
  for (const { index, 0: sign } of text.matchAll(/[/\-–—](?=[\p{L}\p{N}])/gu)) breaks.add(index + sign.length);
  if (wide.test(text)) {
    const breaker = new LineBreaker(text);
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.add(next.position);
  }
  if (dictionaryScripts.test(text)) {
    for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) {
      // Marks stay with their letter.
      if (!/^[\p{M}\p{P}ๆ]/u.test(text.slice(index, index + 1))) breaks.add(index);
    }
  }
  return breaks;
}

/** Splits a text into parts of about this length, never within a surrogate pair. */
export function* partsOf(text: string, length = 128): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + length, text.length);
    if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? '') && to < text.length) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

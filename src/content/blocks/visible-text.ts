import { decodeEntities } from '../markdown/markup.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { codeRanges, withoutHiddenText } from './conditional-text.ts';
import { ExpressionError, textOf } from './expressions.ts';

type Evaluate = (expression: string) => unknown;

/** Whether `visibleText` can change a text. */
export const mayHideText = (markdown: string): boolean => /\{%-?\s*if\b|<!--|<code\b|^\uFEFF?---/i.test(markdown);

/**
 * The Markdown that readers of the page see: without front matter, comments and branches that do not apply, and with the
 * values of expressions. Expressions that cannot be evaluated are skipped.
 *
 * @param evaluate throws ExpressionError
 */
export function visibleText(markdown: string, evaluate: Evaluate): string {
  const shown = withoutHiddenText(markdown, evaluate);
  const { bodyAt } = readFrontMatter(shown);
  if (!/<!--|<code\b/i.test(shown)) return shown.slice(bodyAt);
  const parts: string[] = [];
  let from = bodyAt;
  for (const { start, end, expression } of replacedIn(shown, bodyAt)) {
    parts.push(shown.slice(from, start));
    if (expression !== undefined) parts.push(valueOf(expression, evaluate));
    from = end;
  }
  return [...parts, shown.slice(from)].join('');
}

interface Replaced {
  start: number;
  end: number;
  /** Undefined for a comment. */
  expression?: string;
}

/** Comments and expressions outside of code, in order. */
function* replacedIn(text: string, bodyAt: number): Generator<Replaced> {
  const isCode = codeRanges(text);
  const nextMark = finder(text, /<!--|<code\b/gi);
  const tagEnd = finder(text, />/g);
  const commentEnd = finder(text, /-->/g);
  // An element ends at the end of its paragraph at the latest.
  const codeEnd = finder(text, /<\/code\s{0,100}>|\n[ \t\r]{0,100}\n/gi);
  let end = bodyAt;
  for (let mark = nextMark(end); mark; mark = nextMark(end)) {
    const start = mark.index;
    end = start + mark[0].length;
    if (isCode(start)) continue;
    if (mark[0] === '<!--') {
      end = endOf(commentEnd(end), text);
      yield { start, end };
      continue;
    }
    const inner = endOf(tagEnd(end), text);
    if (!/\bexpression\b/i.test(text.slice(end, Math.min(inner, end + 1_000)))) continue;
    const close = codeEnd(inner);
    end = endOf(close, text);
    yield { start, end, expression: text.slice(inner, close?.index) };
  }
}

const endOf = (match: RegExpExecArray | undefined, text: string): number =>
  match ? match.index + match[0].length : text.length;

/** Finds the next match from an offset that never decreases, so that each part of the text is searched once. */
function finder(text: string, pattern: RegExp): (from: number) => RegExpExecArray | undefined {
  let next: RegExpExecArray | null | undefined;
  return (from) => {
    if (next === undefined || (next !== null && next.index < from)) {
      pattern.lastIndex = from;
      next = pattern.exec(text);
    }
    return next ?? undefined;
  };
}

function valueOf(expression: string, evaluate: Evaluate): string {
  for (const text of [expression.trim(), decodeEntities(expression).trim()]) {
    try {
      return textOf(evaluate(text));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
  }
  return '';
}

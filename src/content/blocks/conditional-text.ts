import { readFrontMatter } from '../markdown/front-matter.ts';
import { descend, endOf, startOf } from '../markdown/nodes.ts';
import { parse } from '../markdown/parse.ts';
import { holds } from './expressions.ts';
import { isFenced } from './nest.ts';
import { withBlocks } from './read-blocks.ts';
import { readTag } from './tag.ts';

/** A condition that is not closed yet. */
interface Open {
  /** Whether the text around the condition is shown. */
  isAroundShown: boolean;
  /** Whether one of its branches is shown, which hides all others. */
  isDecided: boolean;
}

interface PlacedTag {
  start: number;
  /** After the tag. */
  end: number;
  /** The text between its braces. */
  inner: string;
}

/**
 * Finds the tags of a text, in order. If an opening contains another one, it is not a tag, unless it is a condition. Such
 * a condition cannot be parsed and hides the text after it.
 */
function* tagsIn(text: string, isCode: (index: number) => boolean = () => false): Generator<PlacedTag> {
  let close = 0;
  for (let start = text.indexOf('{%'); start >= 0;) {
    if (close < start + 2) close = text.indexOf('%}', start + 2);
    if (close < 0) return;
    const next = text.indexOf('{%', start + 2);
    const isWhole = next < 0 || next > close || isBrokenCondition(text.slice(start + 2, next));
    const end = close + 2;
    const isTag = isWhole && !isCode(start);
    if (isTag) yield { start, end, inner: text.slice(start + 2, close) };
    start = isTag ? text.indexOf('{%', end) : next;
  }
}

const isBrokenCondition = (beginning: string): boolean =>
  /^-?\s*(?:if|elif|elseif)\b/.test(beginning) && !/\n[ \t\r]*\n/.test(beginning);

/** Replaces each tag by a space. */
export function withoutTags(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of tagsIn(text)) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join(' ');
}

/** Whether a text can contain conditions. */
const mayHaveConditions = (markdown: string): boolean => /\{%-?\s*if\b/.test(markdown);

/**
 * Removes the branches of conditions that do not apply, and the tags of conditions. A condition that cannot be evaluated
 * never applies, and one without an end tag extends to the end of the text.
 *
 * @param evaluate throws ExpressionError
 */
export function withoutHiddenText(markdown: string, evaluate: (expression: string) => unknown): string {
  if (!mayHaveConditions(markdown)) return markdown;
  const isCode = codeRanges(markdown);
  const open: Open[] = [];
  const parts: string[] = [];
  let isShown = true;
  let from = 0;
  for (const { start, end, inner } of tagsIn(markdown, isCode)) {
    const { name, isEnd, rest } = readTag(inner);
    const isBranch = name === 'else' || name === 'elseif' || name === 'elif';
    if ((name !== 'if' && (!isBranch || open.length === 0)) || (isEnd && open.length === 0)) continue;
    if (isShown) parts.push(markdown.slice(from, start));
    from = end;
    if (isEnd) isShown = open.pop()?.isAroundShown ?? true;
    else {
      if (name === 'if') open.push({ isAroundShown: isShown, isDecided: false });
      const condition = open.at(-1);
      if (!condition) continue;
      isShown = condition.isAroundShown && !condition.isDecided && (name === 'else' || holds(() => evaluate(rest)));
      condition.isDecided ||= isShown;
    }
  }
  if (isShown) parts.push(markdown.slice(from));
  return parts.join('');
}

/** Whether an offset is in code, where tags are text. Parsed like pages, so that both hide the same text. */
export function codeRanges(markdown: string): (index: number) => boolean {
  const { bodyAt } = readFrontMatter(markdown);
  const ranges: [start: number, end: number][] = [];
  for (const node of descend(parse(markdown.slice(bodyAt), bodyAt, withBlocks))) {
    const isCode = node.type === 'inlineCode' || (node.type === 'code' && isFenced(node));
    if (isCode && node.position) ranges.push([startOf(node), endOf(node)]);
  }
  let at = 0;
  return (index) => {
    while ((ranges[at]?.[1] ?? Infinity) <= index) at += 1;
    return (ranges[at]?.[0] ?? Infinity) <= index;
  };
}

import type { Nodes } from 'mdast';
import { parse } from '../markdown/parse.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { ExpressionError } from './expressions.ts';
import { isFenced } from './nest.ts';
import { withBlocks } from './read-blocks.ts';
import { readTag } from './tag.ts';

/** A part of a condition, while it is read. */
interface Open {
  /** Whether what is around the condition is shown. */
  isAroundShown: boolean;
  /** Whether one of its branches was shown, so that no other one is. */
  isDecided: boolean;
}

interface PlacedTag {
  start: number;
  /** After the tag. */
  end: number;
  /** What stands between its braces. */
  inner: string;
}

/**
 * The tags of a text in order. What begins like a tag and has another one in it is none, unless it is a condition, which
 * then cannot be read and hides what follows.
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

/** A text with a blank in place of each tag. */
export function withoutTags(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of tagsIn(text)) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join(' ');
}

/** Whether a text may have conditions. */
const mayHaveConditions = (markdown: string): boolean => /\{%-?\s*if\b/.test(markdown);

/**
 * The Markdown without the branches of conditions that do not apply, and without the tags of conditions. A condition
 * that cannot be evaluated applies to nobody; one without an end reaches to the end of the text.
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
      isShown = condition.isAroundShown && !condition.isDecided && (name === 'else' || applies(rest, evaluate));
      condition.isDecided ||= isShown;
    }
  }
  if (isShown) parts.push(markdown.slice(from));
  return parts.join('');
}

function applies(expression: string, evaluate: (expression: string) => unknown): boolean {
  try {
    return Boolean(evaluate(expression));
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** Whether a place of the text is in code, where tags are none. Read as pages are, so that both hide the same. */
export function codeRanges(markdown: string): (index: number) => boolean {
  const { bodyAt } = readFrontMatter(markdown);
  const ranges: [start: number, end: number][] = [];
  const waiting: Nodes[] = [parse(markdown.slice(bodyAt), bodyAt, withBlocks)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { start, end } = node.position ?? {};
    const isCode = node.type === 'inlineCode' || (node.type === 'code' && isFenced(node));
    if (isCode && start?.offset !== undefined && end?.offset !== undefined) ranges.push([start.offset, end.offset]);
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
  ranges.sort(([one], [other]) => one - other);
  let at = 0;
  return (index) => {
    while ((ranges[at]?.[1] ?? Infinity) <= index) at += 1;
    return (ranges[at]?.[0] ?? Infinity) <= index;
  };
}

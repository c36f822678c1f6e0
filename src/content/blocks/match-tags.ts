import { kindOf } from './kinds.ts';
import type { BlockTag } from './nodes.ts';
import type { PageProblems } from './problems.ts';
import { readTag, type Tag } from './tag.ts';

export interface MatchedTag {
  tag: Tag;
  node: BlockTag;
  role: 'start' | 'end' | 'single' | 'branch' | 'stray';
  /** Of a start: the place among the nodes of its end tag, or the one before which it ends. */
  endAt?: number;
}

interface OpenTag {
  matched: MatchedTag;
  name: string;
}

/** Blocks within blocks; authors have no more than about five. */
const maxDepth = 40;

/** Finds the end tag of each start tag among nodes that follow each other; `length` is the number of the nodes. */
export function matchTags(tags: [at: number, node: BlockTag][], length: number, problems: PageProblems): MatchedTag[] {
  const open: OpenTag[] = [];
  // Those above `depth` end at `at`, or have no content where they need no end tag.
  const closeAbove = (depth: number, at: number): void => {
    for (const { matched, name } of open.splice(depth)) {
      if (kindOf(name).end === 'optional') {
        matched.role = 'single';
        continue;
      }
      matched.endAt = at;
      problems.add(
        'unclosed-block',
        lineOf(matched.node),
        `The block "${name}" has no {% end${name} %}.`,
        columnOf(matched.node),
      );
    }
  };
  const end = (matched: MatchedTag, at: number): void => {
    const start = open.findLastIndex(({ name }) => name === matched.tag.name);
    if (start === -1) return stray(matched, 'unopened-block', problems);
    closeAbove(start + 1, at);
    const opened = open.pop();
    if (opened) opened.matched.endAt = at;
    matched.role = 'end';
  };
  const start = (matched: MatchedTag, at: number): void => {
    const { name } = matched.tag;
    const { within } = kindOf(name);
    const sibling =
      within === undefined ? -1 : open.findLastIndex((other) => other.name === name || other.name === within);
    if (open[sibling]?.name === name) closeAbove(sibling, at);
    if (open.length >= maxDepth) return stray(matched, 'deep-nesting', problems);
    matched.role = 'start';
    open.push({ matched, name });
  };
  const branch = (matched: MatchedTag, at: number): void => {
    const condition = open.findLastIndex(({ name }) => name === 'if');
    if (condition === -1) return stray(matched, 'unopened-block', problems);
    closeAbove(condition + 1, at);
    matched.role = 'branch';
  };
  const result = tags.map(([at, node]) => {
    const tag = readTag(node.value);
    const matched: MatchedTag = { tag, node, role: 'single' };
    if (tag.name === '') stray(matched, 'unreadable-tag', problems);
    else if (tag.isEnd) end(matched, at);
    else if (/^(?:else|elseif|elif)$/.test(tag.name)) branch(matched, at);
    else if (variableOf(tag) === undefined) start(matched, at);
    return matched;
  });
  closeAbove(0, length);
  return result;
}

/** The expression that `{% vars.support_email %}` stands for. */
export function variableOf({ name }: Tag): string | undefined {
  if (/^vars\.\w+$/.test(name)) return `space.${name}`;
  return /^(?:space|page)\.vars\.\w+$/.test(name) ? name : undefined;
}

function stray(
  matched: MatchedTag,
  rule: 'unopened-block' | 'unreadable-tag' | 'deep-nesting',
  problems: PageProblems,
): void {
  matched.role = 'stray';
  const { node, tag } = matched;
  const messages = {
    'unopened-block': `{% ${node.value.trim()} %} ends a block that was not begun: there is no {% ${tag.name.startsWith('el') ? 'if' : tag.name} %} before it.`,
    'unreadable-tag': `{% ${node.value.trim()} %} has no name.`,
    'deep-nesting': `More than ${maxDepth} blocks are nested in each other; {% ${node.value.trim()} %} is shown as text.`,
  };
  problems.add(rule, lineOf(node), messages[rule], columnOf(node));
}

const lineOf = (node: BlockTag): number | undefined => node.position?.start.line;
const columnOf = (node: BlockTag): number | undefined => node.position?.start.column;

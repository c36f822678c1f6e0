import { kindOf } from './kinds.ts';
import type { BlockTag } from './nodes.ts';
import type { PageRule } from './page-rules.ts';
import type { PageProblems } from './problems.ts';
import { readTag, type Tag } from './tag.ts';

export interface MatchedTag {
  tag: Tag;
  node: BlockTag;
  role: 'start' | 'end' | 'single' | 'branch' | 'stray';
  /** Of a start tag: the index of its end tag among the nodes, or of the node before which it ends. */
  endAt?: number;
}

/** Nested blocks. Authors use about five levels at most. */
const maxDepth = 40;

/** Matches start tags with end tags among siblings. `length` is the number of siblings. */
export function matchTags(tags: [at: number, node: BlockTag][], length: number, problems: PageProblems): MatchedTag[] {
  const open: MatchedTag[] = [];
  const stray = (matched: MatchedTag, rule: PageRule, message: string): void => {
    matched.role = 'stray';
    problems.add(rule, matched.node.position?.start, `{% ${matched.node.value.trim()} %} ${message}`);
  };
  // Tags above `depth` end at `at`, or have no content if their end tag is optional.
  const closeAbove = (depth: number, at: number): void => {
    for (const matched of open.splice(depth)) {
      const { name } = matched.tag;
      if (kindOf(name).end === 'optional') {
        matched.role = 'single';
        continue;
      }
      matched.endAt = at;
      problems.add('unclosed-block', matched.node.position?.start, `The block "${name}" has no {% end${name} %}.`);
    }
  };
  const findOpen = (name: string): number => open.findLastIndex(({ tag }) => tag.name === name);
  const end = (matched: MatchedTag, at: number): void => {
    const { name } = matched.tag;
    const start = findOpen(name);
    if (start === -1) return stray(matched, 'unopened-block', `has no matching {% ${name} %} before it.`);
    closeAbove(start + 1, at);
    const opened = open.pop();
    if (opened) opened.endAt = at;
    matched.role = 'end';
  };
  const start = (matched: MatchedTag, at: number): void => {
    const { name } = matched.tag;
    const { within } = kindOf(name);
    const sibling = within === undefined ? -1 : Math.max(findOpen(name), findOpen(within));
    if (open[sibling]?.tag.name === name) closeAbove(sibling, at);
    if (open.length >= maxDepth)
      return stray(matched, 'deep-nesting', `is shown as text: more than ${maxDepth} blocks are nested.`);
    matched.role = 'start';
    open.push(matched);
  };
  const branch = (matched: MatchedTag, at: number): void => {
    const condition = findOpen('if');
    if (condition === -1) return stray(matched, 'unopened-block', 'has no matching {% if %} before it.');
    closeAbove(condition + 1, at);
    matched.role = 'branch';
  };
  const result = tags.map(([at, node]) => {
    const tag = readTag(node.value);
    const matched: MatchedTag = { tag, node, role: 'single' };
    if (tag.name === '') stray(matched, 'unreadable-tag', 'has no name.');
    else if (tag.isEnd) end(matched, at);
    else if (/^(?:else|elseif|elif)$/.test(tag.name)) branch(matched, at);
    else if (variableOf(tag) === undefined) start(matched, at);
    return matched;
  });
  closeAbove(0, length);
  return result;
}

/** The expression for a tag such as `{% vars.support_email %}`. */
export function variableOf({ name }: Tag): string | undefined {
  if (/^vars\.\w+$/.test(name)) return `space.${name}`;
  return /^(?:space|page)\.vars\.\w+$/.test(name) ? name : undefined;
}

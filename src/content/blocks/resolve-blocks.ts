import type { Nodes, Parents, Root, RootContent } from 'mdast';
import type { PageSource, PageUses } from '../html/page-source.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { countLines } from '../markdown/nodes.ts';
import { ExpressionError, membersIn, textOf } from './expressions.ts';
import { type Block, blockOf } from './nodes.ts';
import type { PageRule } from './page-rules.ts';
import type { PageProblems } from './problems.ts';
import { readBlocks } from './read-blocks.ts';

/** Collects what a page uses, without duplicates. */
export class UsedByPage {
  readonly lists: PageUses = { links: [], files: [], includes: [], variables: [], specs: [] };
  readonly #added = new Set<string>();

  add(kind: keyof PageUses, name: string): void {
    const key = `${kind} ${name}`;
    if (!this.#added.has(key)) this.lists[kind].push(name);
    this.#added.add(key);
  }
}

export interface ResolveContext {
  source: PageSource;
  problems: PageProblems;
  uses: UsedByPage;
}

// Without limits, texts that include each other twice would double with each level.
const maxDepth = 10;
const maxIncludes = 200;
const maxIncludedLength = 2_000_000;

/**
 * Replaces conditions by the branch that applies, and expressions by their values. Inserts reusable texts into the
 * blocks that include them, with the source that resolves their links (`Block.included`).
 */
export function resolveBlocks(root: Root, context: ResolveContext): void {
  new Resolver(context).resolve(root, context.source);
}

class Resolver {
  readonly #context: ResolveContext;
  readonly #paths: string[] = [];
  #includes = 0;
  #length = 0;

  constructor(context: ResolveContext) {
    this.#context = context;
  }

  resolve(node: Parents, source: PageSource): void {
    const children: RootContent[] = [];
    let isChanged = false;
    for (const child of node.children) {
      const resolved = this.#resolved(child, source);
      if (resolved.length !== 1 || resolved[0] !== child) isChanged = true;
      for (const part of resolved) children.push(part);
    }
    if (isChanged) Object.assign(node, { children });
  }

  #resolved(node: RootContent, source: PageSource): RootContent[] {
    if (node.type === 'expression') {
      const { value, isRead } = this.#value(node.value, node, source);
      const { position } = node;
      if (isRead) return [{ type: 'text', value: textOf(value), position }];
      return [blockOf({ name: 'expression', inline: true, tag: node.value.trim(), isStray: true, position })];
    }
    if (node.type === 'block' && !node.isStray) {
      if (node.name === 'if') return this.#branch(node, source);
      if (node.name === 'include') return this.#included(node, source);
      if (node.name === 'updates') passFormatOn(node);
    }
    if ('children' in node) this.resolve(node, source);
    return [node];
  }

  #value(expression: string, node: Nodes, source: PageSource): { value?: unknown; isRead: boolean } {
    for (const member of membersIn(expression)) this.#context.uses.add('variables', member);
    try {
      return { value: source.evaluate(expression), isRead: true };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#context.problems.add('bad-expression', node.position?.start, `${expression.trim()}: ${error.message}`);
      return { isRead: false };
    }
  }

  #branch(node: Block, source: PageSource): RootContent[] {
    for (const branch of node.children) {
      if (branch.type !== 'block' || branch.name !== 'branch') continue;
      const { expression } = branch;
      if (expression !== undefined && !this.#value(expression, branch, source).value) continue;
      this.resolve(branch, source);
      return branch.children;
    }
    return [];
  }

  #included(node: Block, source: PageSource): RootContent[] {
    const { problems, uses } = this.#context;
    const fail = (rule: PageRule, message: string): RootContent[] => {
      problems.add(rule, node.position?.start, message);
      return [{ ...node, isStray: true }];
    };
    const path = node.argument ?? node.attributes['path'] ?? node.attributes['url'];
    if (!path) return fail('missing-argument', 'An include needs the path of a text: {% include "path.md" %}.');
    uses.add('includes', path);
    if (this.#paths.length >= maxDepth || this.#includes >= maxIncludes || this.#length > maxIncludedLength) {
      return fail('include-cycle', `"${path}" is not included: ${[...this.#paths, path].slice(-4).join(' > ')}`);
    }
    const text = source.include(path);
    if (!text) return fail('missing-include', `There is no reusable text "${path}".`);
    this.#includes += 1;
    this.#length += text.markdown.length;
    const { include } = problems;
    problems.include = path;
    this.#paths.push(path);
    const { bodyAt } = readFrontMatter(text.markdown);
    const root = readBlocks(text.markdown.slice(bodyAt), problems, countLines(text.markdown.slice(0, bodyAt)) + 1);
    this.resolve(root, text.source);
    this.#paths.pop();
    problems.include = include;
    return [{ ...node, children: this.#fitting(root, node.inline), included: { path, source: text.source } }];
  }

  // Inside a paragraph, a reusable text of a single paragraph is unwrapped.
  #fitting(root: Root, inline: boolean): RootContent[] {
    const [only, ...others] = root.children;
    return inline && only?.type === 'paragraph' && others.length === 0 ? only.children : root.children;
  }
}

/** The block around updates sets the format of their dates. */
function passFormatOn({ attributes, children }: Block): void {
  const { format } = attributes;
  if (format === undefined) return;
  for (const child of children) {
    if (child.type === 'block' && child.name === 'update') child.attributes['format'] ??= format;
  }
}

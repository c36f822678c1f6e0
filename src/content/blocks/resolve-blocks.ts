import type { Nodes, Parents, Root, RootContent } from 'mdast';
import type { PageSource, PageUses } from '../html/page-source.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { ExpressionError, membersIn, textOf } from './expressions.ts';
import { countLines } from './html-blocks.ts';
import type { Block, ExpressionNode } from './nodes.ts';
import type { PageProblems } from './problems.ts';
import { readBlocks } from './read-blocks.ts';

/** What a page uses, collected while it is read and drawn. */
export class UsedByPage {
  readonly #sets: { [name in keyof PageUses]: Set<string> } = {
    links: new Set(),
    files: new Set(),
    includes: new Set(),
    variables: new Set(),
    specs: new Set(),
  };

  add(kind: keyof PageUses, name: string): void {
    this.#sets[kind].add(name);
  }

  get lists(): PageUses {
    const { links, files, includes, variables, specs } = this.#sets;
    return {
      links: [...links],
      files: [...files],
      includes: [...includes],
      variables: [...variables],
      specs: [...specs],
    };
  }
}

export interface ResolveContext {
  source: PageSource;
  problems: PageProblems;
  uses: UsedByPage;
}

// Texts that include each other twice would otherwise double with each level.
const maxDepth = 10;
const maxIncludes = 200;
const maxIncludedLength = 2_000_000;

/**
 * Replaces conditions by the branch that applies, and expressions by their values; puts the reusable texts into the
 * blocks that include them, with the source that their own links are read with (`Block.included`).
 */
export function resolveBlocks(root: Root, context: ResolveContext): void {
  new Resolver(context).resolve(root, context.source);
}

function unread({ value, position }: ExpressionNode): Block {
  return {
    type: 'block',
    name: 'expression',
    attributes: {},
    inline: true,
    tag: value.trim(),
    isStray: true,
    children: [],
    position,
  };
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
      return [isRead ? { type: 'text', value: textOf(value), position: node.position } : unread(node)];
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
      const { line, column } = node.position?.start ?? {};
      this.#context.problems.add('bad-expression', line, `${expression.trim()}: ${error.message}`, column);
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
    const { line, column } = node.position?.start ?? {};
    const path = node.argument ?? node.attributes['path'] ?? node.attributes['url'];
    if (!path) {
      problems.add('missing-argument', line, 'An include needs the path of a text: {% include "path.md" %}.', column);
      return [{ ...node, isStray: true }];
    }
    uses.add('includes', path);
    if (this.#paths.length >= maxDepth || this.#includes >= maxIncludes || this.#length > maxIncludedLength) {
      problems.add(
        'include-cycle',
        line,
        `"${path}" is not included: ${[...this.#paths, path].slice(-4).join(' > ')}`,
        column,
      );
      return [{ ...node, isStray: true }];
    }
    const text = source.include(path);
    if (!text) {
      problems.add('missing-include', line, `There is no reusable text "${path}".`, column);
      return [{ ...node, isStray: true }];
    }
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

  // In a text, a reusable text of one paragraph stands without it.
  #fitting(root: Root, inline: boolean): RootContent[] {
    const [only, ...others] = root.children;
    return inline && only?.type === 'paragraph' && others.length === 0 ? only.children : root.children;
  }
}

/** The dates of updates are written as the block around them says. */
function passFormatOn({ attributes, children }: Block): void {
  const { format } = attributes;
  if (format === undefined) return;
  for (const child of children) {
    if (child.type === 'block' && child.name === 'update') child.attributes['format'] ??= format;
  }
}

import type { Literal, Parent, RootContent } from 'mdast';
import type { PageSource } from '../html/page-source.ts';

/** A tag such as `{% hint style="info" %}`, before it is matched with its end tag. */
export interface BlockTag extends Literal {
  type: 'blockTag';
}

/** A block with the content between its tags. `children` is empty if it has no end tag. */
export interface Block extends Parent {
  type: 'block';
  /** As in the tag: `hint`, `tabs`. The parts of a condition are blocks named `branch` inside a block named `if`. */
  name: string;
  attributes: Record<string, string>;
  /** The string in `{% include "path" %}`. */
  argument?: string | undefined;
  /** The condition of a branch; missing for `else`. */
  expression?: string | undefined;
  /** Whether the block is inside a paragraph, heading or table cell. */
  inline: boolean;
  /** The start tag as written, without its braces. */
  tag: string;
  /** Whether this is an end tag without a start tag, or a tag that cannot be parsed. */
  isStray?: boolean;
  /** The source of a resolved include, which resolves the links in the children. */
  included?: { path: string; source: PageSource };
  children: RootContent[];
}

export const blockOf = (parts: Pick<Block, 'name' | 'inline' | 'tag'> & Partial<Block>): Block => ({
  type: 'block',
  attributes: {},
  children: [],
  ...parts,
});

/** `$$ x^2 $$` in the text, or on its own lines. */
export interface Formula extends Literal {
  type: 'formula';
  inline: boolean;
}

/** `<code class="expression">space.vars.version</code>` in the text. */
export interface ExpressionNode extends Literal {
  type: 'expression';
}

declare module 'mdast' {
  interface RootContentMap {
    block: Block;
    blockTag: BlockTag;
    formula: Formula;
    expression: ExpressionNode;
  }
  interface BlockContentMap {
    block: Block;
    blockTag: BlockTag;
    formula: Formula;
  }
  interface PhrasingContentMap {
    block: Block;
    blockTag: BlockTag;
    formula: Formula;
    expression: ExpressionNode;
  }
}

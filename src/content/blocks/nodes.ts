import type { Literal, Parent, RootContent } from 'mdast';
import type { PageSource } from '../html/page-source.ts';

/** A tag such as `{% hint style="info" %}` as it stands in the text, before it is matched with its end tag. */
export interface BlockTag extends Literal {
  type: 'blockTag';
}

/** A block with what stands between its tags; `children` is empty where it has no end tag. */
export interface Block extends Parent {
  type: 'block';
  /** As in the tag: `hint`, `tabs`. The parts of a condition are blocks named `branch` inside a block named `if`. */
  name: string;
  attributes: Record<string, string>;
  /** The string of `{% include "path" %}`. */
  argument?: string;
  /** Of a branch; absent for `else`. */
  expression?: string;
  /** In the text of a paragraph, a heading or a table's cell. */
  inline: boolean;
  /** The start tag as written, without its braces. */
  tag: string;
  /** An end tag without a start, or a tag that cannot be read. */
  isStray?: boolean;
  /** Of an include after it was resolved: the children's links are read with this. */
  included?: { path: string; source: PageSource };
  children: RootContent[];
}

/** `$$ x^2 $$` in the text, or on lines of its own. */
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

import type { Block, InlineLink, Leaf, Text } from '../../contract/pages.ts';

/**
 * Blocks below this depth become paragraphs of their text when Markdown is read, and are an error in a tree that is
 * sent.
 */
export const maxDepth = 40;

export type Mark = Leaf['marks'][number]['type'];

/** From the outermost: adjacent texts share the marks that come first here. */
export const markOrder: readonly Mark[] = ['strikethrough', 'bold', 'italic', 'code'];

export const isBlock = (node: Block | Text | InlineLink): node is Block => node.object === 'block';

import type { Block, InlineLink, Leaf, Text } from '../../contract/pages.ts';

/** Blocks nested deeper become paragraphs of their text when a text is shown, and an error when a tree is sent. */
export const maxDepth = 40;

export type Mark = Leaf['marks'][number]['type'];

/** From the outermost: two runs of text beside each other share the marks that come first here. */
export const markOrder: readonly Mark[] = ['strikethrough', 'bold', 'italic', 'code'];

export const isBlock = (node: Block | Text | InlineLink): node is Block => node.object === 'block';

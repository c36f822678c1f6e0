import type { Block, InlineLink, Leaf, Text } from '../../contract/pages.ts';

/** Deeper blocks become paragraphs of their text when Markdown is parsed, and are an error in a submitted tree. */
export const maxDepth = 40;

export type Mark = Leaf['marks'][number]['type'];

/** From the outermost. Adjacent texts share the marks that come first. */
export const markOrder: readonly Mark[] = ['strikethrough', 'bold', 'italic', 'code'];

export const isBlock = (node: Block | Text | InlineLink): node is Block => node.object === 'block';

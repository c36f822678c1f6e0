import type { Paragraph, PhrasingContent } from 'mdast';
import { kindOf } from './kinds.ts';
import type { BlockTag } from './nodes.ts';
import { conditions, readTag } from './tag.ts';

/**
 * Splits a paragraph at its tags, unless they are all complete and allowed inside a paragraph.
 */
export function splitParagraph(paragraph: Paragraph): (Paragraph | BlockTag)[] {
  const tags = paragraph.children.filter((child) => child.type === 'blockTag');
  if (tags.length === 0 || isComplete(tags)) return [paragraph];
  const parts: (Paragraph | BlockTag)[] = [];
  let text: PhrasingContent[] = [];
  const endText = (): void => {
    const children = trimmed(text);
    text = [];
    if (children.length === 0) return;
    const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end];
    parts.push({ type: 'paragraph', children, ...(start && end ? { position: { start, end } } : {}) });
  };
  for (const child of paragraph.children) {
    if (child.type !== 'blockTag') {
      text.push(child);
      continue;
    }
    endText();
    parts.push(child);
  }
  endText();
  return parts;
}

function isComplete(tags: BlockTag[]): boolean {
  const open: string[] = [];
  for (const { value } of tags) {
    const { name, isEnd } = readTag(value);
    if (isEnd) {
      const start = open.lastIndexOf(name);
      if (start === -1) return false;
      open.length = start;
    } else if (!conditions.has(name) || name === 'if') {
      if (kindOf(name).inline !== true) return false;
      open.push(name);
    }
  }
  return !open.includes('if');
}

function trimmed(nodes: PhrasingContent[]): PhrasingContent[] {
  const children = [...nodes];
  for (const edge of ['start', 'end'] as const) {
    while (children.length > 0) {
      const index = edge === 'start' ? 0 : children.length - 1;
      const child = children[index];
      if (child?.type === 'text') {
        const value = edge === 'start' ? child.value.trimStart() : child.value.trimEnd();
        if (value !== '') {
          children[index] = { ...child, value };
          break;
        }
      } else if (child?.type !== 'break') break;
      children.splice(index, 1);
    }
  }
  return children;
}

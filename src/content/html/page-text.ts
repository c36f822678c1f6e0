import type { ElementContent } from 'hast';
import { words } from '../../shared/words.ts';
import { classesOf } from './hast.ts';
import type { PageHeading, PageSection } from './page-source.ts';

const inline = new Set(
  words(`
    a abbr b bdi bdo button cite code data del dfn em i img ins kbd label mark q s samp small span strong sub sup time u
    var wbr
  `),
);

/** Splits the text of a page into sections by its headings. */
export function sectionsOf(nodes: ElementContent[], headings: PageHeading[]): PageSection[] {
  const byId = new Map(headings.map((heading) => [heading.id, heading]));
  const parts: { heading?: PageHeading; texts: string[] }[] = [{ texts: [] }];
  const add = (value: string): void => void parts.at(-1)?.texts.push(value);
  const visit = (node: ElementContent, parent?: string[]): void => {
    if (node.type === 'text') add(node.value);
    if (node.type !== 'element' || node.tagName === 'svg') return;
    const heading = /^h[1-6]$/.test(node.tagName) ? byId.get(String(node.properties['id'])) : undefined;
    if (heading) {
      parts.push({ heading, texts: [] });
      return;
    }
    // The note below a diagram is not part of the author's text.
    const isNote = node.tagName === 'figcaption' && parent?.includes('diagram') === true;
    if (isNote || node.tagName === 'math' || classesOf(node).includes('footnote-back')) return;
    const isBlock = !inline.has(node.tagName);
    if (isBlock) add('\n');
    for (const child of node.children) visit(child, classesOf(node));
    if (node.tagName === 'img') add(String(node.properties['alt'] ?? ''));
    if (isBlock) add('\n');
  };
  for (const node of nodes) visit(node);
  return parts
    .map(({ heading, texts }) => ({
      ...(heading && { heading }),
      text: texts
        .join('')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join('\n'),
    }))
    .filter((section) => section.heading !== undefined || section.text !== '');
}

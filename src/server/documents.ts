import type { NewDocument } from '../store/documents.ts';
import { newId } from '../store/ids.ts';
import { endingOf } from './linkEndings.ts';

export interface ReadDocument extends NewDocument {
  /** The front matter's title, else the heading the text begins with. */
  title: string | undefined;
}

/** Reads a text once for all that is ever asked of it. */
export async function readDocument(markdown: string): Promise<ReadDocument> {
  const { readMarkdown } = await import('../content/markdown.ts');
  const { title, sections, links } = readMarkdown(markdown);
  return {
    id: newId(),
    markdown,
    title,
    sections,
    links: links.map(({ url, kind, node }) => ({ url, kind, node, ending: endingOf(url) })),
  };
}

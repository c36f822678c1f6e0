import type { Element } from 'hast';
import type { OpenApiBlock } from '../../content/html/page-source.ts';
import { parseDescription } from '../../openapi/parse/parse.ts';
import { drawReferenceBlock, loadHighlight, Reference } from '../../site/reference/index.ts';

/** The latest version of a specification. */
export interface PublishedSpec {
  slug: string;
  version: string;
  text: string;
}

/** The HTML of a block of a specification. */
export type DrawBlock = (block: OpenApiBlock) => Element | undefined;

/** Models of versions, which never change. A large one takes some hundred megabytes. */
const references = new Map<string, Reference>();
const maxReferences = 4;

/** What draws the blocks of these specifications. @param specs by the names that blocks give */
export async function blockDrawer(specs: ReadonlyMap<string, PublishedSpec>): Promise<DrawBlock> {
  const highlight = await loadHighlight();
  return (block) => {
    const spec = specs.get(block.spec ?? block.src ?? '');
    return spec && drawReferenceBlock(referenceOf(spec), block, highlight);
  };
}

export function referenceOf({ version, text }: PublishedSpec): Reference {
  const reference = references.get(version) ?? new Reference(parseDescription(text));
  // Moves to the end: the first one is the least recently used.
  references.delete(version);
  references.set(version, reference);
  const [oldest] = references.keys();
  if (references.size > maxReferences && oldest !== undefined) references.delete(oldest);
  return reference;
}

import type { content } from '../contract/content.ts';
import type { ItemOf } from '../contract/endpoint.ts';

type Link = ItemOf<typeof content.links>;
type Reference = Link['locationReferences'][number];

/** What a link points at, as people write it; empty if it is unknown. */
export function targetOf({ targetReference }: Link): string {
  return targetReference ? placeOf(targetReference) : '';
}

/** The page with the link; the first one if there are several. */
export function linkingPageOf({ locationReferences: [first] }: Link): string {
  return first ? placeOf(first) : '';
}

/** What a reference points at, as people write it. */
function placeOf(reference: Reference): string {
  switch (reference.kind) {
    case 'url':
      return reference.url;
    case 'page': {
      const { page, internalLocation: location } = reference;
      const place = 'path' in page ? page.path : page.title;
      return `${place}${location?.type === 'anchor' ? `#${location.anchor}` : ''}`;
    }
    case 'file':
      return reference.file.name;
    case 'user':
      return reference.user.displayName;
    case 'openapi':
      return reference.openAPISpec.slug;
    case 'collection':
      return reference.collection.title;
    case 'space':
    case 'reusable-content':
      return reference.space.title;
  }
}

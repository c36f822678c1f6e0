import { referenceOf } from '../content/markdown/references.ts';
import type { LinkTarget } from './model.ts';

/** The target of an address with IDs; with an empty space for a page of the same space. */
export function referenceTarget(url: string): Extract<LinkTarget, { kind: 'reference' | 'unchecked' }> | undefined {
  const reference = referenceOf(url);
  switch (reference.kind) {
    case 'page':
      return { kind: 'reference', space: reference.space ?? '', page: reference.page, anchor: '' };
    case 'anchor':
      if (reference.page === undefined && reference.space === undefined) return undefined;
      return { kind: 'reference', space: reference.space ?? '', page: reference.page, anchor: reference.anchor };
    case 'space':
      return { kind: 'reference', space: reference.space, page: undefined, anchor: '' };
    case 'url':
      return undefined;
    default:
      return { kind: 'unchecked' };
  }
}

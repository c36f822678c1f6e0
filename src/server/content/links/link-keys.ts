import { decodeAddress } from '../../../shared/decode.ts';
import { referenceOf } from '../../../content/markdown/references.ts';
import { slugify } from '../../../content/markdown/slug.ts';

const extension = /\.(?:md|markdown|mdx)$/i;
const folderPage = /^(?:readme|index)(?:\.(?:md|markdown|mdx))?$/i;

/**
 * The end of an address in a text, to find the links to a page or file: their id, slug or name. '' if the end does
 * not say it, as in `../` and `guides/README.md`.
 */
export function linkKey(url: string): string {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(url)) return '//';
  const reference = referenceOf(url);
  if (reference.kind === 'page') return slugify(reference.page);
  if (reference.kind === 'anchor' && reference.page !== undefined) return slugify(reference.page);
  if (reference.kind === 'file') return slugify(reference.file);
  if (reference.kind !== 'url') return '#';
  const path = decodeAddress(withoutQueryAndHash(url));
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last === '' || last === '.' || last === '..' || folderPage.test(last) ? '' : linkKeyOfName(last);
}

/** The same of a file's name, or of a page's id or slug. */
export const linkKeyOfName = (name: string) => slugify(name.slice(name.lastIndexOf('/') + 1).replace(extension, ''));

const withoutQueryAndHash = (url: string) => url.replace(/[?#].*$/s, '');

import { decodeAddress } from '../../../shared/decode.ts';

/** The path from the root of a relative address; undefined for others. */
export function pathIn(folder: string, url: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?)/i.test(url) || url === '') return undefined;
  const path = decodeAddress(url.replace(/[?#].*$/s, ''));
  const segments = path.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

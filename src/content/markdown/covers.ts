import type { MarkupAddress } from './address.ts';

const members = /^(coverDark|cover)[ \t]*:[ \t]*(\S[^\r\n]*(?:\r?\n[ \t]+[^\r\n]*)*)/gm;

/** The addresses of the pictures above a page, which its front matter names: `cover` and `coverDark`. */
export function coversIn(text: string, frontMatter: Record<string, unknown>, bodyAt: number): MarkupAddress[] {
  if (typeof frontMatter['cover'] !== 'string' && typeof frontMatter['coverDark'] !== 'string') return [];
  const covers: MarkupAddress[] = [];
  for (const { 1: name = '', 2: written = '', index, 0: whole } of text.slice(0, bodyAt).matchAll(members)) {
    const value = frontMatter[name];
    if (typeof value !== 'string' || value.trim() === '') continue;
    const begin = index + whole.length - written.length;
    const range: MarkupAddress['range'] = [begin, begin + written.trimEnd().length];
    covers.push({ url: value.trim(), kind: 'image', range, style: 'yaml', text: '', offset: index });
  }
  return covers;
}

// Letters with an accent lose it, so that addresses can be typed on any keyboard; letters of other scripts stay, as a
// transliteration would be unreadable to those who read them.
const spelled: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

const maxLength = 100;

/** A page's slug from its title: letters and digits of any script, lower case, joined by dashes; "page" when none are. */
export function slugify(title: string): string {
  const letters = title
    .normalize('NFKD')
    .replaceAll(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => spelled[letter]!)
    .replaceAll(/['’ʼ]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return cut(letters, maxLength) || 'page';
}

/** The slug, or the first of `slug-2`, `slug-3`... that no sibling has. */
export function uniqueSlug(slug: string, taken: { has(slug: string): boolean }): string {
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const candidate = cut(slug, maxLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half of a surrogate pair is no letter.
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-$/, '');
}

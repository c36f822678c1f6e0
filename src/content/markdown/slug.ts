// Letters with an accent lose it, so that addresses can be typed on any keyboard; letters of other scripts stay, as a
// transliteration would be unreadable to those who read them.
const spelled = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }));

const maxLength = 100;
/** How much of a title is read: normalizing sorts accents, and takes time in the square of their number. */
const maxTitle = 1_000;

/** A page's slug from its title: letters and digits of any script, lower case, joined by dashes; "page" when none are. */
export function slugify(title: string): string {
  const letters = title
    .slice(0, maxTitle)
    .normalize('NFKD')
    .replaceAll(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => spelled.get(letter) ?? letter)
    .replaceAll(/['’ʼ]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return cut(letters, maxLength) || 'page';
}

/** The slug, or the first of `slug-2`, `slug-3`... that no sibling has. */
export function uniqueSlug(slug: string, taken: { has(slug: string): boolean }): string {
  return firstFree(taken, slug, (count) => {
    const suffix = count === 1 ? '' : `-${count}`;
    return cut(slug, maxLength - suffix.length) + suffix;
  });
}

const counts = new WeakMap<object, Map<string, number>>();

/**
 * The first of `nameOf(1)`, `nameOf(2)`... that is not taken. For the same base, counting continues where it ended
 * before, so that thousands of equal names take linear time: names may be added to `taken`, but not removed.
 */
export function firstFree(
  taken: { has(name: string): boolean },
  base: string,
  nameOf: (count: number) => string,
): string {
  const lastCounts = counts.get(taken) ?? new Map<string, number>();
  counts.set(taken, lastCounts);
  for (let count = lastCounts.get(base) ?? 1; ; count += 1) {
    const name = nameOf(count);
    if (taken.has(name)) continue;
    if (count > 1) lastCounts.set(base, count);
    return name;
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half of a surrogate pair is not a letter.
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-$/, '');
}

// Accents are removed, so that addresses can be typed on any keyboard. Other scripts are kept, because their readers could
// not read a transliteration.
const spelled = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }));

const maxLength = 100;
/** The rest of a title is ignored: normalizing takes quadratic time in the number of accents. */
const maxTitle = 1_000;

/** Turns a title into a slug: letters and digits of any script in lower case, joined by dashes. "page" if there are none. */
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

/** The path of a site or section from its title: lower case, everything but letters and digits as a dash. */
export function pathFrom(title: string, fallback: string): string {
  const path = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return path || fallback;
}

/** The slug, or the first of `slug-2`, `slug-3`... that is not taken. */
export function uniqueSlug(slug: string, taken: { has(slug: string): boolean }): string {
  return firstFree(taken, slug, (count) => {
    const suffix = count === 1 ? '' : `-${count}`;
    return cut(slug, maxLength - suffix.length) + suffix;
  });
}

const counts = new WeakMap<object, Map<string, number>>();

/**
 * The first of `nameOf(1)`, `nameOf(2)`... that is not taken. For each base, counting continues where it last stopped, so
 * that thousands of equal names take linear time. Names can be added to `taken`, but must not be removed.
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
  // Do not keep half of a surrogate pair.
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-$/, '');
}

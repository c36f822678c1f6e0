import type { InstalledFont } from './installed.ts';

/** The same Han characters have different forms in China, Japan, Korea and Taiwan. */
export type HanRegion = 'SC' | 'TC' | 'HK' | 'JP' | 'KR';

interface Wish {
  isBold: boolean;
  isMonospaced: boolean;
  /** Only emoji are drawn as images. */
  isColoured: boolean;
  region: HanRegion;
}

/** Sorts fonts by how well they fit a text in this style, the best one first. */
export function ranked(fonts: readonly InstalledFont[], wish: Wish): InstalledFont[] {
  return fonts
    .map((font) => ({ font, rank: rankOf(font, wish) }))
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ font }) => font);
}

// Fonts for titles, for single languages or for characters without any other font. They come last.
const special =
  /\b(?:display|looped|kufi|nastaliq|rashi|slanted|unjoined|condensed|light|thin|extralight|medium|ui|fallback|unifont|last ?resort|math)\b/i;

function rankOf(font: InstalledFont, wish: Wish): number {
  const { family } = font;
  let rank = 0;
  if (font.isColoured === wish.isColoured) rank += 64;
  if (!special.test(family)) rank += 32;
  if (font.isBold === wish.isBold) rank += 16;
  if (!font.isSlanted) rank += 16;
  if (font.isMonospaced === wish.isMonospaced || /\bcjk\b/i.test(family)) rank += 8;
  // The built-in fonts have no serifs.
  if (/^noto sans\b/i.test(family)) rank += 6;
  else if (/\b(?:sans|gothic|hei)\b/i.test(family)) rank += 4;
  else if (!/\b(?:serif|mincho|song|ming)\b/i.test(family)) rank += 2;
  if (/\bcjk\b/i.test(family)) {
    if (family.endsWith(` ${wish.region}`)) rank += 3;
    // The proportional font has the same letters, and may already be open.
    if (/\bmono\b/i.test(family)) rank -= 4;
  }
  return rank;
}

/** The region whose letters a text needs: from the scripts in it, or else from a language such as `zh-TW`. */
export function regionOf(text: string, language: string): HanRegion {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'JP';
  if (/\p{Script=Hangul}/u.test(text)) return 'KR';
  if (/^ja\b/i.test(language)) return 'JP';
  if (/^ko\b/i.test(language)) return 'KR';
  if (/^zh-(?:hk|mo)\b/i.test(language)) return 'HK';
  return /^zh-(?:tw|hant)\b/i.test(language) ? 'TC' : 'SC';
}

/** sRGB, each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const white: Rgb = [1, 1, 1];
const black: Rgb = [0, 0, 0];

/** @param color `#` and 3 or 6 hexadecimal digits */
export function parseColor(color: string): Rgb {
  const digits = color.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const part = (index: number) => Number.parseInt(long.slice(index * 2, index * 2 + 2), 16) / 255;
  return [part(0), part(1), part(2)];
}

export const formatColor = (color: Rgb): string =>
  `#${color
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Mixes a share of the first color with the second. */
export const mix = (color: Rgb, other: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => color[index] * share + other[index] * (1 - share);
  return [part(0), part(1), part(2)];
};

/** WCAG 2.2, relative luminance. */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** White or black, whichever is more readable. */
export const textOn = (background: Rgb): Rgb =>
  contrast(white, background) >= Math.min(4.6, contrast(black, background)) ? white : [0.07, 0.08, 0.1];

/** The color, darkened or lightened until it has this contrast on all backgrounds. */
export function readable(color: Rgb, backgrounds: readonly Rgb[], ratio = 4.6): Rgb {
  const isEnough = (candidate: Rgb) => backgrounds.every((background) => contrast(candidate, background) >= ratio);
  const isDark = backgrounds.every((background) => luminance(background) < 0.18);
  const end = isDark ? white : black;
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(end, color, share);
    if (isEnough(candidate)) return candidate;
  }
  return end;
}

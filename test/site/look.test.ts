import { expect, test } from 'vitest';
import { contrast, parseColor } from '../../src/site/colors.ts';
import { lookStyle, standardLook } from '../../src/site/look.ts';
import type { Look } from '../../src/site/model.ts';
import { scriptTexts, textsOf } from '../../src/site/texts.ts';

/** Light and dark value of each color in a style sheet. */
function colorsIn(style: string): Map<string, [light: string, dark: string]> {
  const pairs = style.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = '']) => [name, [light, dark]]));
}

const colors = ['#ffffff', '#ffff00', '#7f7f7f', '#346ddb', '#000000'];
const looks: Look[] = (['clean', 'muted', 'bold', 'gradient'] as const).flatMap((theme) =>
  colors.map((color) => ({
    ...standardLook,
    theme,
    primaryColor: { light: color, dark: color },
    warningColor: { light: color, dark: color },
    tint: { color: { light: color, dark: color } },
  })),
);

test('whatever colors a site chooses, its texts can be read', () => {
  const read: [text: string, background: string][] = [
    ['text', 'page'],
    ['text', 'strong'],
    ['text', 'warning-soft'],
    ['quiet', 'soft'],
    ['primary', 'page'],
    ['primary', 'primary-soft'],
    ['warning', 'warning-soft'],
    ['on-fill', 'fill'],
    ['header-text', 'header'],
    ['header-quiet', 'header'],
    ['header-field-text', 'header-field'],
  ];
  for (const look of looks) {
    const style = colorsIn(lookStyle(look));
    for (const [text, background] of read) {
      for (const mode of [0, 1] as const) {
        const ratio = contrast(parseColor(style.get(text)![mode]), parseColor(style.get(background)![mode]));
        const name = `${look.theme} ${look.primaryColor.light}: ${text} on ${background}`;
        expect([name, ratio >= 4.5]).toEqual([name, true]);
      }
    }
  }
});

test('each language of a customization has its own texts', () => {
  const english = textsOf('en');
  for (const locale of ['fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br']) {
    expect([locale, textsOf(locale).search !== english.search]).toEqual([locale, true]);
    expect(scriptTexts(locale).results).toContain('{}');
    expect(scriptTexts(locale).noResults).toContain('{}');
  }
  expect(textsOf('xx')).toBe(english);
});

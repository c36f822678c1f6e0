import { words } from '../../shared/words.ts';

/** A script that the built-in fonts lack, and the Debian package with fonts for it. */
interface Script {
  name: string;
  package: string;
}

const cjk = 'fonts-noto-cjk';
const core = 'fonts-noto-core';

const coreScript = (name: string): [pattern: RegExp, script: Script] => [
  // slow-regexp: one character class
  new RegExp(`\\p{Script=${name}}`, 'u'),
  { name: name.replace('_', ' '), package: core },
];

const scripts: [pattern: RegExp, script: Script][] = [
  [/\p{Script=Han}/u, { name: 'Chinese characters', package: cjk }],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, { name: 'Japanese', package: cjk }],
  [/[\p{Script=Hangul}]/u, { name: 'Korean', package: cjk }],
  [/\p{Script=Bopomofo}|[\u3000-\u303F\uFF00-\uFFEF]/u, { name: 'Chinese punctuation', package: cjk }],
  // A keycap is drawn as its digit.
  [
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
    { name: 'Emoji', package: 'fonts-noto-color-emoji' },
  ],
  ...words(`
    Arabic Hebrew Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala
    Thai Lao Tibetan Myanmar Georgian Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Armenian Coptic Tifinagh Yi
    Javanese Balinese Vai Latin Greek Cyrillic
  `).map(coreScript),
];

const others: Script = { name: 'Other characters', package: core };

/** The script of a character. */
export function scriptOf(character: string): Script {
  return scripts.find(([pattern]) => pattern.test(character))?.[1] ?? others;
}

/** A script that the built-in fonts lack, with the Debian package that has fonts for it. */
export interface Script {
  name: string;
  package: string;
}

const cjk = 'fonts-noto-cjk';
const core = 'fonts-noto-core';

const scripts: [pattern: RegExp, script: Script][] = [
  [/\p{Script=Han}/u, { name: 'Chinese characters', package: cjk }],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, { name: 'Japanese', package: cjk }],
  [/[\p{Script=Hangul}]/u, { name: 'Korean', package: cjk }],
  [/\p{Script=Bopomofo}|[\u3000-\u303F\uFF00-\uFFEF]/u, { name: 'Chinese punctuation', package: cjk }],
  // A keycap is drawn as its digit.
  [/\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}/u, { name: 'Emoji', package: 'fonts-noto-color-emoji' }],
  ...(
    [
      ...['Arabic', 'Hebrew', 'Syriac', 'Thaana', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
      ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar', 'Georgian'],
      ...['Ethiopic', 'Cherokee', 'Canadian_Aboriginal', 'Khmer', 'Mongolian', 'Armenian', 'Coptic', 'Tifinagh'],
      ...['Yi', 'Javanese', 'Balinese', 'Vai', 'Latin', 'Greek', 'Cyrillic'],
    ] as const
  ).map((name): [RegExp, Script] => [
    new RegExp(`\\p{Script=${name}}`, 'u'),
    { name: name.replaceAll('_', ' '), package: core },
  ]),
];

const others: Script = { name: 'Other characters', package: core };

/** The script that a character belongs to. */
export function scriptOf(character: string): Script {
  return scripts.find(([pattern]) => pattern.test(character))?.[1] ?? others;
}

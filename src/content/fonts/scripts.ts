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
  [
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
    { name: 'Emoji', package: 'fonts-noto-color-emoji' },
  ],
  [/\p{Script=Arabic}/u, { name: 'Arabic', package: core }],
  [/\p{Script=Hebrew}/u, { name: 'Hebrew', package: core }],
  [/\p{Script=Syriac}/u, { name: 'Syriac', package: core }],
  [/\p{Script=Thaana}/u, { name: 'Thaana', package: core }],
  [/\p{Script=Nko}/u, { name: 'Nko', package: core }],
  [/\p{Script=Devanagari}/u, { name: 'Devanagari', package: core }],
  [/\p{Script=Bengali}/u, { name: 'Bengali', package: core }],
  [/\p{Script=Gurmukhi}/u, { name: 'Gurmukhi', package: core }],
  [/\p{Script=Gujarati}/u, { name: 'Gujarati', package: core }],
  [/\p{Script=Oriya}/u, { name: 'Oriya', package: core }],
  [/\p{Script=Tamil}/u, { name: 'Tamil', package: core }],
  [/\p{Script=Telugu}/u, { name: 'Telugu', package: core }],
  [/\p{Script=Kannada}/u, { name: 'Kannada', package: core }],
  [/\p{Script=Malayalam}/u, { name: 'Malayalam', package: core }],
  [/\p{Script=Sinhala}/u, { name: 'Sinhala', package: core }],
  [/\p{Script=Thai}/u, { name: 'Thai', package: core }],
  [/\p{Script=Lao}/u, { name: 'Lao', package: core }],
  [/\p{Script=Tibetan}/u, { name: 'Tibetan', package: core }],
  [/\p{Script=Myanmar}/u, { name: 'Myanmar', package: core }],
  [/\p{Script=Georgian}/u, { name: 'Georgian', package: core }],
  [/\p{Script=Ethiopic}/u, { name: 'Ethiopic', package: core }],
  [/\p{Script=Cherokee}/u, { name: 'Cherokee', package: core }],
  [/\p{Script=Canadian_Aboriginal}/u, { name: 'Canadian Aboriginal', package: core }],
  [/\p{Script=Khmer}/u, { name: 'Khmer', package: core }],
  [/\p{Script=Mongolian}/u, { name: 'Mongolian', package: core }],
  [/\p{Script=Armenian}/u, { name: 'Armenian', package: core }],
  [/\p{Script=Coptic}/u, { name: 'Coptic', package: core }],
  [/\p{Script=Tifinagh}/u, { name: 'Tifinagh', package: core }],
  [/\p{Script=Yi}/u, { name: 'Yi', package: core }],
  [/\p{Script=Javanese}/u, { name: 'Javanese', package: core }],
  [/\p{Script=Balinese}/u, { name: 'Balinese', package: core }],
  [/\p{Script=Vai}/u, { name: 'Vai', package: core }],
  [/\p{Script=Latin}/u, { name: 'Latin', package: core }],
  [/\p{Script=Greek}/u, { name: 'Greek', package: core }],
  [/\p{Script=Cyrillic}/u, { name: 'Cyrillic', package: core }],
];

const others: Script = { name: 'Other characters', package: core };

/** The script that a character belongs to. */
export function scriptOf(character: string): Script {
  return scripts.find(([pattern]) => pattern.test(character))?.[1] ?? others;
}

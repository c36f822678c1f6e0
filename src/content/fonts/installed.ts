import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** An installed font. Missing details are read from the file when the font is needed. */
export interface InstalledFont {
  path: string;
  /** The font in a collection. */
  face?: string;
  /** Such as `Noto Sans CJK JP`, or the file name if the family is unknown. */
  family: string;
  isBold: boolean;
  isSlanted: boolean;
  isMonospaced: boolean;
  /** Whether it has images instead of outlines: color emoji. */
  isColoured: boolean;
  /** Whether it has a character. Undefined if that requires reading the file. */
  covers?: (code: number) => boolean;
}

const timeoutMs = 10_000;
const maxListBytes = 64 * 1024 * 1024;
/** The number of files that are searched for a character without fontconfig. */
const maxFiles = 2_000;

/** All installed fonts: from fontconfig, or else from the usual folders. */
export function installedFonts(): InstalledFont[] {
  return listedFonts() ?? fontFiles(usualFolders());
}

/** Fonts from paths that the user specifies. */
export const namedFonts = (paths: readonly string[]): InstalledFont[] => paths.map((path) => describeFile(path));

const fields = ['file', 'postscriptname', 'family[0]', 'weight', 'slant', 'spacing', 'variable', 'color', 'charset'];
const format = `${fields.map((field) => `%{${field}}`).join('\t')}\n`;

/** @returns undefined if fontconfig is not installed */
function listedFonts(): InstalledFont[] | undefined {
  try {
    const options = { encoding: 'utf8', timeout: timeoutMs, maxBuffer: maxListBytes, stdio: 'pipe' } as const;
    const list = execFileSync('fc-list', ['--format', format], options);
    const fonts = list.split('\n').flatMap((line) => readLine(line) ?? []);
    // Fontconfig lists fonts in random order, but the choice between equal ones must be stable.
    return fonts.toSorted((one, other) => compare(one.path, other.path) || compare(one.family, other.family));
  } catch {
    return undefined;
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Values of fontconfig. */
const bold = 180;
const monospaced = 100;

function readLine(line: string): InstalledFont | undefined {
  const [path = '', face = '', family = '', weight, slant, spacing, isVariable, colour, charset = ''] =
    line.split('\t');
  // A variable font would be drawn in its lightest weight.
  const isColoured = colour === 'True';
  if (!isFontFile(path) || (isVariable === 'True' && !isColoured)) return undefined;
  let ranges: Ranges | undefined;
  return {
    path,
    ...(/\.(?:ttc|otc)$/i.test(path) ? { face } : {}),
    family,
    isBold: Number(weight) >= bold,
    isSlanted: Number(slant) > 0,
    isMonospaced: Number(spacing) >= monospaced,
    isColoured,
    covers: (code) => isWithin((ranges ??= readRanges(charset)), code),
  };
}

const isFontFile = (path: string) => /\.(?:ttf|otf|ttc|otc)$/i.test(path);

/** The first and last characters of ranges, in ascending order. */
type Ranges = readonly number[];

/** @param charset in the format of fontconfig: `20-7e a0 1f600-1f64f` */
function readRanges(charset: string): Ranges {
  return charset.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    return first === '' ? [] : [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

function isWithin(ranges: Ranges, code: number): boolean {
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < (ranges[middle * 2] ?? 0)) high = middle - 1;
    else if (code > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}

function usualFolders(): string[] {
  const home = homedir();
  if (process.platform === 'darwin') return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')];
  if (process.platform === 'win32') {
    const { WINDIR = String.raw`C:\Windows`, LOCALAPPDATA = home } = process.env;
    return [join(WINDIR, 'Fonts'), join(LOCALAPPDATA, 'Microsoft', 'Windows', 'Fonts')];
  }
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(home, '.local/share/fonts'), join(home, '.fonts')];
}

function fontFiles(folders: readonly string[]): InstalledFont[] {
  return folders.flatMap(filesIn).filter(isFontFile).toSorted(compare).slice(0, maxFiles).map(describeFile);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Derives the properties of a font from the file name. */
function describeFile(path: string): InstalledFont {
  const name = basename(path).replace(/\.\w+$/, '');
  return {
    path,
    family: name.replace(/-\w+$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '),
    isBold: /bold|black|heavy/i.test(name),
    isSlanted: /italic|oblique/i.test(name),
    isMonospaced: /mono|courier|consola/i.test(name),
    isColoured: /emoji/i.test(name) && !/mono|symbol/i.test(name),
  };
}

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** A font of this machine. What a system does not tell is read from the file when the font is needed. */
export interface InstalledFont {
  path: string;
  /** Which font of a collection. */
  face?: string;
  /** Such as `Noto Sans CJK JP`; the name of the file where the system tells nothing. */
  family: string;
  isBold: boolean;
  isSlanted: boolean;
  isMonospaced: boolean;
  /** Has pictures instead of outlines: emoji in colour. */
  isColoured: boolean;
  /** Whether it has a character; undefined where only the file can tell. */
  covers?: (code: number) => boolean;
}

const timeoutMs = 10_000;
const maxListBytes = 64 * 1024 * 1024;
/** Without fontconfig: more files than this are not opened in the search for a character. */
const maxFiles = 2_000;

/** All fonts of this machine: those that fontconfig lists, else the files in the usual folders. */
export function installedFonts(): InstalledFont[] {
  return listedFonts() ?? fontFiles(usualFolders());
}

/** Fonts that the user names. */
export const namedFonts = (paths: readonly string[]): InstalledFont[] => paths.map((path) => describeFile(path));

const fields = ['file', 'postscriptname', 'family[0]', 'weight', 'slant', 'spacing', 'variable', 'color', 'charset'];
const format = `${fields.map((field) => `%{${field}}`).join('\t')}\n`;

/** @returns undefined where fontconfig is not installed */
function listedFonts(): InstalledFont[] | undefined {
  try {
    const options = { encoding: 'utf8', timeout: timeoutMs, maxBuffer: maxListBytes, stdio: 'pipe' } as const;
    const list = execFileSync('fc-list', ['--format', format], options);
    const fonts = list.split('\n').flatMap((line) => readLine(line) ?? []);
    // Fontconfig lists fonts in no order; the choice between equal ones must not change from run to run.
    return fonts.toSorted((one, other) => compare(one.path, other.path) || compare(one.family, other.family));
  } catch {
    return undefined;
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Weights and slants as fontconfig counts them. */
const bold = 180;
const monospaced = 100;

function readLine(line: string): InstalledFont | undefined {
  const [path = '', face = '', family = '', weight, slant, spacing, isVariable, colour, charset = ''] =
    line.split('\t');
  // A variable font would be drawn in its lightest weight.
  if (!/\.(?:ttf|otf|ttc|otc)$/i.test(path) || (isVariable === 'True' && !isColour(colour))) return undefined;
  let ranges: Ranges | undefined;
  return {
    path,
    ...(/\.(?:ttc|otc)$/i.test(path) ? { face } : {}),
    family,
    isBold: Number(weight) >= bold,
    isSlanted: Number(slant) > 0,
    isMonospaced: Number(spacing) >= monospaced,
    isColoured: isColour(colour),
    covers: (code) => isWithin((ranges ??= readRanges(charset)), code),
  };
}

const isColour = (colour: string | undefined) => colour === 'True';

/** First and last characters of ranges, one after the other, ascending. */
type Ranges = readonly number[];

/** @param charset as fontconfig writes it: `20-7e a0 1f600-1f64f` */
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
  return folders
    .flatMap(filesIn)
    .filter((path) => /\.(?:ttf|otf|ttc|otc)$/i.test(path))
    .toSorted(compare)
    .slice(0, maxFiles)
    .map(describeFile);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** What the name of a file tells about its font. */
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

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedFonts } from '../../src/content/fonts/installed.ts';
import { browserPath } from './browser.ts';
import { programPath, programPaths } from './program-path.ts';

/** Something that the set-up in README does not bring. */
export interface Requirement {
  /** Tests with this tag are skipped without it. */
  tag: string;
  /** What a person calls it. */
  name: string;
  /** Debian's packages that bring it, where packages can. */
  packages: string[];
  isMet: boolean;
}

const isRoot = process.geteuid?.() === 0;
const hasAll = (...programs: string[]) => programs.every((program) => programPath(program) !== undefined);

function succeeds(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Scripts and emoji that the fonts of the machine have to cover. */
const characters = ['中', 'あ', '한', 'س', 'न', 'ท', '😀'];

function coversAllScripts(): boolean {
  const fonts = installedFonts();
  return characters.every((character) => fonts.some((font) => font.covers?.(character.codePointAt(0)!)));
}

function canMount(): boolean {
  if (process.platform !== 'linux' || !isRoot) return false;
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-mount-'));
  const isMounted = succeeds('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (isMounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
}

/** A Node.js of the machine that is older than what docsctl needs. */
export const oldNode = (): string | undefined =>
  programPaths('node').find((file) => {
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' });
    return Number(/\d+/.exec(version)?.[0]) < 22;
  });

export const requirements: Requirement[] = [
  { tag: 'browser', name: 'a browser', packages: ['chromium'], isMet: browserPath() !== undefined },
  { tag: 'zsh', name: 'zsh', packages: ['zsh'], isMet: hasAll('zsh') },
  { tag: 'fish', name: 'fish', packages: ['fish'], isMet: hasAll('fish') },
  { tag: 'less', name: 'less', packages: ['less'], isMet: hasAll('less') },
  { tag: 'man', name: 'man', packages: ['man-db'], isMet: hasAll('man', 'groff') },
  { tag: 'mandoc', name: 'mandoc', packages: ['mandoc'], isMet: hasAll('mandoc') },
  { tag: 'poppler', name: 'Poppler', packages: ['poppler-utils'], isMet: hasAll('pdftotext', 'pdffonts', 'pdfinfo') },
  {
    tag: 'fonts',
    name: 'fonts of many scripts',
    packages: ['fontconfig', 'fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
    isMet: coversAllScripts(),
  },
  {
    tag: 'keyring',
    name: 'a keyring',
    packages: ['gnome-keyring', 'dbus'],
    isMet: hasAll('gnome-keyring-daemon', 'dbus-run-session'),
  },
  { tag: 'curl', name: 'curl', packages: ['curl'], isMet: hasAll('curl') },
  { tag: 'openssl', name: 'openssl', packages: ['openssl'], isMet: hasAll('openssl') },
  {
    tag: 'python-requests',
    name: "Python's requests",
    packages: ['python3-requests'],
    isMet: succeeds('python3', '-c', 'import requests'),
  },
  { tag: 'go', name: 'Go', packages: ['golang-go'], isMet: succeeds('go', 'version') },
  {
    tag: 'php',
    name: 'PHP with curl',
    packages: ['php-cli', 'php-curl'],
    isMet: succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
  },
  { tag: 'ruby', name: 'Ruby', packages: ['ruby'], isMet: succeeds('ruby', '--version') },
  { tag: 'java', name: 'Java', packages: ['default-jdk-headless'], isMet: succeeds('javac', '-version') },
  { tag: 'linux', name: 'Linux', packages: [], isMet: process.platform === 'linux' },
  { tag: 'posix', name: 'a system other than Windows', packages: [], isMet: process.platform !== 'win32' },
  { tag: 'root', name: 'root', packages: [], isMet: isRoot },
  { tag: 'mount', name: 'root and the right to mount', packages: [], isMet: canMount() },
  { tag: 'old-node', name: 'a Node.js before 22 on PATH', packages: [], isMet: oldNode() !== undefined },
];

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { programPath } from './program-path.ts';

/** The names of browsers on PATH. */
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

/** Where browsers are installed that are not on PATH, by platform. */
const places: Partial<Record<NodeJS.Platform, { folders: (string | undefined)[]; files: string[] }>> = {
  darwin: {
    folders: ['/Applications', join(homedir(), 'Applications')],
    files: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`),
  },
  win32: {
    folders: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA],
    files: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'],
  },
};

/** The Chromium, Chrome or Edge of this machine, or the one that `CHROMIUM` names; undefined if there is none. */
export function browserPath(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const { folders, files } = places[process.platform] ?? { folders: [], files: [] };
  const installed = folders.flatMap((folder) => (folder === undefined ? [] : files.map((file) => join(folder, file))));
  return names.map(programPath).find((file) => file !== undefined) ?? installed.find((file) => existsSync(file));
}

/** @throws Error with the package to install if there is no browser */
export async function openBrowser(): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === undefined)
    throw new Error('No Chromium, Chrome or Edge was found. On Debian: apt-get install chromium');
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

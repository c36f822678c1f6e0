import { programFile } from '../shared/program-files.ts';
import { lookStyle } from './look.ts';
import type { Look, SiteAsset } from './model.ts';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

/** Reads a built file. */
export const readAsset = (name: string): Buffer => Buffer.from(programFile(`dist/site/${name}`).buffer);

const fonts = ['inter.woff2', 'mono.woff2'] as const;
const names = [
  'app.css',
  'math.css',
  'site.js',
  'reference.js',
  'theme.js',
  'search-index.js',
  'live.js',
  'try-it.js',
] as const;
export type AssetName = (typeof names)[number] | (typeof fonts)[number] | 'site.css';

let loaded: Map<string, SiteAsset> | undefined;

function assets(): Map<string, SiteAsset> {
  loaded ??= readAssets();
  return loaded;
}

function readAssets(): Map<string, SiteAsset> {
  const read = new Map<string, SiteAsset>();
  for (const name of [...fonts, ...names]) read.set(name, hashed(name, readAsset(name)));
  let style = readAsset('site.css').toString();
  for (const font of fonts) style = style.replace(`url(${font})`, `url(${read.get(font)?.name})`);
  return read.set('site.css', hashed('site.css', Buffer.from(style)));
}

/** The names of the fonts, which the style sheet loads. */
export const fontNames = (): string[] => fonts.map(assetName);

function hashed(name: string, bytes: Uint8Array): SiteAsset {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const base = name.slice(0, -extension.length - 1);
  return { name: `${base}-${hash}.${extension}`, contentType: types[extension] ?? 'application/octet-stream', bytes };
}

/** The style sheet and the scripts of all sites. */
export const siteAssets = (): SiteAsset[] => [...assets().values()];

/** The name of a file of `siteAssets()`, with its hash. */
export function assetName(name: AssetName): string {
  const asset = assets().get(name);
  if (!asset) throw new Error(`There is no file ${name} for sites.`);
  return asset.name;
}

/** The small style sheet with the colors, corners and fonts of one site. */
export const lookAsset = (look: Look): SiteAsset => hashed('look.css', Buffer.from(lookStyle(look)));

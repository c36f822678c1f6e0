import { readFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { lookStyle, standardLook } from '../../src/site/look.ts';
import { siteIcons } from './site-icons.mjs';

/** In the order in which they apply. */
const styles = ['base', 'signs', 'header', 'layout', 'navigation', 'text', 'blocks', 'search', 'print'];

const scripts = ['site', 'theme', 'search-index', 'live'];

/** The files that pages of sites refer to, by name: styles, scripts and icons. */
export async function siteAssets() {
  const parts = await Promise.all(styles.map((name) => readFile(`src/site/styles/${name}.css`, 'utf8')));
  return new Map([
    ['site.css', minifyStyle([lookStyle(standardLook), ...parts].join('\n'))],
    ...(await Promise.all(scripts.map(async (name) => [`${name}.js`, await script(name)]))),
    ['icons.br', await siteIcons()],
  ]);
}

const minifyStyle = (text) =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"]*"|\s*([{};,])\s*|\n\s*/g, (match, mark) => mark ?? (match.startsWith('"') ? match : ' '))
    .trim();

async function script(name) {
  const bundled = await rolldown({ input: `src/site/script/${name}.ts`, platform: 'browser' });
  // The theme is set before anything is drawn, so its script is not a module.
  const format = name === 'theme' ? 'iife' : 'es';
  const { output } = await bundled.generate({ format, minify: true, comments: { legal: false }, codeSplitting: false });
  await bundled.close();
  return output[0].code;
}

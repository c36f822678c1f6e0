import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { rolldown } from 'rolldown';
import { lookStyle, standardLook } from '../../src/site/look.ts';
import { siteIcons } from './site-icons.mjs';

/** In the order in which they apply. */
const styles = [
  'fonts',
  'base',
  'signs',
  'header',
  'layout',
  'navigation',
  'text',
  'blocks',
  'compare',
  'reference',
  'search',
  'print',
];

/** Latin letters of variable fonts. Browsers load other letters from the system. */
const fonts = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};

const scripts = ['site', 'reference', 'theme', 'search-index', 'live', 'try-it', 'diagrams', 'diagram-frame'];

/**
 * The files that pages of sites refer to: styles, scripts and icons.
 *
 * @returns {Promise<{ files: Map<string, string | Uint8Array>, modules: string[] }>} `modules`: what they were made of
 */
export async function siteAssets() {
  const parts = await Promise.all(styles.map((name) => readFile(`src/site/styles/${name}.css`, 'utf8')));
  const built = await Promise.all(scripts.map(script));
  const files = new Map([
    ['site.css', minifyStyle([lookStyle(standardLook), ...parts].join('\n'))],
    ['math.css', minifyStyle(await mathStyle())],
    ['app.css', minifyStyle(await readFile('src/site/styles/app.css', 'utf8'))],
    ...built.map(({ file, code }) => [file, code]),
    ['icons.br', await siteIcons()],
  ]);
  const { resolve } = createRequire(import.meta.url);
  const icons = resolve('@fortawesome/fontawesome-free/package.json');
  for (const [name, file] of Object.entries(fonts)) files.set(name, await readFile(resolve(file)));
  return {
    files,
    modules: [icons, ...Object.values(fonts).map((file) => resolve(file)), ...built.flatMap(({ modules }) => modules)],
  };
}

/** The style sheet that the MathML of Temml needs, without its font, which only has script capitals. */
async function mathStyle() {
  const temml = createRequire(import.meta.url).resolve('temml/dist/Temml-Local.css');
  const style = (await readFile(temml, 'utf8')).replace(/@font-face\s*\{[^}]*\}/, '');
  return `${style}\n${await readFile('src/site/styles/math.css', 'utf8')}`;
}

const minifyStyle = (text) =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"]*"|\s*([{};,])\s*|\n\s*/g, (match, mark) => mark ?? (match.startsWith('"') ? match : ' '))
    .trim();

async function script(name) {
  const bundled = await rolldown({ input: `src/site/script/${name}.ts`, platform: 'browser' });
  // The theme is set before anything is drawn, and browsers load no modules from a folder without a server.
  const format = ['theme', 'site', 'reference'].includes(name) ? 'iife' : 'es';
  const { output } = await bundled.generate({ format, minify: true, comments: { legal: false }, codeSplitting: false });
  await bundled.close();
  const [{ code, modules }] = output;
  return { file: `${name}.js`, code, modules: Object.keys(modules) };
}

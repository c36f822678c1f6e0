import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const styles = ['solid', 'regular', 'brands'];
const shape = /viewBox="0 0 (\d+) (\d+)".*?<path[^>]* d="([^"]+)"/s;

/**
 * The icons that pages can name, compressed: a line for each with its style, name, width, height and path, and one for
 * each former name with the present one. `src/site/icons.ts` reads it.
 */
export async function siteIcons() {
  const folder = dirname(createRequire(import.meta.url).resolve('@fortawesome/fontawesome-free/package.json'));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  // Compressing takes four seconds.
  const cache = join('node_modules', '.cache', 'site-icons', `${version}.br`);
  const cached = await readFile(cache).catch(() => undefined);
  if (cached) return cached;
  const compressed = compress(await readIcons(folder, version));
  await mkdir(dirname(cache), { recursive: true });
  await writeFile(cache, compressed);
  return compressed;
}

async function readIcons(folder, version) {
  const lines = [];
  for (const style of styles) {
    const names = (await readdir(join(folder, 'svgs', style))).map((file) => file.replace(/\.svg$/, '')).toSorted();
    for (const name of names) {
      const [, width, height, path] = shape.exec(await readFile(join(folder, 'svgs', style, `${name}.svg`), 'utf8'));
      lines.push([style, name, width, height, path].join('\t'));
    }
  }
  const families = JSON.parse(await readFile(join(folder, 'metadata', 'icon-families.json'), 'utf8'));
  for (const [name, { aliases }] of Object.entries(families))
    for (const alias of aliases?.names ?? []) lines.push(['alias', alias, name].join('\t'));
  const notice = `Font Awesome Free ${version} by @fontawesome - https://fontawesome.com License - https://fontawesome.com/license/free (Icons: CC BY 4.0) Copyright Fonticons, Inc.`;
  return `${[notice, ...lines].join('\n')}\n`;
}

function compress(text) {
  const bytes = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

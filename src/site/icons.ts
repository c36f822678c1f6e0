import type { Element } from 'hast';
import { readAsset } from './assets.ts';
import { html, type Html } from './html.ts';
import type { Look } from './model.ts';

interface Icon {
  width: number;
  height: number;
  path: string;
}

type IconStyle = 'solid' | 'regular' | 'brands';

let icons: Map<string, string> | undefined;

/** The lines of the icon file by style and name (`scripts/build/site-icons.mjs`). */
function iconLines(): Map<string, string> {
  if (icons) return icons;
  const text = process.getBuiltinModule('node:zlib').brotliDecompressSync(readAsset('icons.br')).toString();
  icons = new Map();
  for (const line of text.split('\n')) {
    const second = line.indexOf('\t', line.indexOf('\t') + 1);
    if (second > 0) icons.set(line.slice(0, second).replace('\t', '/'), line.slice(second + 1));
  }
  return icons;
}

function find(name: string, styles: IconStyle[]): Icon | undefined {
  const lines = iconLines();
  const present = lines.get(`alias/${name}`) ?? name;
  for (const candidate of [name, present]) {
    for (const style of styles) {
      const [width, height, path] = lines.get(`${style}/${candidate}`)?.split('\t') ?? [];
      if (path !== undefined) return { width: Number(width), height: Number(height), path };
    }
  }
  return undefined;
}

/** The free set has no thin, light and duotone icons, and few regular ones, so solid icons replace them. */
const stylesFor: Record<Look['icons'], IconStyle[]> = {
  solid: ['solid', 'regular', 'brands'],
  duotone: ['solid', 'regular', 'brands'],
  regular: ['regular', 'solid', 'brands'],
  light: ['regular', 'solid', 'brands'],
  thin: ['regular', 'solid', 'brands'],
};

const variants = /^(?:fa-)?(.+?)(?:-(?:alt|o))?$/;

/**
 * Finds the nearest free icon, because names from the paid set are common: `file-lines` for `file-lines-light`.
 */
function findIcon(name: string, style: Look['icons']): Icon | undefined {
  const plain = name.trim().toLowerCase().replace(/^fa-/, '');
  const styles = stylesFor[style];
  return find(plain, styles) ?? find(variants.exec(plain)?.[1] ?? plain, styles) ?? shortened(plain, styles);
}

/** A Font Awesome icon as SVG; undefined if the free set has no icon of that name. */
export function iconSvg(name: string, style: Look['icons'] = 'solid'): Html | undefined {
  const icon = findIcon(name, style);
  if (!icon) return undefined;
  const { width, height, path } = icon;
  return html`<svg class="icon" viewBox="0 0 ${width} ${height}" aria-hidden="true"><path d="${path}" /></svg>`;
}

function shortened(name: string, styles: IconStyle[]): Icon | undefined {
  for (let end = name.lastIndexOf('-'); end > 0; end = name.lastIndexOf('-', end - 1)) {
    const icon = find(name.slice(0, end), styles);
    if (icon) return icon;
  }
  return undefined;
}

/** The same as an element of a page. */
export function iconElement(name: string, style: Look['icons'] = 'solid'): Element | undefined {
  const icon = findIcon(name, style);
  if (!icon) return undefined;
  const { width, height, path } = icon;
  return {
    type: 'element',
    tagName: 'svg',
    properties: { className: ['icon'], viewBox: `0 0 ${width} ${height}`, ariaHidden: 'true' },
    children: [{ type: 'element', tagName: 'path', properties: { d: path }, children: [] }],
  };
}

/**
 * The same for texts from services with a larger set of icons. A dot replaces icons that the free set does not have.
 */
export const iconOrPlace = (name: string, style: Look['icons']): Element =>
  iconElement(name, style) ?? {
    type: 'element',
    tagName: 'span',
    properties: { className: ['icon', 'icon-unknown'], title: name },
    children: [],
  };

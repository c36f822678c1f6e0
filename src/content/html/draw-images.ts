import type { Element, ElementContent } from 'hast';
import type { DrawContext } from './draw-context.ts';
import { drawEmbed, drawFile } from './draw-links.ts';
import { addClass, attribute, classesOf, element, findElement, isElement, text } from './hast.ts';
import { findFile, hostOf, nameIn } from './links.ts';
import type { FileTarget } from './page-source.ts';
import { isLocalImage, isRemote, isSafeAddress } from './safe-address.ts';

export function drawImage(node: Element, context: DrawContext): Element {
  const url = attribute(node, 'src');
  const alt = attribute(node, 'alt');
  if (isRemote(url) && !isLocalImage(url)) return remoteImage(url, alt, context);
  const file = isRemote(url) ? { href: url, name: '' } : findFile(url.split('#', 1)[0] ?? '', context);
  if (!file || (isRemote(file.href) && !isRemote(url))) return missingImage(alt, url);
  context.images += 1;
  const image = element('img', {
    src: file.href,
    alt,
    ...(attribute(node, 'title') !== '' && { title: attribute(node, 'title') }),
    ...sizeOf(node, file),
    ...(context.images > 1 && { loading: 'lazy', decoding: 'async' }),
  });
  const size = attribute(node, 'dataSize');
  if (size === 'line' || size === 'original') addClass(image, `image-${size}`);
  const scheme = /#gh-(light|dark)-mode-only$/.exec(url)?.[1];
  if (scheme) addClass(image, `image-${scheme}`);
  return image;
}

// If the page sets one of the two, the browser derives the other from the shape of the image.
function sizeOf(node: Element, file: FileTarget): { width?: string; height?: string } {
  const [width, height] = [attribute(node, 'width'), attribute(node, 'height')].map((value) =>
    /^\d{1,5}%?$/.test(value) ? value : undefined,
  );
  if (width !== undefined || height !== undefined) return { ...(width && { width }), ...(height && { height }) };
  return file.width && file.height ? { width: String(file.width), height: String(file.height) } : {};
}

function remoteImage(url: string, alt: string, context: DrawContext): Element {
  context.report('remote-image', `${url}: images from other hosts are not loaded. Add the file to the content.`);
  const label = [text(alt || nameIn(url) || hostOf(url))];
  const isLink = context.linkDepth === 0 && isSafeAddress(url) && !/^data:/i.test(url);
  return element(isLink ? 'a' : 'span', { className: ['remote-image'], ...(isLink && { href: url }) }, label);
}

const missingImage = (alt: string, url: string): Element =>
  element('span', { className: ['missing-image'] }, [text(alt || nameIn(url) || 'image')]);

/** A picture with a source for dark mode becomes two images, because readers can switch between light and dark. */
export function drawPicture(node: Element, context: DrawContext): ElementContent[] {
  const image = findElement(node.children, (inner) => isElement(inner, 'img'));
  if (!image) return [];
  const [light, dark] = [sourceFor(node, 'light'), sourceFor(node, 'dark')];
  if (dark === undefined && light === undefined) return [drawImage(image, context)];
  const drawn = (url: string | undefined, scheme: string): Element => {
    const properties = { ...image.properties, ...(url !== undefined && { src: url }) };
    const result = drawImage({ ...image, properties }, context);
    if (isElement(result, 'img')) addClass(result, `image-${scheme}`);
    return result;
  };
  const both = [drawn(light, 'light'), drawn(dark, 'dark')];
  const images = both.filter((one) => isElement(one, 'img'));
  if (images.length === 2) {
    // Hidden images are not loaded if they are lazy.
    for (const one of images) one.properties['loading'] = 'lazy';
    return images;
  }
  // If only one of them can be displayed, it is used for both modes.
  const shown = images[0] ?? both[1];
  if (!shown) return [];
  if (images.length === 1) {
    shown.properties['className'] = classesOf(shown).filter((name) => !/^image-(?:light|dark)$/.test(name));
  }
  return [shown];
}

function sourceFor(picture: Element, scheme: 'light' | 'dark'): string | undefined {
  const source = findElement(
    picture.children,
    (inner) =>
      isElement(inner, 'source') &&
      attribute(inner, 'media').replaceAll(' ', '').includes(`prefers-color-scheme:${scheme}`),
  );
  // A size can follow the address, which itself can contain spaces.
  const words = source ? attribute(source, 'srcSet').trim().split(' ') : [];
  if (words.length > 1 && /^[\d.]+[wx]$/.test(words.at(-1) ?? '')) words.pop();
  return words.join(' ') || undefined;
}

/** Videos, audio and frames become links, because they play on other pages. */
export function drawMedia(node: Element, context: DrawContext): ElementContent[] {
  const source = findElement(node.children, (inner) => isElement(inner, 'source') && attribute(inner, 'src') !== '');
  const url = attribute(node, 'src') || (source ? attribute(source, 'src') : '');
  if (url === '') return [];
  return [isRemote(url) ? drawEmbed(url, attribute(node, 'title'), [], context) : drawFile(url, [], context)];
}

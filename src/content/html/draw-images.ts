import { decodeAddress } from '../../shared/decode.ts';
import type { Element, ElementContent } from 'hast';
import { addClass, attribute, classesOf, element, findElement, isElement, text } from './content.ts';
import type { DrawContext } from './draw-context.ts';
import { drawEmbed, drawFile } from './draw-links.ts';
import { hostOf, nameIn } from './links.ts';
import type { FileTarget } from './page-source.ts';
import { isLocalImage, isRemote, isSafeAddress } from './safe-address.ts';

/** A file of the content; undefined: it is missing, which is reported, or it is on another host. */
export function findFile(url: string, context: DrawContext): FileTarget | undefined {
  if (url === '' || isRemote(url)) return undefined;
  context.uses.add('files', url);
  const file = context.source.file(url);
  if (!file) context.problems.add('missing-file', context.line, `${decodeAddress(url)}: there is no such file.`);
  return file && isSafeAddress(file.href, false) ? file : undefined;
}

export function drawImage(node: Element, context: DrawContext): ElementContent[] {
  const url = attribute(node, 'src');
  const alt = attribute(node, 'alt');
  if (isRemote(url) && !isLocalImage(url)) return remoteImage(url, alt, context);
  const file = isRemote(url) ? { href: url, name: '' } : findFile(url.split('#', 1)[0] ?? '', context);
  if (!file || !isLocalImage(file.href)) return [missingImage(alt, url)];
  context.images += 1;
  const { width, height } = sizeOf(node, file);
  const image = element('img', {
    src: file.href,
    alt,
    ...(attribute(node, 'title') !== '' && { title: attribute(node, 'title') }),
    ...(width && { width }),
    ...(height && { height }),
    ...(context.images > 1 && { loading: 'lazy', decoding: 'async' }),
  });
  const size = attribute(node, 'dataSize');
  if (size === 'line') addClass(image, 'image-line');
  if (size === 'original') addClass(image, 'image-original');
  const scheme = /#gh-(light|dark)-mode-only$/.exec(url)?.[1];
  if (scheme) addClass(image, `image-${scheme}`);
  return [image];
}

// With one of the two from the page, the other follows from the picture's shape.
function sizeOf(node: Element, file: FileTarget): { width?: string; height?: string } {
  const [width, height] = [attribute(node, 'width'), attribute(node, 'height')].map((value) =>
    /^\d{1,5}%?$/.test(value) ? value : undefined,
  );
  if (width !== undefined || height !== undefined) return { ...(width && { width }), ...(height && { height }) };
  if (!file.width || !file.height) return {};
  return { width: String(file.width), height: String(file.height) };
}

function remoteImage(url: string, alt: string, context: DrawContext): ElementContent[] {
  context.problems.add(
    'remote-image',
    context.line,
    `${url}: images of other hosts are not loaded; add the file to the content.`,
  );
  const label = [text(alt || nameIn(url) || hostOf(url))];
  if (context.linkDepth > 0 || !isSafeAddress(url, false) || /^data:/i.test(url)) {
    return [element('span', { className: ['remote-image'] }, label)];
  }
  return [element('a', { className: ['remote-image'], href: url }, label)];
}

const missingImage = (alt: string, url: string): Element =>
  element('span', { className: ['missing-image'] }, [text(alt || nameIn(url) || 'image')]);

/** A picture with a source for dark pages becomes two images: the reader may choose light or dark on the page. */
export function drawPicture(node: Element, context: DrawContext): ElementContent[] {
  const image = findElement(node.children, (found) => isElement(found, 'img'));
  if (!image) return [];
  const dark = sourceFor(node, 'dark');
  const light = sourceFor(node, 'light');
  const drawn = (url: string | undefined, scheme: string): ElementContent[] => {
    const properties = { ...image.properties, ...(url !== undefined && { src: url }) };
    const result = drawImage({ ...image, properties }, context);
    for (const one of result) if (isElement(one, 'img')) addClass(one, `image-${scheme}`);
    return result;
  };
  if (dark === undefined && light === undefined) return drawImage(image, context);
  const [bright, dim] = [drawn(light, 'light'), drawn(dark, 'dark')];
  // Where one of them cannot be shown, the other one is for both.
  const isShown = (nodes: ElementContent[]): boolean => nodes.some((one) => isElement(one, 'img'));
  if (!isShown(bright) || !isShown(dim)) {
    const shown = isShown(bright) ? bright : dim;
    for (const one of shown) {
      if (isElement(one, 'img'))
        one.properties['className'] = classesOf(one).filter((name) => !/^image-(?:light|dark)$/.test(name));
    }
    return shown;
  }
  // Images that are not displayed are not loaded if they are lazy.
  for (const one of [...bright, ...dim]) if (isElement(one, 'img')) one.properties['loading'] = 'lazy';
  return [...bright, ...dim];
}

function sourceFor(picture: Element, scheme: 'light' | 'dark'): string | undefined {
  const source = findElement(
    picture.children,
    (found) =>
      isElement(found, 'source') &&
      attribute(found, 'media').replaceAll(' ', '').includes(`prefers-color-scheme:${scheme}`),
  );
  // After the address may follow a size; the address itself may contain blanks.
  const words = source ? attribute(source, 'srcSet').trim().split(' ') : [];
  if (words.length > 1 && /^[\d.]+[wx]$/.test(words.at(-1) ?? '')) words.pop();
  const written = words.join(' ');
  return written || undefined;
}

/** Video, audio and frames play on other pages: a link leads there. */
export function drawMedia(node: Element, context: DrawContext): ElementContent[] {
  const source = findElement(node.children, (found) => isElement(found, 'source') && attribute(found, 'src') !== '');
  const url = attribute(node, 'src') || (source ? attribute(source, 'src') : '');
  if (url === '') return [];
  const title = attribute(node, 'title');
  return isRemote(url) ? [drawEmbed(url, title, [], context)] : [drawFile(url, [], context)];
}

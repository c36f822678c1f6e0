import type { Element, ElementContent } from 'hast';
import { decodeAddress } from '../../shared/decode.ts';
import type { DrawContext } from './draw-context.ts';
import { element, text } from './hast.ts';
import { findFile, hostOf, nameIn, pathIn, resolveLink } from './links.ts';
import { isRemote, isSafeAddress } from './safe-address.ts';

const small = (className: string, value: string | undefined): Element | undefined =>
  value ? element('span', { className: [className] }, [text(value)]) : undefined;

/** A link to a video, design or other page. Nothing is loaded from the other host. */
export function drawEmbed(url: string, title: string, caption: ElementContent[], context: DrawContext): Element {
  const target = resolveLink(url, context.line, context);
  const path = pathIn(url)
    .replace(/^[a-z]+:\/\/(?:www\.)?/i, '')
    .replace(/\/$/, '');
  const label = element('span', { className: ['embed-text'] }, [
    small('embed-title', title || target?.title || hostOf(url)),
    small('embed-host', decodeAddress(path).slice(0, 100)),
  ]);
  const link = target
    ? element('a', { className: isVideo(url) ? ['embed', 'embed-video'] : ['embed'], href: target.href }, [label])
    : element('span', { className: ['embed', 'broken-link'] }, [label]);
  return withCaption('embed-figure', link, caption);
}

const videoHosts = /^(?:[\w-]+\.)?(?:youtube\.com|youtu\.be|vimeo\.com|loom\.com|wistia\.com|dailymotion\.com)$/i;

const isVideo = (url: string): boolean =>
  isRemote(url) && (videoHosts.test(hostOf(url)) || /\.(?:mp4|webm|mov)(?:[?#]|$)/i.test(url));

/** A file to download, with its name and size. */
export function drawFile(url: string, caption: ElementContent[], context: DrawContext): Element {
  const isOwn = url !== '' && !isRemote(url);
  const file = findFile(url, context);
  const href = isOwn ? file?.href : url;
  const name = file?.name ?? nameIn(url);
  const label = element('span', { className: ['file-text'] }, [
    small('file-name', name || url),
    small('file-size', file?.size === undefined ? undefined : sizeText(file.size, context.locale)),
  ]);
  const card =
    href && isSafeAddress(href)
      ? element('a', { className: ['file'], href, ...(isOwn && { download: name }) }, [label])
      : element('span', { className: ['file', 'missing-file'] }, [label]);
  return withCaption('file-figure', card, caption);
}

function sizeText(size: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log10(size) / 3));
  const unitDisplay = power === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: units[power] ?? 'byte', unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(size / 1000 ** power);
}

function withCaption(className: string, card: Element, caption: ElementContent[]): Element {
  if (caption.length === 0) return element('div', { className: [className] }, [card]);
  return element('figure', { className: [className] }, [card, element('figcaption', {}, caption)]);
}

/** A card that links to a page. */
export function drawPageLink(
  url: string,
  label: string,
  context: DrawContext,
  icons: (name: string) => ElementContent[],
): Element {
  const target = resolveLink(url, context.line, context);
  if (!target) return element('span', { className: ['page-link', 'broken-link'] }, [text(label || url)]);
  const sign = target.emoji
    ? [element('span', { className: ['emoji'], ariaHidden: 'true' }, [text(target.emoji)])]
    : icons(target.icon ?? '');
  return element('a', { className: ['page-link'], href: target.href }, [
    ...sign,
    element('span', { className: ['page-link-text'] }, [
      small('page-link-title', target.title ?? (label || decodeAddress(url))),
      small('page-link-description', target.description),
    ]),
  ]);
}

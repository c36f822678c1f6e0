import { decodeAddress } from '../../shared/decode.ts';
import type { Element, ElementContent } from 'hast';
import { element, text } from './content.ts';
import type { DrawContext } from './draw-context.ts';
import { hostOf, nameIn, pathIn, resolveLink } from './links.ts';
import { isRemote, isSafeAddress } from './safe-address.ts';

const small = (className: string, value: string | undefined): Element | undefined =>
  value ? element('span', { className: [className] }, [text(value)]) : undefined;

/** A link to a video, a design, a tool: nothing of another host is loaded. */
export function drawEmbed(url: string, title: string, caption: ElementContent[], context: DrawContext): Element {
  const target = resolveLink(url, context.line, context);
  const label = title || target?.title || hostOf(url);
  const lines = [
    small('embed-title', label),
    small(
      'embed-host',
      decodeAddress(
        pathIn(url)
          .replace(/^[a-z]+:\/\/(?:www\.)?/i, '')
          .replace(/\/$/, ''),
      ).slice(0, 100),
    ),
  ];
  const link = target
    ? element('a', { className: ['embed'], href: target.href }, [element('span', { className: ['embed-text'] }, lines)])
    : element('span', { className: ['embed', 'broken-link'] }, [element('span', { className: ['embed-text'] }, lines)]);
  return withCaption('embed-figure', link, caption);
}

/** A file to load, with its name and size. */
export function drawFile(url: string, caption: ElementContent[], context: DrawContext): Element {
  const isOwn = url !== '' && !isRemote(url);
  if (isOwn) context.uses.add('files', url);
  const file = isOwn ? context.source.file(url) : undefined;
  if (isOwn && !file)
    context.problems.add('missing-file', context.line, `${decodeAddress(url)}: there is no such file.`);
  const href = isOwn ? file?.href : url;
  const name = file?.name ?? nameIn(url);
  const label = element('span', { className: ['file-text'] }, [
    small('file-name', name || url),
    small('file-size', file?.size === undefined ? undefined : sizeText(file.size, context.locale)),
  ]);
  const isLinked = href !== undefined && href !== '' && isSafeAddress(href, false);
  const card = isLinked
    ? element('a', { className: ['file'], href, ...(isOwn && { download: name }) }, [label])
    : element('span', { className: ['file', 'missing-file'] }, [label]);
  return withCaption('file-figure', card, caption);
}

function sizeText(size: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log10(size) / 3));
  const format = {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(locale, format).format(size / 1000 ** power);
}

function withCaption(className: string, card: Element, caption: ElementContent[]): Element {
  if (caption.length === 0) return element('div', { className: [className] }, [card]);
  return element('figure', { className: [className] }, [card, element('figcaption', {}, caption)]);
}

/** A card that leads to a page. */
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
    : target.icon
      ? icons(target.icon)
      : [];
  const title = target.title ?? (label || decodeAddress(url));
  return element('a', { className: ['page-link'], href: target.href }, [
    ...sign,
    element('span', { className: ['page-link-text'] }, [
      small('page-link-title', title),
      small('page-link-description', target.description),
    ]),
  ]);
}

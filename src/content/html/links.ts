import { decodeAddress } from '../../shared/decode.ts';
import type { DrawContext } from './draw-context.ts';
import { isRemote, isSafeAddress } from './safe-address.ts';
import type { LinkTarget } from './page-source.ts';

/** Where a link leads; undefined: it is broken, which is reported. */
export function resolveLink(url: string, line: number, context: DrawContext): LinkTarget | undefined {
  if (url === '' || !isSafeAddress(url, false)) return undefined;
  if (url.startsWith('#')) {
    const anchor = url.slice(1);
    if (anchor !== '') context.anchorLinks.push({ anchor, line, include: context.problems.include });
    return { href: url };
  }
  if (/^(?:mailto|tel|sms):/i.test(url)) return { href: url };
  context.uses.add('links', url);
  const target = context.source.link(url);
  if (target) {
    if (target.missingAnchor) {
      context.problems.add('missing-anchor', line, `${url}: the page has no heading "${url.slice(url.indexOf('#'))}".`);
    }
    return isSafeAddress(target.href, false) ? target : undefined;
  }
  if (isRemote(url)) return { href: url, isExternal: true };
  const file = context.source.file(url);
  if (file) {
    context.uses.add('files', url);
    return { href: file.href, title: file.name };
  }
  context.problems.add('broken-link', line, `${url}: there is no such page or file.`);
  return undefined;
}

/** Whether a link's text is only its address, so that the title of its target says more. */
export function isAddressText(text: string, url: string): boolean {
  const plain = text.trim();
  if (plain === '' || plain === url || plain === '.') return true;
  const path = pathIn(url).replace(/\/$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return plain === path || plain === name || plain === decodeAddress(name) || plain === decodeAddress(path);
}

/** An address without its query and anchor. */
export const pathIn = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** The name of the file that an address leads to. */
export const nameIn = (url: string): string => decodeAddress(pathIn(url).slice(pathIn(url).lastIndexOf('/') + 1));

export function hostOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1]?.replace(/^www\./, '') ?? url;
}

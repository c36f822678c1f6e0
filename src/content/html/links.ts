import { decodeAddress } from '../../shared/decode.ts';
import type { DrawContext } from './draw-context.ts';
import type { FileTarget, LinkTarget } from './page-source.ts';
import { isRemote, isSafeAddress } from './safe-address.ts';

/** Resolves a link. Reports a broken one and returns undefined. */
export function resolveLink(url: string, line: number, context: DrawContext): LinkTarget | undefined {
  if (url === '' || !isSafeAddress(url)) return undefined;
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
      const message = `${url}: the page has no heading "${url.slice(url.indexOf('#'))}".`;
      context.problems.add('missing-anchor', { line }, message);
    }
    return isSafeAddress(target.href) ? target : undefined;
  }
  if (isRemote(url)) return { href: url, isExternal: true };
  const file = context.source.file(url);
  if (file) {
    context.uses.add('files', url);
    return { href: file.href, title: file.name };
  }
  context.problems.add('broken-link', { line }, `${url}: there is no such page or file.`);
  return undefined;
}

/** Finds a file of the content. Reports a missing one. Files on other hosts are skipped. */
export function findFile(url: string, context: DrawContext): FileTarget | undefined {
  if (url === '' || isRemote(url)) return undefined;
  context.uses.add('files', url);
  const file = context.source.file(url);
  if (!file) context.report('missing-file', `${decodeAddress(url)}: there is no such file.`);
  return file;
}

/** Whether the text of a link is only its address, so that the title of the target is more useful. */
export function isAddressText(text: string, url: string): boolean {
  const plain = text.trim();
  const path = pathIn(url).replace(/\/$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ['', '.', url, path, name, decodeAddress(name), decodeAddress(path)].includes(plain);
}

/** An address without its query and anchor. */
export const pathIn = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** The file name in an address. */
export const nameIn = (url: string): string => decodeAddress(pathIn(url).slice(pathIn(url).lastIndexOf('/') + 1));

export function hostOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1]?.replace(/^www\./, '') ?? url;
}

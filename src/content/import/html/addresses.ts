import type { Element } from 'hast';
import { all, find, text } from './html-tree.ts';

export function baseOf(head: Element | undefined, url: string): string {
  const base = head && find(head, ({ tagName }) => tagName === 'base');
  return (base && absolute(text(base.properties['href']), url)) || url;
}

export function makeAbsolute(body: Element, base: string): void {
  for (const element of all(body, () => true)) {
    for (const name of ['href', 'src', 'dataSrc', 'dataOriginal', 'dataLazySrc']) {
      const value = text(element.properties[name]);
      if (value) element.properties[name] = absolute(value, base) ?? value;
      if (name === 'href' && value.startsWith('#')) element.properties['dataOwn'] = true;
    }
  }
}

export function absolute(address: string, base: string): string | undefined {
  return URL.parse(address.trim(), base)?.href;
}

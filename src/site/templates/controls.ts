import { isSafeAddress } from '../../content/html/safe-address.ts';
import { attribute, html, type Html, type HtmlPart } from '../html.ts';
import { iconSvg } from '../icons.ts';
import type { Picture, Site, SiteLink } from '../model.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The input of every template. */
export interface Drawing {
  site: Site;
  texts: Texts;
}

export const drawingOf = (site: Site): Drawing => ({ site, texts: textsOf(site.locale) });

/** A symbol of the interface, which the style sheet draws. */
export const sign = (name: string): Html => html`<span class="sign sign-${name}" aria-hidden="true"></span>`;

/** The emoji or icon before a title. */
export function titleIcon(
  { site }: Pick<Drawing, 'site'>,
  { icon, emoji }: { icon?: string | undefined; emoji?: string | undefined },
): Html | undefined {
  if (emoji) return html`<span class="emoji" aria-hidden="true">${emoji}</span>`;
  return icon ? iconSvg(icon, site.look.icons) : undefined;
}

/** @param content instead of the title */
export function link(
  { site, texts }: Drawing,
  { title, href, isExternal }: SiteLink,
  { content, className, isCurrent }: { content?: HtmlPart; className?: string; isCurrent?: boolean } = {},
): Html {
  const shown = content ?? title;
  if (href === undefined || !isSafeAddress(href)) return html`<span${attribute('class', className)}>${shown}</span>`;
  const opensTab = isExternal === true && site.opensExternalLinksInNewTab;
  return html`<a
    href="${href}"
    ${attribute('class', className)}${attribute('aria-current', isCurrent === true && 'page')}${opensTab && html` target="_blank"`}${isExternal === true && html` rel="noopener noreferrer"`}
    >${shown}${opensTab && html`<span class="visually-hidden"> ${texts.opensInNewTab}</span>`}</a
  >`;
}

/** A button that shows a list of links, even without JavaScript. */
export function menu({
  label,
  items,
  className = '',
  name,
}: {
  label: HtmlPart;
  items: Html[];
  className?: string;
  /** The accessible name, if the label is only a symbol or a value. */
  name?: string | undefined;
}): Html {
  return html`<details class="menu ${className}"><summary${attribute('aria-label', name)}>${label}${sign('chevron')}</summary><ul class="menu-list">${items.map((item) => html`<li>${item}</li>`)}</ul></details>`;
}

/** A picture, possibly with another one for dark mode. */
export function picture({ light, dark }: Picture, alt: string, attributes: Html = html``): Html {
  if (dark === undefined || dark === light) return html`<img src="${light}" alt="${alt}" ${attributes} />`;
  return html`<img class="light-only" src="${light}" alt="${alt}" ${attributes} /><img
      class="dark-only"
      src="${dark}"
      alt="${alt}"
      ${attributes}
    />`;
}

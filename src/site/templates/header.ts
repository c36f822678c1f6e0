import { assetName } from '../assets.ts';
import { attribute, html, type Html } from '../html.ts';
import type { HeaderLink, SiteTab, SiteVariant } from '../model.ts';
import { type Drawing, link, menu, picture, sign, titleIcon } from './controls.ts';

export function header(drawing: Drawing): Html {
  const { site, texts } = drawing;
  return html`<header class="header">
    <div class="bar">
      <button type="button" class="icon-button contents-button" popovertarget="contents" aria-label="${texts.contents}">
        ${sign('menu')}
      </button>
      ${brand(drawing)} ${search(drawing)}
      <div class="bar-end">
        ${headerLinks(drawing, 'header-links')} ${languagePicker(drawing)}
        ${site.themes.isToggleable && themeButton(drawing)}
      </div>
    </div>
    ${sectionTabs(drawing)}
  </header>`;
}

function brand({ site }: Drawing): Html {
  if (site.logo)
    return html`<a class="brand" href="${site.home}">${picture(site.logo, site.title, html` height="32"`)}</a>`;
  const { favicon } = site;
  const mark =
    favicon && 'emoji' in favicon ? html`<span class="emoji" aria-hidden="true">${favicon.emoji}</span>` : undefined;
  return html`<a class="brand" href="${site.home}">${mark}<span class="brand-title">${site.title}</span></a>`;
}

/** A form for readers without JavaScript; the script shows the button instead. */
function search({ site, texts }: Drawing): Html {
  if (!site.search) return html``;
  const { action, kind, href } = site.search;
  return html`<search
    class="search"
    data-kind="${kind}"
    data-href="${href}"
    ${kind === 'index' && html` data-script="${site.assets.folder}${assetName('search-index.js')}"`}
  >
    ${action !== undefined && html`<form action="${action}"><input type="search" name="q" aria-label="${texts.search}" placeholder="${texts.searchPlaceholder}" autocomplete="off" /></form>`}
    <button
      type="button"
      class="search-button"
      aria-haspopup="dialog"
      aria-label="${texts.search}"
      aria-keyshortcuts="/ Control+K"
    >
      ${sign('search')}<span class="search-label">${texts.searchPlaceholder}</span><kbd aria-hidden="true">/</kbd>
    </button>
  </search>`;
}

/** Shown in the header if there is space, or else below the contents. */
export function headerLinks(drawing: Drawing, className: string): Html {
  const { site, texts } = drawing;
  if (site.headerLinks.length === 0) return html``;
  const items = site.headerLinks.map((item) => html`<li>${headerLink(drawing, item)}</li>`);
  return html`<nav
    class="${className}"
    aria-label="${className === 'header-links' ? texts.siteLinks : texts.moreLinks}"
  >
    <ul>
      ${items}
    </ul>
  </nav>`;
}

function headerLink(drawing: Drawing, item: HeaderLink): Html {
  const { links = [], style = 'link' } = item;
  const className = style === 'link' ? 'header-link' : `button ${style}`;
  if (links.length === 0) return link(drawing, item, { className });
  const items = [
    ...(item.href === undefined ? [] : [link(drawing, item)]),
    ...links.map((inner) => link(drawing, inner)),
  ];
  return menu({ label: item.title, items, className: 'header-menu' });
}

function languagePicker(drawing: Drawing): Html {
  const { site, texts } = drawing;
  if (site.languages.length < 2) return html``;
  const current = site.languages.find(({ isCurrent }) => isCurrent);
  return menu({
    label: html`${sign('globe')}<span class="picker-title">${current?.title ?? texts.language}</span>`,
    name: current ? `${texts.language}: ${current.title}` : texts.language,
    items: site.languages.map(variantLink),
    className: 'languages',
  });
}

/** The other spaces of the section. */
export function variantPicker({ site, texts }: Drawing): Html {
  if (site.variants.length < 2) return html``;
  const current = site.variants.find(({ isCurrent }) => isCurrent);
  return menu({
    label: html`<span class="picker-title">${current?.title ?? texts.variant}</span>`,
    name: current ? `${texts.variant}: ${current.title}` : texts.variant,
    items: site.variants.map(variantLink),
    className: 'variants',
  });
}

const variantLink = ({ title, href, isCurrent, language }: SiteVariant): Html =>
  html`<a
    href="${href}"
    ${attribute('aria-current', isCurrent && 'true')}${attribute('hreflang', language)}${attribute('lang', language)}
    >${title}${isCurrent && sign('check')}</a
  >`;

const themeButton = ({ texts }: Drawing): Html =>
  html`<button
    type="button"
    class="icon-button theme-button"
    aria-label="${texts.switchTheme}"
    title="${texts.switchTheme}"
  >
    ${sign('sun')}${sign('moon')}
  </button>`;

/** Only menus have space for the descriptions of sections. */
function sectionTabs(drawing: Drawing): Html {
  const { site, texts } = drawing;
  if (site.sections.length < 2 && !site.sections.some(({ sections }) => sections !== undefined)) return html``;
  const tab = (section: SiteTab) =>
    section.sections === undefined
      ? sectionLink(drawing, { ...section, description: undefined })
      : menu({
          label: html`${titleIcon(drawing, section)}<span>${section.title}</span>`,
          items: section.sections.map((inner) => sectionLink(drawing, inner)),
          className: section.isCurrent ? 'section-group current' : 'section-group',
        });
  return html`<nav class="sections" aria-label="${texts.sections}">
    <ul>
      ${site.sections.map((section) => html`<li>${tab(section)}</li>`)}
    </ul>
  </nav>`;
}

function sectionLink(drawing: Drawing, section: SiteTab): Html {
  const { title, href, description, isCurrent } = section;
  const text =
    description === undefined ? title : html`${title}<span class="section-description">${description}</span>`;
  const content = html`${titleIcon(drawing, section)}<span>${text}</span>`;
  return html`<a class="section" ${attribute('href', href)}${attribute('aria-current', isCurrent && 'true')}
    >${content}</a
  >`;
}

export function announcement(drawing: Drawing): Html {
  const { announcement: shown } = drawing.site;
  if (!shown) return html``;
  const { texts } = drawing;
  return html`<aside class="announcement announcement-${shown.style}" aria-label="${texts.announcement}">
    <p>${shown.message}${shown.link && html` ${link(drawing, shown.link)}`}</p>
    <button type="button" class="icon-button announcement-close" aria-label="${texts.close}">${sign('close')}</button>
  </aside>`;
}

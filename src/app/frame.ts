import { assetName } from '../site/assets.ts';
import { findDiagrams } from '../site/diagrams.ts';
import { html, type Html } from '../site/html.ts';
import { standardLook } from '../site/look.ts';
import type { HeaderLink, NavigationItem, Site, SiteLink, SitePage, SiteTab } from '../site/model.ts';
import { hasDiagrams, pageDocument } from '../site/page-document.ts';
import { assetPath } from './addresses.ts';
import { htmlResponse } from './responses.ts';
import type { AppResponse } from './port.ts';

/** What is around the text of a page. */
export interface Frame {
  root: string;
  /** The name of the organization or, before one is known, of the program. */
  title: string;
  home: string;
  tabs?: SiteTab[];
  navigation?: NavigationItem[];
  /** Where to search. */
  search?: string | undefined;
  headerLinks?: HeaderLink[];
}

export interface AppPage extends Partial<Omit<SitePage, 'html' | 'title'>> {
  title: string;
  html: Html;
  status?: number;
}

/** A whole page, with the templates of sites. */
export function draw(frame: Frame, { html: text, status = 200, ...page }: AppPage): AppResponse {
  const site = siteOf(frame);
  const drawn: SitePage = {
    headings: [],
    breadcrumbs: [],
    noIndex: true,
    ...page,
    html: text.text,
    layout: {
      pagination: false,
      metadata: false,
      outline: false,
      tableOfContents: site.navigation.length > 0,
      ...page.layout,
    },
  };
  const response = htmlResponse(pageDocument(site, drawn), status);
  if (hasDiagrams(site, drawn)) response.headers['content-security-policy'] += "; frame-src 'self'";
  return response;
}

/** The site that the templates draw. */
export function siteOf({ root, title, home, tabs = [], navigation = [], search, headerLinks = [] }: Frame): Site {
  const folder = root + assetPath;
  const diagrams = findDiagrams();
  return {
    title,
    locale: 'en',
    direction: 'ltr',
    look: standardLook,
    home,
    headerLinks,
    sections: tabs,
    variants: [],
    languages: [],
    navigation,
    footer: { groups: [] },
    search: search === undefined ? undefined : { kind: 'service', href: search, action: search },
    assets: { folder, look: folder + assetName('app.css'), ...(diagrams && { diagrams: folder + diagrams.script }) },
    themes: { default: 'system', isToggleable: true },
    hasPagination: true,
    hasMarkdownActions: false,
    hasAssistantLinks: false,
    hasEditLinks: false,
    opensExternalLinksInNewTab: false,
    isTrademarkShown: false,
  };
}

/** A command to copy. */
export const command = (...words: string[]): Html =>
  html`<pre><code>${['docsctl', ...words.map(quoted)].join(' ')}</code></pre>`;

const quoted = (word: string): string =>
  /^[\w./:=?&@#-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

export const linkTo = ({ title, href }: SiteLink): Html =>
  href === undefined ? html`${title}` : html`<a href="${href}">${title}</a>`;

import type { AnswerOf } from '../contract/endpoint.ts';
import type { siteCustomization } from '../contract/site-customization.ts';

/**
 * The data of the page templates. The source of a site also creates its addresses, so that the templates work with
 * absolute, loopback and relative addresses. The templates escape all texts; only fields named `html` contain HTML,
 * which must be sanitized.
 */

/** Values for light and dark mode. */
export interface LightDark {
  light: string;
  dark: string;
}

export type Customization = AnswerOf<typeof siteCustomization.view>;

/** The part of a site's customization that determines its style sheet. */
export type Look = Customization['styling'] & Pick<Customization['header'], 'backgroundColor' | 'linkColor'>;

export interface SiteLink {
  title: string;
  /** If absent, the title is shown as text. */
  href?: string | undefined;
  /** Whether it leads to another site. */
  isExternal?: boolean | undefined;
}

export interface HeaderLink extends SiteLink {
  style?: 'link' | 'button-primary' | 'button-secondary' | undefined;
  /** If present, the entry is a menu. */
  links?: SiteLink[] | undefined;
}

/** A section, or a group of sections shown as a menu. */
export interface SiteTab {
  title: string;
  /** Absent for groups. */
  href?: string | undefined;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  isCurrent: boolean;
  /** Present for groups only. */
  sections?: SiteTab[] | undefined;
}

/** A space of a section: a version, a product or a translation. */
export interface SiteVariant {
  title: string;
  href: string;
  isCurrent: boolean;
  /** The language code, if the variants are translations of each other. */
  language?: string | undefined;
}

/** An entry of the table of contents. */
export interface NavigationItem {
  kind: 'page' | 'group' | 'link';
  title: string;
  /** Absent for groups. */
  href?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** Whether it is the current page. */
  isCurrent: boolean;
  /** Whether it contains the current page. */
  isOpen: boolean;
  isExternal?: boolean | undefined;
  /** A label after the title, such as the method `GET` of an operation. */
  badge?: string | undefined;
  children: NavigationItem[];
}

export interface SiteSearch {
  /** Where the form sends `?q=` without JavaScript. If absent, the search field needs JavaScript. */
  action?: string | undefined;
  /** `service`: `<href>?q=` returns a {@link SearchAnswer}. `index`: `href` is a prebuilt index of the whole site. */
  kind: 'service' | 'index';
  href: string;
}

/** The JSON response of a search. */
export interface SearchAnswer {
  /** The query with corrected words, if some of its words are in no page. */
  suggestion?: string | undefined;
  results: SearchResult[];
}

export interface SearchResult {
  title: string;
  /** Relative to the page with the search, or absolute. */
  href: string;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** The titles of the pages and groups above it, outermost first. */
  trail: string[];
  description?: string | undefined;
  sections: { title: string; href: string; text: string }[];
}

export interface Picture {
  light: string;
  dark?: string | undefined;
}

export interface SiteAssets {
  /** Address of the folder with the files of `siteAssets()`, with a slash at the end. */
  folder: string;
  /** Address of the style sheet of `lookAsset()`; if absent, the standard look. */
  look?: string | undefined;
  /** A content security policy for the documents, because some hosts send a wider one or none. */
  policy?: string | undefined;
  /** Address of the script that draws diagrams; if absent, pages show their sources. */
  diagrams?: string | undefined;
  /** Whether the pages load no fonts. */
  hasSystemFonts?: boolean | undefined;
  /** Addresses of further scripts, such as live reload. */
  scripts?: string[] | undefined;
}

/** A site as readers see it on one of its pages. */
export interface Site {
  title: string;
  /** The language of the interface and the content, such as `en` or `pt-br`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  look: Look;
  /** Address of the site's first page. */
  home: string;
  logo?: Picture | undefined;
  /** A picture or an emoji. */
  favicon?: { picture: Picture } | { emoji: string } | undefined;
  headerLinks: HeaderLink[];
  announcement?:
    | { message: string; style: 'info' | 'warning' | 'danger' | 'success'; link?: SiteLink | undefined }
    | undefined;
  sections: SiteTab[];
  /** Includes the current one. Shown only if there are at least two. */
  variants: SiteVariant[];
  languages: SiteVariant[];
  navigation: NavigationItem[];
  footer: {
    logo?: Picture | undefined;
    groups: { title: string; links: SiteLink[] }[];
    copyright?: string | undefined;
  };
  /** Absent if the site has no search. */
  search?: SiteSearch | undefined;
  assets: SiteAssets;
  themes: { default: 'light' | 'dark' | 'system'; isToggleable: boolean };
  hasPagination: boolean;
  /** Whether pages link to their Markdown. */
  hasMarkdownActions: boolean;
  /** Whether pages link to assistants on other hosts, which read their Markdown. */
  hasAssistantLinks: boolean;
  /** Whether pages link to their sources. */
  hasEditLinks: boolean;
  /** Whether links to other sites open in a new tab. */
  opensExternalLinksInNewTab: boolean;
  privacyPolicy?: string | undefined;
  /** Absolute address of the picture that other services show with a link. */
  socialPreview?: string | undefined;
  isTrademarkShown: boolean;
}

export interface PageHeading {
  id: string;
  depth: number;
  text: string;
}

export interface PageLayout {
  cover: boolean;
  /** `full`: above the whole page; `background`: behind the title. */
  coverSize: 'hero' | 'full' | 'background';
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
}

/** Pages of other kinds than `page` are not part of the content. */
type PageKind = 'page' | 'not-found' | 'gate' | 'search' | 'message';

/** One page of a site. */
export interface SitePage {
  kind?: PageKind | undefined;
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  html: string;
  headings: PageHeading[];
  /** The pages and groups above it, outermost first. */
  breadcrumbs: SiteLink[];
  previous?: SiteLink | undefined;
  next?: SiteLink | undefined;
  /** `height` in pixels. */
  cover?: { picture: Picture; yPos?: number | undefined; height?: number | undefined } | undefined;
  layout?: Partial<PageLayout> | undefined;
  /** RFC 3339. */
  updatedAt?: string | undefined;
  /** Address of the page as Markdown. */
  markdownHref?: string | undefined;
  /** Address of the list of pages for language models. */
  llmsHref?: string | undefined;
  /** The absolute address of a picture with its title. */
  socialHref?: string | undefined;
  /** Address at which the page can be edited. */
  editHref?: string | undefined;
  /** Address of the feed, if the page has updates. */
  feedHref?: string | undefined;
  /** The absolute address that search engines should list. */
  canonical?: string | undefined;
  isHidden?: boolean | undefined;
  noIndex?: boolean | undefined;
  /** Whether its text has diagrams for Mermaid. */
  hasMermaid?: boolean | undefined;
  /** Problems in the text, which a preview shows above it. */
  problems?: ShownProblem[] | undefined;
  /** HTML above the text, in the preview of a change request. */
  banner?: string | undefined;
}

interface ShownProblem {
  message: string;
  /** File and line, in a form that editors recognize. */
  place?: string | undefined;
  level: 'error' | 'warning';
}

/** A file that documents load. Its name contains a hash of its content. */
export interface SiteAsset {
  name: string;
  contentType: string;
  bytes: Uint8Array;
  /** The content security policy, if it is a document. */
  policy?: string | undefined;
}

/** Options of an export. */
export interface ExportForm {
  /** Whether the pages load no fonts. */
  hasSystemFonts: boolean;
}

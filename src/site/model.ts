/**
 * What the templates of pages are filled with. Whoever makes a site (a folder, a space, a published site) also makes all
 * addresses in it, so the same templates serve absolute, loopback and relative ones. Texts are plain text and get
 * escaped here; only members named `html` are HTML, which must be sanitized.
 */

/** A pair for light and dark mode. */
export interface LightDark {
  light: string;
  dark: string;
}

/** The part of a site's customization that its style sheet is made of (contract/site-customization.ts). */
export interface Look {
  theme: 'clean' | 'muted' | 'bold' | 'gradient';
  primaryColor: LightDark;
  infoColor: LightDark;
  successColor: LightDark;
  warningColor: LightDark;
  dangerColor: LightDark;
  tint?: { color: LightDark } | undefined;
  corners: 'straight' | 'rounded' | 'circular';
  links: 'default' | 'accent';
  font: string;
  icons: 'regular' | 'solid' | 'duotone' | 'light' | 'thin';
  sidebar: { background: 'default' | 'filled'; list: 'default' | 'pill' | 'line' };
  search: 'prominent' | 'subtle';
  /** Of the header. */
  backgroundColor?: LightDark | undefined;
  linkColor?: LightDark | undefined;
}

export interface SiteLink {
  title: string;
  /** Without one, the title is shown as text. */
  href?: string | undefined;
  /** Whether it leads to another site. */
  isExternal?: boolean | undefined;
}

export interface HeaderLink extends SiteLink {
  style?: 'link' | 'button-primary' | 'button-secondary' | undefined;
  /** With links, it is a menu. */
  links?: SiteLink[] | undefined;
}

/** A section, or a group of sections shown as a menu. */
export interface SiteTab {
  title: string;
  /** Of a section. */
  href?: string | undefined;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  isCurrent: boolean;
  /** The sections of a group; a section has none. */
  sections?: SiteTab[] | undefined;
}

/** One of the spaces that stand side by side in a section: a version, a product or a translation. */
export interface SiteVariant {
  title: string;
  href: string;
  isCurrent: boolean;
  /** Code of its language, where the variants are translations of each other. */
  language?: string | undefined;
}

/** An entry of the table of contents. */
export interface NavigationItem {
  kind: 'page' | 'group' | 'link';
  title: string;
  /** A group has none. */
  href?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** Whether it is the page that is shown. */
  isCurrent: boolean;
  /** Whether it contains the page that is shown. */
  isOpen: boolean;
  isExternal?: boolean | undefined;
  /** A short mark after the title: the method of an operation, for example `GET`. */
  badge?: string | undefined;
  children: NavigationItem[];
}

export interface SiteSearch {
  /** Where the form sends `?q=` without JavaScript. Undefined: the field appears only with JavaScript. */
  action?: string | undefined;
  /** `service`: `<href>?q=` answers with {@link SearchAnswer}. `index`: `href` is a prebuilt index of the whole site. */
  kind: 'service' | 'index';
  href: string;
}

/** JSON of a search. */
export interface SearchAnswer {
  results: SearchResult[];
}

export interface SearchResult {
  title: string;
  /** From the page with the search, or absolute. */
  href: string;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** Titles of what the page stands in, outermost first. */
  trail: string[];
  description?: string | undefined;
  sections: { title: string; href: string; text: string }[];
}

export interface Picture {
  light: string;
  dark?: string | undefined;
}

export interface SiteAssets {
  /** Address of the folder in which the files of `siteAssets()` are, with a slash at the end. */
  folder: string;
  /** Address of the style sheet of `lookAsset()`; undefined: the standard look. */
  look?: string | undefined;
  /** Content security policy in the documents themselves, for hosts that send a wider one or none. */
  policy?: string | undefined;
  /** Address of the script that draws diagrams; undefined: their sources are shown. */
  diagrams?: string | undefined;
  /** Addresses of more scripts of the site itself, such as live reload. */
  scripts?: string[] | undefined;
}

/** A site as a reader sees it from one page of it. */
export interface Site {
  title: string;
  /** Language of the interface and of the content, such as `en` or `pt-br`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  look: Look;
  /** Address of the site's first page. */
  home: string;
  logo?: Picture | undefined;
  /** A picture, or an emoji that is drawn as one. */
  favicon?: { picture: Picture } | { emoji: string } | undefined;
  headerLinks: HeaderLink[];
  announcement?:
    | { message: string; style: 'info' | 'warning' | 'danger' | 'success'; link?: SiteLink | undefined }
    | undefined;
  sections: SiteTab[];
  /** The current one among them; fewer than two are not shown. */
  variants: SiteVariant[];
  languages: SiteVariant[];
  navigation: NavigationItem[];
  footer: {
    logo?: Picture | undefined;
    groups: { title: string; links: SiteLink[] }[];
    copyright?: string | undefined;
  };
  /** Undefined: the site has no search. */
  search?: SiteSearch | undefined;
  assets: SiteAssets;
  themes: { default: 'light' | 'dark' | 'system'; isToggleable: boolean };
  hasPagination: boolean;
  /** Whether a page offers its Markdown. */
  hasMarkdownActions: boolean;
  /** Whether links to other sites open in a new tab. */
  opensExternalLinksInNewTab: boolean;
  privacyPolicy?: string | undefined;
  /** Address of the picture that other services show with a link; absolute. */
  socialPreview?: string | undefined;
  /** Where the templates' own note `Built with docsctl` leads; undefined: not shown. */
  isTrademarkShown: boolean;
}

export interface PageHeading {
  id: string;
  depth: number;
  text: string;
}

export interface PageLayout {
  cover: boolean;
  coverSize: 'hero' | 'full';
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
}

/** What is shown in place of the parts around a page where the page is none of the content. */
export type PageKind = 'page' | 'not-found' | 'gate' | 'search' | 'message';

/** One page of a site. */
export interface SitePage {
  kind?: PageKind | undefined;
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  html: string;
  headings: PageHeading[];
  /** What the page stands in, outermost first, without the page itself. */
  breadcrumbs: SiteLink[];
  previous?: SiteLink | undefined;
  next?: SiteLink | undefined;
  cover?: { picture: Picture; yPos?: number | undefined } | undefined;
  layout?: Partial<PageLayout> | undefined;
  /** RFC 3339. */
  updatedAt?: string | undefined;
  /** Address of the page as Markdown. */
  markdownHref?: string | undefined;
  /** Address at which the page can be edited. */
  editHref?: string | undefined;
  /** Address of the feed of a page of updates. */
  feedHref?: string | undefined;
  /** The one address that search engines should list; absolute. */
  canonical?: string | undefined;
  isHidden?: boolean | undefined;
  noIndex?: boolean | undefined;
  /** Whether its text has diagrams for mermaid to draw. */
  hasMermaid?: boolean | undefined;
  /** Problems of the text, shown above it: by the preview only. */
  problems?: ShownProblem[] | undefined;
  /** HTML before and after the text: by the preview of a change request only. */
  banner?: string | undefined;
}

export interface ShownProblem {
  message: string;
  /** File and line, as an editor understands them. */
  place?: string | undefined;
  level: 'error' | 'warning';
}

/** A file that documents refer to. Its name has a hash of its content. */
export interface SiteAsset {
  name: string;
  contentType: string;
  bytes: Uint8Array;
  /** Content security policy of a document. */
  policy?: string | undefined;
}

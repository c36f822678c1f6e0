import type { Contents, ContentsPage, HrefOf } from './contents.ts';
import { lookAsset, siteAssets } from './assets.ts';
import { type DiagramFiles, findDiagrams } from './diagrams.ts';
import { lookOf, standardLook, themesOf } from './look.ts';
import type { Customization } from './model.ts';
import type {
  Look,
  Picture,
  Site,
  SiteAsset,
  SiteAssets,
  SiteLink,
  SiteSearch,
  SiteTab,
  SiteVariant,
} from './model.ts';
import { directionOf } from './texts.ts';

type Link = Pick<Customization['footer']['groups'][number]['links'][number], 'title' | 'to'>;
type Target = Exclude<NonNullable<Link['to']>, { kind: 'url' }>;

/** What the site around a page is built from. There is one for folders, for services and for the store of the server. */
export interface SiteSource<P extends ContentsPage> {
  /** The default, if the customization has none. */
  title: string;
  /** The default, if the customization has none. */
  locale?: string | undefined;
  /** Address of the site's first page. */
  home: string;
  /** The current space; absent on pages of the site itself. */
  space?: { contents: Contents<P>; hrefOf: HrefOf<P> } | undefined;
  sections: readonly SiteSection[];
  /** The spaces of the current section. */
  variants: SiteVariant[];
  customization?: SourceCustomization | undefined;
  assets: AssetPlace;
  search?: SiteSearch | undefined;
}

export interface SiteSection extends Pick<SiteTab, 'title' | 'href' | 'description' | 'icon' | 'isCurrent'> {
  group?: { key: string; title: string; icon?: string | undefined } | undefined;
}

/** The customization of a site, for one visitor. */
export interface SourceCustomization {
  settings: Customization;
  /** The address of a picture; undefined for pictures on other hosts, which would learn who reads the page. */
  pictureOf(url: string): string | undefined;
  /** Resolves a link. If absent, no links are shown. */
  addressOf?: ((target: Target) => string | undefined | Promise<string | undefined>) | undefined;
  /** Whether the visitor meets a condition. */
  meets(condition: string | null | undefined): boolean;
}

export interface AssetPlace extends Omit<SiteAssets, 'look' | 'diagrams'> {
  /** If undefined, pages show the sources of diagrams. */
  diagrams?: Pick<DiagramFiles, 'script'> | undefined;
}

/** Builds the site around a page. */
export async function siteAround<P extends ContentsPage>(source: SiteSource<P>, page?: P): Promise<Site> {
  const { title, locale = 'en', home, space, sections, variants, customization, search } = source;
  const { diagrams, ...assets } = source.assets;
  const codes = new Set(variants.map(({ language }) => language));
  const areTranslations = codes.size === variants.length && !codes.has(undefined);
  const customized = customization && (await settingsOf(customization));
  return {
    title,
    locale,
    direction: directionOf(locale),
    look: standardLook,
    home,
    headerLinks: [],
    sections: tabsOf(sections),
    variants: areTranslations ? [] : variants,
    languages: areTranslations ? variants : [],
    navigation: space?.contents.navigationFor(page, space.hrefOf) ?? [],
    footer: { groups: [] },
    search,
    themes: { default: 'system', isToggleable: true },
    hasPagination: true,
    hasMarkdownActions: true,
    hasAssistantLinks: false,
    hasEditLinks: false,
    opensExternalLinksInNewTab: false,
    isTrademarkShown: false,
    ...customized,
    assets: {
      ...assets,
      ...(customized && { look: assets.folder + lookAsset(customized.look).name }),
      ...(diagrams && { diagrams: assets.folder + diagrams.script }),
    },
  };
}

/** Finds an asset by its name. @param folder where to look for Mermaid first */
export function findAsset(
  name: string,
  { looks = [], folder }: { looks?: readonly Look[]; folder?: string } = {},
): SiteAsset | undefined {
  const isIt = (asset: SiteAsset) => asset.name === name;
  if (name.startsWith('look-')) return looks.map(lookAsset).find(isIt);
  return siteAssets().find(isIt) ?? findDiagrams(folder)?.file(name);
}

/** The tabs for sections. The sections of a group form a menu in the position of the first one. */
function tabsOf(sections: readonly SiteSection[]): SiteTab[] {
  const tabs: SiteTab[] = [];
  const menus = new Map<string, SiteTab & { sections: SiteTab[] }>();
  for (const { group, ...tab } of sections) {
    if (!group) {
      tabs.push(tab);
      continue;
    }
    const menu = menus.get(group.key) ?? { title: group.title, icon: group.icon, isCurrent: false, sections: [] };
    if (!menus.has(group.key)) tabs.push(menu);
    menus.set(group.key, menu);
    menu.sections.push(tab);
    menu.isCurrent ||= tab.isCurrent;
  }
  return tabs;
}

/** The settings for all pages. */
async function settingsOf({ settings, pictureOf, addressOf, meets }: SourceCustomization) {
  const { header, footer, announcement, favicon, internationalization } = settings;
  const picture = (pictures: { light: string; dark: string } | undefined): Picture | undefined => {
    const light = pictures && pictureOf(pictures.light);
    return light === undefined ? undefined : { light, dark: pictures && pictureOf(pictures.dark) };
  };
  const linkOf = async ({ title, to }: Link): Promise<SiteLink> => {
    if (to?.kind !== 'url') return { title, href: to === null ? undefined : await addressOf?.(to) };
    const isExternal = /^https?:/i.test(to.url);
    return isExternal || /^mailto:/i.test(to.url) ? { title, href: to.url, isExternal } : { title };
  };
  // One at a time, because the lookups may share a transaction.
  const linksOf = (links: readonly Link[]) => Array.fromAsync(links, linkOf);
  const icon = picture(favicon.icon);
  const hasLinks = addressOf !== undefined;
  return {
    ...(settings.title === undefined ? {} : { title: settings.title }),
    locale: internationalization.locale,
    direction: directionOf(internationalization.locale),
    look: lookOf(settings),
    logo: picture(header.logo),
    favicon: icon ? { picture: icon } : favicon.emoji === undefined ? undefined : { emoji: favicon.emoji },
    headerLinks: await Array.fromAsync(
      header.links.filter(({ condition }) => hasLinks && meets(condition)),
      async (link) => ({ ...(await linkOf(link)), style: link.style, links: await linksOf(link.links) }),
    ),
    announcement: announcement?.enabled
      ? {
          message: announcement.message,
          style: announcement.style,
          link: hasLinks && announcement.link ? await linkOf(announcement.link) : undefined,
        }
      : undefined,
    footer: {
      groups: await Array.fromAsync(hasLinks ? footer.groups : [], async ({ title, links }) => ({
        title,
        links: await linksOf(links),
      })),
      logo: picture(footer.logo),
      copyright: footer.copyright,
    },
    themes: themesOf(settings.themes),
    hasPagination: settings.pagination.enabled,
    hasMarkdownActions: settings.pageActions.markdown,
    hasAssistantLinks: settings.pageActions.externalAI,
    hasEditLinks: settings.git.showEditLink,
    opensExternalLinksInNewTab: settings.externalLinks.target === 'blank',
    privacyPolicy: settings.privacyPolicy.url,
    socialPreview: settings.socialPreview.url,
  };
}

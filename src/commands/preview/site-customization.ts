import type { AnswerOf } from '../../contract/endpoint.ts';
import type { siteCustomization } from '../../contract/site-customization.ts';
import { addressOf } from '../../content/markdown/references.ts';
import type { Picture, Site, SiteLink } from '../../site/model.ts';

export type Customization = AnswerOf<typeof siteCustomization.view>;

type Customized = Pick<
  Site,
  | 'locale'
  | 'logo'
  | 'look'
  | 'headerLinks'
  | 'announcement'
  | 'footer'
  | 'favicon'
  | 'themes'
  | 'hasPagination'
  | 'hasMarkdownActions'
  | 'opensExternalLinksInNewTab'
  | 'privacyPolicy'
>;

/**
 * What the customization of a site says of its pages. Pictures of other hosts are left out: a preview asks nobody else.
 *
 * @param hrefOf where an address of the content leads
 * @param pictureOf the address to show a picture at
 */
export function customized(
  settings: Customization,
  hrefOf: (address: string) => string | undefined,
  pictureOf: (url: string) => string | undefined = () => undefined,
): Customized {
  const shown = (pictures: { light: string; dark: string } | undefined): Picture | undefined => {
    const light = pictures && pictureOf(pictures.light);
    return light === undefined ? undefined : { light, dark: pictures && pictureOf(pictures.dark) };
  };
  const icon = shown(settings.favicon.icon);
  const { styling, header, footer, announcement, favicon, themes } = settings;
  const linkOf = ({ title, to }: Customization['footer']['groups'][number]['links'][number]): SiteLink => {
    const address = to === null ? undefined : addressOf(to);
    const isExternal = to?.kind === 'url';
    return { title, href: address === undefined ? undefined : isExternal ? address : hrefOf(address), isExternal };
  };
  return {
    locale: settings.internationalization.locale,
    look: { ...styling, backgroundColor: header.backgroundColor, linkColor: header.linkColor },
    logo: shown(header.logo),
    headerLinks: header.links.map(({ style, links, ...link }) => ({
      ...linkOf(link),
      style,
      links: links.map(linkOf),
    })),
    announcement: announcement?.enabled
      ? {
          message: announcement.message,
          style: announcement.style,
          link: announcement.link && linkOf(announcement.link),
        }
      : undefined,
    footer: {
      groups: footer.groups.map(({ title, links }) => ({ title, links: links.map(linkOf) })),
      logo: shown(footer.logo),
      copyright: footer.copyright,
    },
    favicon: icon ? { picture: icon } : favicon.emoji === undefined ? undefined : { emoji: favicon.emoji },
    themes: { default: themes.default, isToggleable: themes.toggeable },
    hasPagination: settings.pagination.enabled,
    hasMarkdownActions: settings.pageActions.markdown,
    opensExternalLinksInNewTab: settings.externalLinks.target === 'blank',
    privacyPolicy: settings.privacyPolicy.url,
  };
}

import type { AnswerOf } from '../../contract/endpoint.ts';
import type { siteCustomization } from '../../contract/site-customization.ts';
import { addressOf } from '../../content/markdown/references.ts';
import type { Site, SiteLink } from '../../site/model.ts';

export type Customization = AnswerOf<typeof siteCustomization.view>;

type Customized = Pick<
  Site,
  | 'locale'
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
 */
export function customized(settings: Customization, hrefOf: (address: string) => string | undefined): Customized {
  const { styling, header, footer, announcement, favicon, themes } = settings;
  const linkOf = ({ title, to }: Customization['footer']['groups'][number]['links'][number]): SiteLink => {
    const address = to === null ? undefined : addressOf(to);
    const isExternal = to?.kind === 'url';
    return { title, href: address === undefined ? undefined : isExternal ? address : hrefOf(address), isExternal };
  };
  return {
    locale: settings.internationalization.locale,
    look: { ...styling, backgroundColor: header.backgroundColor, linkColor: header.linkColor },
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
      copyright: footer.copyright,
    },
    favicon: favicon.emoji === undefined ? undefined : { emoji: favicon.emoji },
    themes: { default: themes.default, isToggleable: themes.toggeable },
    hasPagination: settings.pagination.enabled,
    hasMarkdownActions: settings.pageActions.markdown,
    opensExternalLinksInNewTab: settings.externalLinks.target === 'blank',
    privacyPolicy: settings.privacyPolicy.url,
  };
}

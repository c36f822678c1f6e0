import type { AnswerOf } from '../../contract/endpoint.ts';
import type { siteCustomization } from '../../contract/site-customization.ts';
import { isMet } from '../../content/blocks/expressions.ts';
import { addressOf } from '../../content/markdown/references.ts';
import { lookOf, themesOf } from '../../site/look.ts';
import type { Picture, Site, SiteLink } from '../../site/model.ts';
import { directionOf } from '../../site/texts.ts';

export type Customization = AnswerOf<typeof siteCustomization.view>;

type Customized = Pick<
  Site,
  | 'locale'
  | 'direction'
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
  | 'socialPreview'
>;

/**
 * What the customization of a site says of its pages, as readers see it who are not signed in. Pictures of other hosts are left out: a preview asks nobody else.
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
  const { header, footer, announcement, favicon, internationalization } = settings;
  const linkOf = ({ title, to }: Customization['footer']['groups'][number]['links'][number]): SiteLink => {
    const address = to === null ? undefined : addressOf(to);
    const isExternal = to?.kind === 'url';
    return { title, href: address === undefined ? undefined : isExternal ? address : hrefOf(address), isExternal };
  };
  return {
    locale: internationalization.locale,
    direction: directionOf(internationalization.locale),
    look: lookOf(settings),
    logo: shown(header.logo),
    headerLinks: header.links
      .filter(({ condition }) => isMet(condition, anonymous))
      .map(({ style, links, ...link }) => ({ ...linkOf(link), style, links: links.map(linkOf) })),
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
    themes: themesOf(settings.themes),
    hasPagination: settings.pagination.enabled,
    hasMarkdownActions: settings.pageActions.markdown,
    opensExternalLinksInNewTab: settings.externalLinks.target === 'blank',
    privacyPolicy: settings.privacyPolicy.url,
    socialPreview: settings.socialPreview.url,
  };
}

/** What conditions and expressions read of a reader who is not signed in. */
export const anonymous = { visitor: { claims: { unsigned: {} } } };

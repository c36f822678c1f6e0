import * as z from 'zod/mini';
import { lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { RelativeReference } from './references.ts';
import { about, list, webAddress } from './schema.ts';
import { knownWords } from '../shared/words.ts';

const fonts = knownWords(
  'ABCFavorit Inter Roboto RobotoSlab OpenSans SourceSansPro Lato Ubuntu Raleway Merriweather Overpass NotoSans IBMPlexSerif Poppins FiraSans',
);

const address = () => webAddress(2048);
const color = () =>
  text({
    form: {
      pattern: /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
      message: 'must be a color: # and 3 or 6 hexadecimal digits',
    },
  });
const colors = () => z.object({ light: color(), dark: color() });
const pictures = () => z.object({ light: address(), dark: address() });
const enabled = () => z.object({ enabled: z.boolean() });
const link = () => z.object({ title: text({ max: 64 }), to: z.nullable(RelativeReference()) });

const Styling = () =>
  z.object({
    theme: about(z.enum(['clean', 'muted', 'bold', 'gradient']), 'Theme of the site.'),
    primaryColor: colors(),
    infoColor: colors(),
    successColor: colors(),
    warningColor: colors(),
    dangerColor: colors(),
    tint: z.optional(z.object({ color: colors() })),
    corners: z.enum(['straight', 'rounded', 'circular']),
    links: z.enum(['default', 'accent']),
    font: z.enum(fonts),
    icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
    sidebar: z.object({ background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) }),
    search: z.enum(['prominent', 'subtle']),
  });

const Header = () =>
  z.object({
    logo: z.optional(pictures()),
    backgroundColor: z.optional(colors()),
    linkColor: z.optional(colors()),
    links: list(
      z.object({
        title: z.string(),
        style: z.optional(z.enum(['link', 'button-primary', 'button-secondary'])),
        to: z.nullable(RelativeReference()),
        links: list(link()),
        condition: z.optional(text({ min: 1, max: 1024 })),
      }),
    ),
  });

const Favicon = () =>
  z.object({ icon: z.optional(pictures()), emoji: z.optional(text({ min: 1, max: 50 })) }).check(
    z.refine(({ icon, emoji }) => icon === undefined || emoji === undefined, {
      message: 'must have an icon or an emoji, not both',
      params: { rule: 'conflict' },
    }),
  );

/** How a site looks and what it offers. */
export const Customization = lazy(() =>
  z.object({
    title: z.optional(text({ min: 2, max: 128 }, 'Title shown to readers (default: the title of the site).')),
    styling: Styling(),
    internationalization: z.object({ locale: z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br']) }),
    favicon: Favicon(),
    header: Header(),
    footer: z.object({
      logo: z.optional(pictures()),
      groups: list(z.object({ title: z.string(), links: list(link()) })),
      copyright: z.optional(text({ max: 300 })),
    }),
    announcement: z.optional(
      z.object({
        enabled: z.boolean(),
        message: text({ min: 2, max: 128 }),
        link: z.optional(link()),
        style: z.enum(['info', 'warning', 'danger', 'success']),
      }),
    ),
    themes: z.object({ default: z.enum(['light', 'dark']), toggeable: z.boolean() }),
    pdf: enabled(),
    feedback: enabled(),
    ai: z.object({ mode: z.enum(['none', 'search', 'assistant']) }),
    advancedCustomization: enabled(),
    git: z.object({ showEditLink: z.boolean() }),
    pageActions: z.object({ externalAI: z.boolean(), markdown: z.boolean() }),
    externalLinks: z.object({ target: z.enum(['self', 'blank']) }),
    pagination: enabled(),
    trademark: enabled(),
    privacyPolicy: z.object({ url: z.optional(address()) }),
    socialPreview: z.object({ url: z.optional(address()) }),
    insights: z.object({ trackingCookie: z._default(z.boolean(), true) }),
  }),
);

export const siteCustomization = endpoints('siteCustomization', {
  view: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/customization',
    summary: 'Show the customization of a site.',
    access: 'member',
    response: Customization,
  },
  set: {
    route: 'PUT /v1/orgs/{orgId}/sites/{siteId}/customization',
    summary: 'Replace the customization of a site.',
    access: 'organization.createContent',
    repeatable: true,
    body: Customization,
    response: Customization,
  },
});

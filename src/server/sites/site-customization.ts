import type { AnswerOf } from '../../contract/endpoint.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import { changeSite, type SiteRow } from '../../store/sites.ts';
import { implement } from '../engine/implement.ts';
import { type Reference, assertVisibleReferences } from '../content/links/visible-references.ts';

export type Customization = AnswerOf<typeof siteCustomization.view>;

const pair = (light: string, dark: string) => ({ light, dark });

/** The settings of a new site. */
export const defaultCustomization: Customization = {
  styling: {
    theme: 'clean',
    primaryColor: pair('#346DDB', '#7BA3F0'),
    infoColor: pair('#2F6FEB', '#6EA0FF'),
    successColor: pair('#1F883D', '#4AC26B'),
    warningColor: pair('#B26A00', '#E3A33B'),
    dangerColor: pair('#CF222E', '#FF7B72'),
    corners: 'rounded',
    links: 'default',
    font: 'Inter',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: { emoji: '📘' },
  header: { links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: true },
};

/** The settings with a title: the site's where they have none. */
export const presentCustomization = (site: Pick<SiteRow, 'title' | 'customization'>): Customization => ({
  title: site.title,
  ...parseJson(site.customization),
});

/** Every link of the settings, with its place in them. */
function linksOf({ header, footer, announcement }: Customization) {
  const linksAt = (path: string, links: { to: Reference | null }[]) =>
    links.map(({ to }, index) => ({ path: `${path}/${index}/to`, to }));
  return [
    ...linksAt('/header/links', header.links),
    ...header.links.flatMap(({ links }, index) => linksAt(`/header/links/${index}/links`, links)),
    ...footer.groups.flatMap(({ links }, index) => linksAt(`/footer/groups/${index}/links`, links)),
    ...(announcement?.link ? [{ path: '/announcement/link/to', to: announcement.link.to }] : []),
  ];
}

export const handlers = implement(siteCustomization, {
  view: async ({ objects: { site } }) => presentCustomization(site),

  async set(context) {
    const { db, objects, body } = context;
    await assertVisibleReferences(context, linksOf(body));
    return presentCustomization(await changeSite(db, objects.site.id, { customization: jsonText(body) }));
  },
});

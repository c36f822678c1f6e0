import { siteCustomization } from '../../contract/site-customization.ts';
import { standardLook } from '../../site/look.ts';
import type { Customization } from '../../site/model.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import { changeSite, type SiteRow } from '../../store/sites.ts';
import { implement } from '../engine/implement.ts';
import { type Reference, assertVisibleReferences } from '../content/links/visible-references.ts';

/** The settings of a new site. */
export const defaultCustomization: Customization = {
  styling: standardLook,
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

/** The settings. Their title is by default that of the site. */
export const presentCustomization = (site: Pick<SiteRow, 'title' | 'customization'>): Customization => ({
  title: site.title,
  ...parseJson(site.customization),
});

/** Every link in the settings, with its path. */
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

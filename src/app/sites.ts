import { content } from '../contract/content.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import type { Page } from '../contract/pages.ts';
import type { sectionGroups } from '../contract/section-groups.ts';
import type { siteSections } from '../contract/site-sections.ts';
import type { siteSpaces } from '../contract/site-spaces.ts';
import { sites } from '../contract/sites.ts';
import { html, type Html } from '../site/html.ts';
import { command, draw, linkTo } from './frame.ts';
import { pager, readPage } from './lists.ts';
import { organizationFrame } from './organization-frame.ts';
import type { AppResponse } from './port.ts';
import { hrefOf, type Visit } from './visit.ts';

type Site = ItemOf<typeof sites.list>;
type SiteSpace = ItemOf<typeof siteSpaces.list>;
type Section = ItemOf<typeof siteSections.list>;
type Group = ItemOf<typeof sectionGroups.list>;

/** Whether a site is published, and for whom. */
export const siteState = ({ published, visibility }: Pick<Site, 'published' | 'visibility'>): Html =>
  published
    ? html`<span class="app-state app-good">published, ${visibilityTexts[visibility]}</span>`
    : html`<span class="app-state">not published</span>`;

const visibilityTexts: Record<Site['visibility'], string> = {
  public: 'for everybody',
  unlisted: 'for everybody, not in search engines',
  'share-link': 'with a share link',
  'visitor-auth': 'for visitors who sign in',
};

export async function siteList(visit: Visit, orgId: string): Promise<AppResponse> {
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'sites' });
  const list = await readPage(visit.client, sites.list, { params: { orgId: org.id } }, visit.query.get('page'));
  const rows = list.items.map(
    (site) => html`<li><a href="${hrefOf(visit, org.id, 'sites', site.id)}">${site.title}</a> ${siteState(site)}</li>`,
  );
  return draw(frame, {
    title: 'Sites',
    html: html`${
      rows.length === 0
        ? html`<p>There are no sites.</p>`
        : html`<ul class="app-rows">
            ${rows}
          </ul>`
    }${pager(visit, list)}`,
  });
}

/** A site: what it contains, where it is published, and what is hidden. */
export async function sitePage(visit: Visit, orgId: string, siteId: string): Promise<AppResponse> {
  const { client } = visit;
  const params = { orgId, siteId };
  const site = await client.call(sites.view, { params, query: {} });
  const { frame } = await organizationFrame(visit, orgId, { tab: 'sites' });
  const { structure } = await client.call(sites.structure, { params, query: {} });
  const entries: (SiteSpace | Section | Group)[] = structure;
  return draw(frame, {
    title: site.title,
    breadcrumbs: [{ title: 'Sites', href: hrefOf(visit, orgId, 'sites') }],
    html: html`<p>${siteState(site)}</p>
      ${site.urls.published !== undefined && html`<p>Published at <a href="${site.urls.published}">${site.urls.published}</a></p>`}
      <h2>Structure</h2>
      ${
        entries.length === 0
          ? html`<p>The site has no spaces.</p>`
          : html`<ul class="app-tree">
              ${entries.map((entry) => entryRow(visit, entry))}
            </ul>`
      }
      <h2>Hidden, and why</h2>
      ${await hiddenIn(visit, site, entries)}
      <h2>On the command line</h2>
      ${site.published ? command('sites', 'unpublish', site.id) : command('sites', 'publish', site.id)}
      ${command('preview', site.id)}`,
  });
}

function entryRow(visit: Visit, entry: SiteSpace | Section | Group): Html {
  if (entry.object === 'site-space') {
    const { space, title, path, default: isDefault } = entry;
    const href = space.permissions.view ? hrefOf(visit, space.organization, 's', space.id) : undefined;
    return html`<li>
      ${linkTo({ title, href })} <span class="app-facts">${isDefault ? 'first space' : `/${path}`}</span>
    </li>`;
  }
  const inside = entry.object === 'site-section' ? entry.siteSpaces : entry.sections;
  const path = entry.object === 'site-section' ? (entry.default ? 'first section' : `/${entry.path}`) : 'menu';
  return html`<li>
    <strong>${entry.title}</strong> <span class="app-facts">${path}</span>
    <ul class="app-tree">
      ${inside.map((each) => entryRow(visit, each))}
    </ul>
  </li>`;
}

const maxSpaces = 10;
const maxHidden = 50;

async function hiddenIn(visit: Visit, site: Site, entries: readonly (SiteSpace | Section | Group)[]): Promise<Html> {
  const reasons = [
    ...(site.published ? [] : [html`<li>The whole site: it is not published.</li>`]),
    ...(site.visibility === 'public' ? [] : [html`<li>The site is only ${visibilityTexts[site.visibility]}.</li>`]),
    ...entries.flatMap(conditionsIn),
  ];
  const all = entries.flatMap(spacesIn);
  for (const siteSpace of all.slice(0, maxSpaces)) reasons.push(...(await hiddenPages(visit, siteSpace)));
  if (all.length > maxSpaces)
    reasons.push(html`<li>The pages of ${all.length - maxSpaces} more spaces were not checked.</li>`);
  return reasons.length === 0
    ? html`<p>Nothing is hidden.</p>`
    : html`<ul class="app-rows app-tight">
        ${reasons}
      </ul>`;
}

const spacesIn = (entry: SiteSpace | Section | Group): SiteSpace[] => {
  if (entry.object === 'site-space') return [entry];
  return entry.object === 'site-section' ? entry.siteSpaces : entry.sections.flatMap(spacesIn);
};

/** Sections and spaces that only some visitors see. */
function conditionsIn(entry: SiteSpace | Section | Group): Html[] {
  const own =
    'condition' in entry && entry.condition !== undefined
      ? [html`<li>${entry.title}: only for visitors who meet <code>${entry.condition}</code></li>`]
      : [];
  if (entry.object === 'site-space') return own;
  const inside = entry.object === 'site-section' ? entry.siteSpaces : entry.sections;
  return [...own, ...inside.flatMap(conditionsIn)];
}

/** The pages of a space that readers do not see, or a note that the user cannot see the space. */
async function hiddenPages({ client }: Visit, { space, title }: SiteSpace): Promise<Html[]> {
  if (!space.permissions.view)
    return [html`<li>${title}: you cannot see this space, but readers of the site can.</li>`];
  const { pages } = await client.call(content.pages, { params: { spaceId: space.id }, query: { metadata: false } });
  const found: { page: Page; reason: string }[] = [];
  const visit = (siblings: readonly Page[], above: string | undefined): void => {
    for (const page of siblings) {
      const isHidden = 'hidden' in page && page.hidden === true;
      const reason = isHidden ? 'the page is hidden' : above;
      if (reason !== undefined) found.push({ page, reason });
      else if ('noRobotsIndex' in page && page.noRobotsIndex) found.push({ page, reason: 'not in search engines' });
      if ('pages' in page) visit(page.pages, isHidden ? `below the hidden page ${page.title}` : above);
    }
  };
  visit(pages, undefined);
  const rows = found.slice(0, maxHidden).map(({ page, reason }) => html`<li>${title}, ${page.title}: ${reason}</li>`);
  const more = found.length - maxHidden;
  return more > 0 ? [...rows, html`<li>${title}: ${more} more pages</li>`] : rows;
}

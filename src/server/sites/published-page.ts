import { escapeHtml } from '../../content/markdown/render-html.ts';
import type { PageRow } from '../../store/content.ts';
import { parseJson } from '../../store/json.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Outline } from '../content/pages/outline.ts';
import { webPage } from '../http/web-page.ts';
import { presentCustomization } from './site-customization.ts';
import { type SiteParts, sectionPath, sectionsIn } from './site-parts.ts';

/** The HTML of published pages around the text of a page. */

interface PublishedPage {
  site: SiteRow;
  base: string;
  root: string;
  nav: string;
  page: PageRow | undefined;
  /** HTML. */
  text: string | undefined;
}

export function publishedPage({ site, base, root, nav, page, text = noPages }: PublishedPage) {
  const settings = presentCustomization(site);
  return webPage({
    title: page ? `${page.title} – ${site.title}` : site.title,
    language: settings.internationalization.locale,
    colors: settings.styling.primaryColor,
    unlisted: site.visibility !== 'public' || page?.no_robots_index === 1,
    images: new URL(base).origin,
    body: `<nav><p><a href="${escapeHtml(root)}">${escapeHtml(site.title)}</a></p>${nav}</nav>
<main>${page ? heading(page) : `<h1>${escapeHtml(site.title)}</h1>`}${text}${footer(settings.footer.copyright)}</main>`,
  });
}

const noPages = '<p>There are no pages here yet.</p>';

export const emptySitePage = ({ title }: SiteRow) =>
  webPage({ title, body: `<main><h1>${escapeHtml(title)}</h1><p>There is nothing here yet.</p></main>` });

/** Links to the sections of a site, in their groups. */
export function sectionList(parts: SiteParts, root: string, current: SectionRow | undefined): string {
  const { groups, sections } = parts;
  const sectionLink = (row: SectionRow) => link(root + sectionPath(parts, row.id), row.title, row.id === current?.id);
  const entries = [
    ...groups.map((row) => ({
      position: row.position,
      item: `${escapeHtml(row.title)}${list(sectionsIn(parts, row.id).map(sectionLink))}`,
    })),
    ...sections
      .filter((row) => row.section_group === null)
      .map((row) => ({ position: row.position, item: sectionLink(row) })),
  ];
  return list(entries.toSorted((a, b) => a.position - b.position).map(({ item }) => item));
}

export const variantList = (variants: { address: string; title: string; isCurrent: boolean }[]) =>
  list(variants.map(({ address, title, isCurrent }) => link(address, title, isCurrent)));

/** Links to the pages that are not hidden. */
export function pageTree(outline: Outline, addressOf: (row: PageRow) => string, current?: PageRow): string {
  const entry = (row: PageRow) => {
    const below = entriesUnder(row.page);
    if (row.type === 'document') return link(addressOf(row), row.title, row.page === current?.page) + below;
    const href = row.type === 'link' && row.extra !== null ? parseJson(row.extra).href : undefined;
    return (href !== undefined && /^https?:/i.test(href) ? link(href, row.title) : escapeHtml(row.title)) + below;
  };
  const entriesUnder = (parent: string | null): string =>
    list(
      outline
        .children(parent)
        .filter((row) => row.hidden === 0 && row.type !== 'computed')
        .map(entry),
    );
  return entriesUnder(null);
}

const list = (items: string[]) =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const link = (to: string, text: string, current = false) =>
  `<a href="${escapeHtml(to)}"${current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;

function heading({ emoji, title, description }: PageRow): string {
  const lead = description === null || description === '' ? '' : `<p><em>${escapeHtml(description)}</em></p>`;
  return `<h1>${escapeHtml(emoji === null ? title : `${emoji} ${title}`)}</h1>${lead}`;
}

const footer = (copyright: string | undefined) =>
  copyright === undefined ? '' : `<hr><p><small>${escapeHtml(copyright)}</small></p>`;

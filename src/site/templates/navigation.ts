import { attribute, html, type Html } from '../html.ts';
import type { NavigationItem, PageHeading, SitePage } from '../model.ts';
import { type Drawing, link, sign, titleIcon } from './controls.ts';
import { headerLinks, variantPicker } from './header.ts';

/** With more entries, closed branches are omitted, and their own pages open them. */
const maxEntries = 300;

/** Pages of a space share branches. */
const counts = new WeakMap<NavigationItem[], number>();

function countEntries(items: NavigationItem[]): number {
  const known = counts.get(items);
  if (known !== undefined) return known;
  const count = items.reduce((sum, { children }) => sum + 1 + countEntries(children), 0);
  counts.set(items, count);
  return count;
}

/** The table of contents: at the side of wide screens, and behind a button in the header on small ones. */
export function contents(drawing: Drawing): Html {
  const { site, texts } = drawing;
  const hasAll = countEntries(site.navigation) <= maxEntries;
  return html`<div class="contents" id="contents" popover>
    <div class="contents-head">
      <button
        type="button"
        class="icon-button"
        popovertarget="contents"
        popovertargetaction="hide"
        aria-label="${texts.close}"
      >
        ${sign('close')}
      </button>
    </div>
    ${variantPicker(drawing)}
    <nav class="tree" aria-label="${texts.contents}">${entryList(drawing, site.navigation, hasAll)}</nav>
    ${headerLinks(drawing, 'contents-links')}
  </div>`;
}

function entryList(drawing: Drawing, items: NavigationItem[], hasAll: boolean, isShown = true): Html {
  if (items.length === 0) return html``;
  return html`<ul${attribute('hidden', !isShown)}>${items.map((item) => entry(drawing, item, hasAll))}</ul>`;
}

function entry(drawing: Drawing, item: NavigationItem, hasAll: boolean): Html {
  const { kind, title, children, isOpen, isCurrent, badge } = item;
  const method =
    badge === undefined ? undefined : html`<span class="method method-${badge.toLowerCase()}">${badge}</span>`;
  const content = html`${titleIcon(drawing, item)}<span class="entry-title">${title}</span
    >${method}${item.isExternal === true && sign('external')}`;
  if (kind === 'group')
    return html`<li class="entry-group">
      <p class="group-title">${content}</p>
      ${entryList(drawing, children, hasAll)}
    </li>`;
  const isShown = isOpen || isCurrent;
  const hasBranch = children.length > 0;
  const below = hasBranch && (isShown || hasAll) ? entryList(drawing, children, hasAll, isShown) : html``;
  const toggle =
    hasBranch && (isShown || hasAll)
      ? html`<button
          type="button"
          class="entry-toggle"
          aria-expanded="${String(isShown)}"
          aria-label="${drawing.texts.showPagesBelow.replace('{}', () => title)}"
        >
          ${sign('chevron')}
        </button>`
      : hasBranch && html`<span class="entry-toggle" aria-hidden="true">${sign('chevron')}</span>`;
  const row = link(drawing, item, { content, className: isOpen && !isCurrent ? 'entry open' : 'entry', isCurrent });
  return html`<li${hasBranch && html` class="has-branch"`}>${row}${toggle}${below}</li>`;
}

export function breadcrumbs(drawing: Drawing, { breadcrumbs: trail }: SitePage): Html {
  if (trail.length === 0) return html``;
  const items = trail.map((item) => html`<li>${link(drawing, item)}</li>`);
  return html`<nav class="breadcrumbs" aria-label="${drawing.texts.breadcrumbs}">
    <ol>
      ${items}
    </ol>
  </nav>`;
}

const outlineDepth = 3;

/** The headings of the outline. Smaller ones are listed only if the page has no others. */
function outlined(headings: PageHeading[]): PageHeading[] {
  const depth = Math.max(outlineDepth, Math.min(4, ...headings.map((heading) => heading.depth)));
  return headings.filter((heading) => heading.depth <= depth);
}

/** Whether a page has enough headings for an outline. */
export const hasOutline = ({ headings, layout, kind = 'page' }: SitePage): boolean =>
  kind === 'page' && layout?.outline !== false && outlined(headings).length > 1;

function outlineList(page: SitePage): Html {
  const headings = outlined(page.headings);
  const first = Math.min(...headings.map(({ depth }) => depth));
  const items = headings.map(
    ({ id, depth, text }) =>
      html`<li${depth > first && html` class="deeper"`}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
  );
  return html`<ul>
    ${items}
  </ul>`;
}

/** At the side of wide screens. */
export const outline = ({ texts }: Drawing, page: SitePage): Html =>
  html`<aside class="outline">
    <nav aria-labelledby="outline-title">
      <p class="outline-title" id="outline-title">${texts.onThisPage}</p>
      ${outlineList(page)}
    </nav>
  </aside>`;

/** Above the text, if there is no space next to it. */
export const inlineOutline = ({ texts }: Drawing, page: SitePage): Html =>
  html`<details class="inline-outline">
    <summary>${texts.onThisPage}${sign('chevron')}</summary>
    ${outlineList(page)}
  </details>`;

export function pagination({ site, texts }: Drawing, { previous, next, layout, kind = 'page' }: SitePage): Html {
  const isHidden = !site.hasPagination || layout?.pagination === false || kind !== 'page';
  if (isHidden || (!previous && !next)) return html``;
  const end = (item: SitePage['next'], className: string, label: string) =>
    item &&
    html`<a
      class="pagination-${className}"
      href="${item.href ?? ''}"
      rel="${className === 'previous' ? 'prev' : 'next'}"
      ><span class="pagination-label">${label}</span><span class="pagination-title">${item.title}</span></a
    >`;
  return html`<nav class="pagination" aria-label="${texts.pagination}">
    ${end(previous, 'previous', texts.previous)}${end(next, 'next', texts.next)}
  </nav>`;
}

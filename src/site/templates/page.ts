import { attribute, html, type Html, raw } from '../html.ts';
import type { PageLayout, SitePage } from '../model.ts';
import { type Drawing, menu, picture, sign, titleIcon } from './controls.ts';
import { breadcrumbs, hasOutline, inlineOutline, pagination } from './navigation.ts';

export const layoutOf = ({ layout }: SitePage): PageLayout => ({
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  ...layout,
});

export function pageArticle(drawing: Drawing, page: SitePage): Html {
  const { kind = 'page' } = page;
  return html`<article class="page page-${kind}">
    ${problemPanel(drawing, page)} ${page.banner !== undefined && raw(page.banner)} ${pageHeader(drawing, page)}
    ${hasOutline(page) && inlineOutline(drawing, page)}
    <div class="text">${raw(page.html)}</div>
    ${pageEnd(drawing, page)}
  </article>`;
}

function pageHeader(drawing: Drawing, page: SitePage): Html {
  const { title, description } = page;
  const layout = layoutOf(page);
  const icon = titleIcon(drawing, page);
  const head = html`<header class="page-header">
${breadcrumbs(drawing, page)}
<div class="page-title"><h1${!layout.title && html` class="visually-hidden"`}>${icon && html`<span class="page-icon">${icon}</span>`}${title}</h1>
${pageActions(drawing, page)}</div>
${layout.description && description !== undefined && description !== '' && html`<p class="lead">${description}</p>`}
</header>`;
  if (!layout.cover || layout.coverSize === 'full' || !page.cover) return head;
  return layout.coverSize === 'background'
    ? html`<div class="cover-band">${cover(page)} ${head}</div>`
    : html`${cover(page)} ${head}`;
}

/** `yPos` moves a cover up or down. The style sheet has eleven positions for it, because pages have no inline styles. */
export function cover({ cover: shown }: SitePage): Html {
  if (!shown) return html``;
  const place = Math.min(10, Math.max(0, Math.round(5 - (shown.yPos ?? 0) / 100)));
  const { height } = shown;
  const sized = height === undefined ? html`` : html`height="${Math.round(height)}"`;
  return html`<div class="cover cover-${place}${height === undefined ? '' : ' cover-sized'}">
    ${picture(shown.picture, '', sized)}
  </div>`;
}

function pageActions(drawing: Drawing, page: SitePage): Html {
  const { site, texts } = drawing;
  const { markdownHref, feedHref, kind = 'page' } = page;
  const hasMarkdown = site.hasMarkdownActions && markdownHref !== undefined && kind === 'page';
  const assistants = assistantLinks(drawing, page);
  if (!hasMarkdown && feedHref === undefined && assistants.length === 0) return html``;
  const copy =
    hasMarkdown &&
    html`<button type="button" class="copy-page" data-href="${markdownHref}" aria-label="${texts.copyPage}">
      ${sign('copy')}<span>${texts.copyPage}</span>
    </button>`;
  const items = [
    ...(hasMarkdown
      ? [html`<a href="${markdownHref}" type="text/markdown">${sign('markdown')}<span>${texts.viewMarkdown}</span></a>`]
      : []),
    ...assistants,
    ...(feedHref === undefined ? [] : [html`<a href="${feedHref}">${sign('feed')}<span>${texts.subscribe}</span></a>`]),
  ];
  return html`<div class="page-actions">${copy}${menu({ label: html``, items, name: texts.pageActions })}</div>`;
}

const assistants = [
  { name: 'ChatGPT', address: 'https://chatgpt.com/?hints=search&q=' },
  { name: 'Claude', address: 'https://claude.ai/new?q=' },
];

/** Assistants fetch the page, so it must have a public address. */
function assistantLinks({ site, texts }: Drawing, { canonical, kind = 'page' }: SitePage): Html[] {
  if (!site.hasAssistantLinks || canonical === undefined || kind !== 'page') return [];
  const question = encodeURIComponent(texts.askAbout.replace('{}', () => canonical));
  return assistants.map(
    ({ name, address }) =>
      html`<a href="${address + question}" target="_blank" rel="noopener noreferrer"
        >${sign('external')}<span>${texts.openIn.replace('{}', name)}</span
        ><span class="visually-hidden"> ${texts.opensInNewTab}</span></a
      >`,
  );
}

function pageEnd(drawing: Drawing, page: SitePage): Html {
  const { texts, site } = drawing;
  const { updatedAt, editHref, kind = 'page' } = page;
  if (kind !== 'page') return html``;
  const date = updatedAt !== undefined && layoutOf(page).metadata ? formatDate(updatedAt, site.locale) : undefined;
  const edit =
    site.hasEditLinks &&
    editHref !== undefined &&
    html`<a href="${editHref}" rel="noopener noreferrer">${sign('edit')}${texts.editPage}</a>`;
  const updated =
    date !== undefined && html`<p>${texts.lastUpdated} <time${attribute('datetime', updatedAt)}>${date}</time></p>`;
  return html`<footer class="page-end">
    ${(edit || updated) && html`<div class="page-meta">${updated}${edit}</div>`} ${pagination(drawing, page)}
  </footer>`;
}

const formatDate = (time: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

function problemPanel({ texts }: Drawing, { problems = [] }: SitePage): Html {
  if (problems.length === 0) return html``;
  const items = problems.map(
    ({ message, place, level }) =>
      html`<li class="problem problem-${level}">${message}${place !== undefined && html` <code>${place}</code>`}</li>`,
  );
  return html`<section class="problems" aria-label="${texts.problems}">
    <h2>${texts.problems}</h2>
    <ul>
      ${items}
    </ul>
  </section>`;
}

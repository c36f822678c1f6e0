import { html } from '../html.ts';
import type { SearchAnswer, Site, SitePage } from '../model.ts';
import { textsOf } from '../texts.ts';

const emptyPage = { headings: [], breadcrumbs: [], noIndex: true };

/** The page for addresses that do not exist. */
export function notFoundPage(site: Site): SitePage {
  const texts = textsOf(site.locale);
  const text = html`<p>${texts.notFoundText}</p>
    <p><a class="button button-primary" href="${site.home}">${texts.goHome}</a></p>`;
  return { ...emptyPage, kind: 'not-found', title: texts.notFoundTitle, html: text.text };
}

/** The page for readers who must sign in. It only shows the title of the site. */
export function gatePage(site: Site, gate: 'visitor-auth' | 'expired'): SitePage {
  const texts = textsOf(site.locale);
  const message = { 'visitor-auth': texts.gateSignIn, expired: texts.gateExpired }[gate];
  return { ...emptyPage, kind: 'gate', title: texts.gateTitle, html: html`<p>${message}</p>`.text };
}

/** A message instead of a page. */
export const messagePage = (title: string, message: string): SitePage => ({
  ...emptyPage,
  kind: 'message',
  title,
  html: html`<p>${message}</p>`.text,
});

/** The results of a search, for readers without JavaScript. */
export function searchPage(site: Site, query: string, { results, suggestion }: SearchAnswer): SitePage {
  const texts = textsOf(site.locale);
  const action = site.search?.action;
  const form =
    action !== undefined &&
    html`<form class="search-form" action="${action}" role="search">
      <input
        type="search"
        name="q"
        value="${query}"
        aria-label="${texts.search}"
        placeholder="${texts.searchPlaceholder}"
      /><button class="button button-primary">${texts.search}</button>
    </form>`;
  const items = results.map(
    ({ title, href, trail, description, sections }) =>
      html`<li class="result">
        ${trail.length > 0 && html`<p class="result-trail">${trail.join(' › ')}</p>`}
        <h2><a href="${href}">${title}</a></h2>
        ${description !== undefined && html`<p>${description}</p>`}
        ${
          sections.length > 0 &&
          html`<ul>
            ${sections.map((section) => html`<li><a href="${section.href}">${section.title}</a> ${section.text}</li>`)}
          </ul>`
        }
      </li>`,
  );
  const list =
    items.length > 0
      ? html`<ol class="results">
          ${items}
        </ol>`
      : query !== '' && html`<p>${texts.noResults.replace('{}', () => query)}</p>`;
  const note =
    suggestion !== undefined &&
    html`<p class="search-suggestion">
      ${texts.didYouMean}
      ${action === undefined ? suggestion : html`<a href="${`${action}?q=${encodeURIComponent(suggestion)}`}">${suggestion}</a>`}
    </p>`;
  return { ...emptyPage, kind: 'search', title: texts.search, html: html`${form}${note}${list}`.text };
}

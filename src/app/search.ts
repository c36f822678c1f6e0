import type { AnswerOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { search } from '../contract/search.ts';
import { sites } from '../contract/sites.ts';
import { html, type Html, raw } from '../site/html.ts';
import type { SearchAnswer } from '../site/model.ts';
import { searchPage as resultsPage } from '../site/templates/special-pages.ts';
import { draw, siteOf } from './frame.ts';
import { type Organization, organizationFrame } from './organization-frame.ts';
import { readPage } from './lists.ts';
import type { AppResponse } from './port.ts';
import { jsonResponse } from './responses.ts';
import { hrefOf, type Visit } from './visit.ts';

type Found = AnswerOf<typeof search.organization>;

const maxResults = 30;

/** Searches everything that the user can see. Scripts get JSON. */
export async function searchPage(visit: Visit, orgId: string): Promise<AppResponse> {
  const query = (visit.query.get('q') ?? '').trim().slice(0, 512);
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'spaces' });
  const found =
    query === ''
      ? undefined
      : await visit.client.call(search.organization, {
          params: { orgId: org.id },
          query: { query, limit: maxResults },
        });
  const answer = answerOf(visit, found);
  if (!visit.isForBrowser) return jsonResponse(answer);
  const { html: results, ...page } = resultsPage(siteOf(frame), query, answer);
  const others = query === '' ? html`` : await otherObjects(visit, org, query);
  return draw(frame, { ...page, html: html`${raw(results)}${others}` });
}

function answerOf(visit: Visit, found: Found | undefined): SearchAnswer {
  const here = (url: string) => visit.root + url.slice(url.indexOf('/o/'));
  const results = (found?.items ?? []).flatMap(({ title: space, pages }) =>
    pages.map(({ title, sections, urls }) => ({
      title,
      href: here(urls.app),
      trail: [space],
      sections: sections.map((section) => ({ title: section.title, href: here(section.urls.app), text: section.body })),
    })),
  );
  return { results: results.slice(0, maxResults), suggestion: found?.suggestion };
}

/** Sites and people with the words in their names. */
async function otherObjects(visit: Visit, { id, permissions }: Organization, query: string): Promise<Html> {
  const { client } = visit;
  const params = { orgId: id };
  const [siteList, people] = await Promise.all([
    readPage(client, sites.list, { params, query: { title: query } }),
    permissions.listMembers ? readPage(client, members.list, { params, query: { search: query } }) : undefined,
  ]);
  const list = (title: string, rows: Html[]) =>
    rows.length === 0
      ? html``
      : html`<h2>${title}</h2>
          <ul class="app-rows app-tight">
            ${rows.slice(0, maxOthers)}
          </ul>`;
  return html`${list(
    'Sites',
    siteList.items.map((site) => html`<li><a href="${hrefOf(visit, id, 'sites', site.id)}">${site.title}</a></li>`),
  )}${list(
    'People',
    (people?.items ?? []).map(
      ({ id: user, user: { displayName } }) =>
        html`<li><a href="${hrefOf(visit, id, 'people', user)}">${displayName}</a></li>`,
    ),
  )}`;
}

const maxOthers = 10;

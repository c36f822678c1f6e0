import { changeRequests } from '../contract/change-requests.ts';
import { collections } from '../contract/collections.ts';
import type { AnswerOf, ItemOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { openapi } from '../contract/openapi.ts';
import { search } from '../contract/search.ts';
import { sites } from '../contract/sites.ts';
import { spaces } from '../contract/spaces.ts';
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

/** The most objects of a kind. */
const maxOthers = 10;
/** The most objects of a kind that are looked at, as on the page of the organization. */
const maxRead = 500;
/** The most spaces whose change requests are looked at. */
const maxSpaces = 10;

/** Spaces, collections, change requests, sites, specifications and people with all these words in their names. */
async function otherObjects(visit: Visit, { id, permissions }: Organization, query: string): Promise<Html> {
  const { client } = visit;
  const params = { orgId: id };
  const words = query.toLowerCase().split(/\s+/);
  const isNamed = (...names: string[]) =>
    words.every((word) => names.some((name) => name.toLowerCase().includes(word)));
  const [all, folders, siteList, specs, people] = await Promise.all([
    Array.fromAsync(client.items(spaces.list, { params }, { limit: maxRead })),
    Array.fromAsync(client.items(collections.list, { params }, { limit: maxRead })),
    readPage(client, sites.list, { params, query: { title: query } }),
    permissions.listMembers ? Array.fromAsync(client.items(openapi.list, { params }, { limit: maxRead })) : [],
    permissions.listMembers ? readPage(client, members.list, { params, query: { search: query } }) : undefined,
  ]);
  const requests = await requestsIn(visit, all);
  const link = (title: string, ...parts: string[]) => html`<a href="${hrefOf(visit, id, ...parts)}">${title}</a>`;
  return html`${list(
    'Spaces',
    all.filter(({ title }) => isNamed(title)).map((space) => link(space.title, 's', space.id)),
  )}${list(
    'Collections',
    folders.filter(({ title }) => isNamed(title)).map((folder) => link(folder.title, 'c', folder.id)),
  )}${list(
    'Open change requests',
    requests
      .filter(({ request }) => isNamed(request.subject, `#${request.number}`))
      .map(({ space, request: { number, subject } }) => {
        const name = subject === '' ? `Change request #${number}` : subject;
        return html`${link(name, 's', space.id, 'cr', String(number))}
          <span class="app-facts">#${number} in ${space.title}</span>`;
      }),
  )}${list(
    'Sites',
    siteList.items.map((site) => link(site.title, 'sites', site.id)),
  )}${list(
    'Specifications',
    specs.filter(({ slug }) => isNamed(slug)).map(({ slug }) => link(slug, 'openapi', slug)),
  )}${list(
    'People',
    (people?.items ?? []).map(({ id: user, user: { displayName } }) => link(displayName, 'people', user)),
  )}`;
}

async function requestsIn({ client }: Visit, all: readonly ItemOf<typeof spaces.list>[]) {
  const busy = all.filter(({ changeRequestsOpen }) => changeRequestsOpen > 0).slice(0, maxSpaces);
  const pages = busy.map(async (space) => {
    const { items } = await readPage(client, changeRequests.list, { params: { spaceId: space.id } });
    return items.map((request) => ({ space, request }));
  });
  return (await Promise.all(pages)).flat();
}

const list = (title: string, rows: Html[]): Html =>
  rows.length === 0
    ? html``
    : html`<h2>${title}</h2>
        <ul class="app-rows app-tight">
          ${rows.slice(0, maxOthers).map((row) => html`<li>${row}</li>`)}
        </ul>`;

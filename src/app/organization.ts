import { changeRequests } from '../contract/change-requests.ts';
import { collections } from '../contract/collections.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { orgs } from '../contract/orgs.ts';
import { sites } from '../contract/sites.ts';
import { spaces } from '../contract/spaces.ts';
import { counted } from '../shared/counted.ts';
import { html, type Html } from '../site/html.ts';
import { command, draw } from './frame.ts';
import { countOf, readPage } from './lists.ts';
import { type Organization, organizationFrame } from './organization-frame.ts';
import type { AppResponse } from './port.ts';
import { redirect } from './responses.ts';
import { siteState } from './sites.ts';
import { date } from './times.ts';
import { hrefOf, NoPage, type Visit } from './visit.ts';

type Space = ItemOf<typeof spaces.list>;
type Collection = ItemOf<typeof collections.list>;

/** The organizations of the user. The only one is opened. */
export async function organizationsPage(visit: Visit): Promise<AppResponse> {
  const { client, root } = visit;
  const { items } = await readPage(client, orgs.list, {});
  const [first] = items;
  if (first && items.length === 1 && !visit.query.has('all')) return redirect(hrefOf(visit, first.id));
  return draw(
    { root, title: 'docsctl', home: `${root}/`, headerLinks: [{ title: 'Sign out', href: `${root}/sign-out` }] },
    {
      title: 'Your organizations',
      html:
        items.length === 0
          ? html`<p>You are not a member of an organization.</p>`
          : html`<ul class="app-rows">
              ${items.map(({ id, title }) => html`<li><a href="${hrefOf(visit, id)}">${title}</a></li>`)}
            </ul>`,
    },
  );
}

/** Change requests of so many spaces are listed. */
const maxSpaces = 12;
const maxTreeSpaces = 500;

/** Spaces as a tree, sites, open change requests, and people in numbers. */
export async function organizationPage(visit: Visit, orgId: string): Promise<AppResponse> {
  const { client } = visit;
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'spaces' });
  const params = { orgId: org.id };
  const [all, folders, siteList, people] = await Promise.all([
    Array.fromAsync(client.items(spaces.list, { params }, { limit: maxTreeSpaces })),
    Array.fromAsync(client.items(collections.list, { params })),
    readPage(client, sites.list, { params }),
    org.permissions.listMembers ? peopleInNumbers(visit, org) : undefined,
  ]);
  const isAll = all.length < maxTreeSpaces;
  return draw(frame, {
    title: org.title,
    layout: { title: true },
    html: html`<div class="app-columns">
      <section aria-labelledby="spaces">
        <h2 id="spaces">Spaces</h2>
        ${spaceTree(visit, all, folders)}
        ${!isAll && html`<p>Only the first ${maxTreeSpaces} spaces are listed. Use the search for others.</p>`}
      </section>
      <section aria-labelledby="requests">
        <h2 id="requests">Open change requests</h2>
        ${await openRequests(visit, all)}
        <h2 id="sites">Sites</h2>
        ${
          siteList.items.length === 0
            ? html`<p>There are no sites.</p>`
            : html`<ul class="app-rows">
                ${siteList.items.map((site) => html`<li><a href="${hrefOf(visit, org.id, 'sites', site.id)}">${site.title}</a> ${siteState(site)}</li>`)}
              </ul>`
        }
        ${siteList.next !== undefined && html`<p><a href="${hrefOf(visit, org.id, 'sites')}">All ${siteList.count} sites</a></p>`}
        ${people}
      </section>
    </div>`,
  });
}

/** A collection: what is in it. */
export async function collectionPage(visit: Visit, orgId: string, collectionId: string): Promise<AppResponse> {
  const { client } = visit;
  const collection = await client.call(collections.view, { params: { collectionId } });
  if (collection.organization !== orgId) throw new NoPage();
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'spaces' });
  const params = { orgId: org.id };
  const [all, folders] = await Promise.all([
    Array.fromAsync(client.items(spaces.list, { params }, { limit: maxTreeSpaces })),
    Array.fromAsync(client.items(collections.list, { params })),
  ]);
  const above = folders.find(({ id }) => id === collection.parent);
  return draw(frame, {
    title: collection.title,
    description: collection.description,
    breadcrumbs: [
      { title: 'Spaces', href: hrefOf(visit, org.id) },
      ...(above ? [{ title: above.title, href: hrefOf(visit, org.id, 'c', above.id) }] : []),
    ],
    html: html`${spaceTree(visit, all, folders, collection.id)}
      <h2>On the command line</h2>
      ${command('collections', 'view', collection.id)}`,
  });
}

/** @param parent the collection whose content is shown */
function spaceTree(visit: Visit, all: readonly Space[], folders: readonly Collection[], parent?: string): Html {
  const visible = new Set(folders.map(({ id }) => id));
  // What is in a collection that the user cannot see is shown at the top.
  const placeOf = (each: { parent?: string | undefined }) =>
    each.parent !== undefined && visible.has(each.parent) ? each.parent : undefined;
  const spacesIn = Map.groupBy(all, placeOf);
  const foldersIn = Map.groupBy(folders, placeOf);
  const level = (place: string | undefined, depth: number): Html => {
    const inside = (foldersIn.get(place) ?? []).map(
      ({ id, title, organization }) =>
        html`<li class="app-folder">
          <a href="${hrefOf(visit, organization, 'c', id)}">${title}</a> ${depth < 20 && level(id, depth + 1)}
        </li>`,
    );
    const own = (spacesIn.get(place) ?? []).map((space) => html`<li>${spaceRow(visit, space)}</li>`);
    return inside.length + own.length === 0
      ? html``
      : html`<ul class="app-tree">
          ${inside}${own}
        </ul>`;
  };
  const tree = level(parent, 0);
  return tree.text === '' ? html`<p>There are no spaces that you can see.</p>` : tree;
}

const spaceRow = (visit: Visit, { id, title, emoji, organization, changeRequestsOpen, comments }: Space): Html =>
  html`<a href="${hrefOf(visit, organization, 's', id)}">${emojiOf(emoji)}${title === '' ? 'Untitled' : title}</a>
    <span class="app-facts"
      >${[
        ...(changeRequestsOpen > 0 ? [counted(changeRequestsOpen, 'change request')] : []),
        ...(comments > 0 ? [counted(comments, 'comment')] : []),
      ].join(', ')}</span
    >`;

/** Spaces name an emoji by its code points. */
function emojiOf(emoji: string): Html | undefined {
  if (!/^[\da-f]{2,6}(?:-[\da-f]{2,6})*$/i.test(emoji)) return undefined;
  const points = emoji.split('-').map((code) => Number.parseInt(code, 16));
  if (points.some((point) => point > 0x10_ff_ff)) return undefined;
  return html`<span class="emoji" aria-hidden="true">${String.fromCodePoint(...points)}</span> `;
}

async function openRequests(visit: Visit, all: readonly Space[]): Promise<Html> {
  const busy = all.filter(({ changeRequestsOpen }) => changeRequestsOpen > 0);
  const rows: Html[] = [];
  for (const space of busy.slice(0, maxSpaces)) {
    const { items } = await readPage(visit.client, changeRequests.list, { params: { spaceId: space.id } });
    rows.push(
      ...items.map(
        ({ number, subject, createdBy, createdAt }) =>
          html`<li>
            <a href="${hrefOf(visit, space.organization, 's', space.id, 'cr', String(number))}"
              >${subject === '' ? `Change request #${number}` : subject}</a
            >
            <span class="app-facts">#${number} in ${space.title}, by ${createdBy.displayName}, ${date(createdAt)}</span>
          </li>`,
      ),
    );
  }
  if (rows.length === 0) return html`<p>There are no open change requests.</p>`;
  const more = busy.length - maxSpaces;
  return html`<ul class="app-rows">
      ${rows}
    </ul>
    ${more > 0 && html`<p>${counted(more, 'further space')} with open change requests: see the tree.</p>`}`;
}

const roleTitles = [
  ['admin', 'administrators'],
  ['create', 'creators'],
  ['review', 'reviewers'],
  ['edit', 'editors'],
  ['comment', 'commenters'],
  ['read', 'readers'],
  ['guest', 'guests'],
] as const;

async function peopleInNumbers({ client, root }: Visit, { id }: Organization): Promise<Html> {
  const rows = await Promise.all(
    roleTitles.map(async ([role, title]) => {
      const count = await countOf(client, members.list, { params: { orgId: id }, query: { role } });
      const href = `${hrefOf({ root }, id, 'people')}?role=${role}`;
      return count === 0
        ? html``
        : html`<li>
            <a href="${href}"><strong>${count}</strong> ${title}</a>
          </li>`;
    }),
  );
  return html`<h2 id="people">People</h2>
    <ul class="app-numbers">
      ${rows}
    </ul>`;
}

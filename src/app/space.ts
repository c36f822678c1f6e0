import { changeRequests, statuses } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { DocumentPage } from '../contract/pages.ts';
import { revisions } from '../contract/revisions.ts';
import { html, type Html, raw } from '../site/html.ts';
import { commentsOf, threads } from './comments.ts';
import { changedPages, pageChanges } from './compare.ts';
import type { Contents, Opened, Space } from './contents.ts';
import { type AppPage, command, draw } from './frame.ts';
import { pager, readPage } from './lists.ts';
import type { AppResponse } from './port.ts';
import { spaceBar, spaceFrame, spaceTrail, titleOf } from './space-frame.ts';
import { date } from './times.ts';
import { hrefOf, NoPage, type Visit } from './visit.ts';

/** A page of the main content, with its comments. */
export async function spacePage(visit: Visit, contents: Contents, space: Space, path: string): Promise<AppResponse> {
  const opened = await contents.main(visit, space);
  const { content } = opened;
  const page = content.pageAt(path);
  if (!page) {
    if (path !== '') throw new NoPage();
    return emptySpace(visit, space);
  }
  const rendered = await content.render(page);
  const place = { space, page, content };
  const open = await commentsOf(visit, place, { status: 'open' });
  return draw(await spaceFrame(visit, space, opened, page.id), {
    ...partsOf(visit, space, opened, page),
    html: html`${raw(rendered.html)}${await threads(visit, place, open)}`,
    headings: rendered.headings,
    hasMermaid: rendered.hasMermaid,
    updatedAt: page.updatedAt,
    layout: { ...page.layout, pagination: true, metadata: true, tableOfContents: true },
  });
}

/** Everything on a page except its text. */
export function partsOf(
  visit: Visit,
  space: Space,
  { content, changes }: Opened,
  page: DocumentPage,
): Omit<AppPage, 'html'> {
  const isDeleted = !content.placed.has(page.id);
  const contents = isDeleted ? changes?.deleted : (changes?.contents ?? content.contents);
  const entry = contents?.find(page.id);
  if (!contents || !entry) throw new NoPage();
  const around = contents.around(entry, content.hrefOfEntry);
  return {
    ...around,
    ...(isDeleted && { previous: undefined, next: undefined }),
    breadcrumbs: [...spaceTrail(visit, space), ...around.breadcrumbs],
    banner: spaceBar(visit, space).text,
  };
}

const emptySpace = async (visit: Visit, space: Space): Promise<AppResponse> =>
  draw(await spaceFrame(visit, space), {
    title: titleOf(space),
    breadcrumbs: spaceTrail(visit, space).slice(0, 1),
    banner: spaceBar(visit, space).text,
    html: html`<p>There are no pages yet. Push a folder of Markdown:</p>
      ${command('content', 'push', 'docs', '--space', space.id, '--new', 'First pages')}`,
  });

/** A page of a space that is not one of its pages. */
async function ownPage(visit: Visit, space: Space, page: AppPage): Promise<AppResponse> {
  return draw(await spaceFrame(visit, space), {
    breadcrumbs: spaceTrail(visit, space),
    banner: spaceBar(visit, space).text,
    ...page,
  });
}

type Status = (typeof statuses)[number];
const isStatus = (text: string | null): text is Status => statuses.some((status) => status === text);

export async function requestList(visit: Visit, space: Space): Promise<AppResponse> {
  const named = visit.query.get('status');
  const status = isStatus(named) ? named : 'open';
  const input = { params: { spaceId: space.id }, query: { status } };
  const list = await readPage(visit.client, changeRequests.list, input, visit.query.get('page'));
  const at = (...parts: string[]) => hrefOf(visit, space.organization, 's', space.id, ...parts);
  const filters = (['open', 'draft', 'merged', 'archived'] as const).map(
    (each) =>
      html`<a href="${`${at('~requests')}?status=${each}`}" ${each === status && html` aria-current="true"`}
        >${each}</a
      >`,
  );
  return ownPage(visit, space, {
    title: 'Change requests',
    html: html`<nav class="app-bar" aria-label="Status">${filters}</nav>
      ${
        list.items.length === 0
          ? html`<p>There are no change requests with this status.</p>`
          : html`<ul class="app-rows">
              ${list.items.map(
                ({ number, subject, createdBy, updatedAt, comments }) =>
                  html`<li>
                    <a href="${at('cr', String(number))}">${subject === '' ? `Change request #${number}` : subject}</a>
                    <span class="app-facts"
                      >#${number}, by ${createdBy.displayName},
                      ${date(updatedAt)}${comments > 0 && html`, open comments: ${comments}`}</span
                    >
                  </li>`,
              )}
            </ul>`
      }
      ${pager(visit, list)}
      ${
        space.permissions.edit &&
        html`<p>Start one on the command line:</p>
          ${command('content', 'push', 'docs', '--space', space.id, '--new', 'Subject')}`
      }`,
  });
}

/** All comments on the main content. */
export async function commentList(visit: Visit, space: Space): Promise<AppResponse> {
  const place = { space };
  const list = await commentsOf(visit, place, { page: visit.query.get('page') });
  return ownPage(visit, space, {
    title: 'Comments',
    html: html`${await threads(visit, place, list)}${pager(visit, list)}`,
  });
}

type Revision = AnswerOf<typeof revisions.view>;

/** So many revisions are listed: each one names the one before it, so they are read one after the other. */
const maxRevisions = 10;

const kinds: Record<Revision['type'], string> = {
  edits: 'Edit',
  merge: 'Merge',
  update: 'Update',
  rollback: 'Rollback',
  computed: 'Computed content',
};

/** What a revision is, in a few words. */
export const revisionTitle = ({ type, mergedFrom }: Revision): string =>
  mergedFrom ? `#${mergedFrom.number} ${mergedFrom.subject}` : kinds[type];

export async function revisionList(visit: Visit, space: Space): Promise<AppResponse> {
  const { client } = visit;
  const rows: Html[] = [];
  let id: string | undefined = visit.query.get('from') ?? space.revision;
  while (id !== undefined && rows.length < maxRevisions) {
    const params = { spaceId: space.id, revisionId: id };
    const revision: Revision = await client.call(revisions.view, { params, query: { metadata: false } });
    const href = hrefOf(visit, space.organization, 's', space.id, 'r', id);
    rows.push(
      html`<li>
        <a href="${href}">${revisionTitle(revision)}</a>
        <span class="app-facts">${date(revision.createdAt)}, revision ${id}</span>
      </li>`,
    );
    [id] = revision.parents;
  }
  return ownPage(visit, space, {
    title: 'Revisions',
    html: html`<ul class="app-rows">
        ${rows}
      </ul>
      ${id !== undefined && html`<p><a class="button button-secondary" href="?from=${id}">Earlier revisions</a></p>`}`,
  });
}

/** A revision with what changed in it, or one of its pages. */
export async function revisionPage(
  visit: Visit,
  contents: Contents,
  space: Space,
  [revisionId = '', ...path]: string[],
): Promise<AppResponse> {
  const opened = await contents.revision(visit, space, revisionId);
  const { content, changes } = opened;
  const { revision } = content.side;
  const at = (...parts: string[]) => hrefOf(visit, space.organization, 's', space.id, ...parts);
  const trail = [...spaceTrail(visit, space), { title: 'Revisions', href: at('~revisions') }];
  const title = revisionTitle(revision);
  if (path.length === 0) {
    const { pages, files } = await changedPages(opened);
    return draw(await spaceFrame(visit, space, opened), {
      title,
      breadcrumbs: trail,
      banner: spaceBar(visit, space).text,
      html: html`<p class="app-facts">${date(revision.createdAt)}, revision ${revision.id}</p>
        ${revision.mergedFrom && html`<p><a href="${at('cr', String(revision.mergedFrom.number))}">Change request #${revision.mergedFrom.number}</a></p>`}
        <h2>What changed</h2>
        ${changes ? html`${pages}${files}` : html`<p>This is the first revision.</p>`}`,
    });
  }
  const page = content.pageAt(path.join('/')) ?? deletedPage(opened, path.join('/'));
  if (!page) throw new NoPage();
  const isChanged = changes?.differenceOf(page.id) !== undefined;
  const rendered = isChanged ? await pageChanges(opened, page.id) : raw((await content.render(page)).html);
  return draw(await spaceFrame(visit, space, opened, page.id), {
    ...partsOf(visit, space, opened, page),
    breadcrumbs: [...trail, { title, href: at('r', revision.id) }],
    html: rendered,
  });
}

/** A page that is not in the content any more. */
export const deletedPage = ({ changes }: Opened, path: string): DocumentPage | undefined =>
  changes?.deleted.pages.map(({ page }) => page).find((page) => page.type === 'document' && page.path === path) as
    | DocumentPage
    | undefined;

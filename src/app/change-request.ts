import type { Condition } from '../change-requests/condition-names.ts';
import { conditionStates, type Unmet } from '../change-requests/conditions.ts';
import type { Conflict } from '../change-requests/conflicts.ts';
import type { ChangeRequest } from '../change-requests/read-sides.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { html, type Html, raw } from '../site/html.ts';
import { backField, commentForm, commentsOf, placePath, thread, threads } from './comments.ts';
import { changedPages, pageChanges } from './compare.ts';
import type { Contents, Space } from './contents.ts';
import { buttonForm, form } from './forms.ts';
import { command, draw } from './frame.ts';
import { pager } from './lists.ts';
import type { AppResponse } from './port.ts';
import { deletedPage, partsOf } from './space.ts';
import { spaceBar, spaceFrame, spaceTrail } from './space-frame.ts';
import { date } from './times.ts';
import { hrefOf, NoPage, type Visit } from './visit.ts';

/** The conditions of a merge whose state is shown. */
const shownConditions: readonly Condition[] = [
  'no-conflicts',
  'up-to-date',
  'no-open-comments',
  'no-new-broken-links',
  'no-broken-links',
  'approved-by:1',
];

const conditionTitles: Partial<Record<Condition, string>> = {
  'no-conflicts': 'No conflicts with the main content',
  'up-to-date': 'Up to date with the main content',
  'no-open-comments': 'No open comments',
  'no-new-broken-links': 'Breaks no links',
  'no-broken-links': 'No broken links at all',
  'approved-by:1': 'Approved by somebody else',
};

export const requestTitle = ({ subject, number }: Pick<ChangeRequest, 'subject' | 'number'>): string =>
  subject === '' ? `Change request #${number}` : subject;

export async function requestOf({ client }: Visit, space: Space, number: string): Promise<ChangeRequest> {
  return client.call(changeRequests.view, { params: { spaceId: space.id, changeRequestId: number } });
}

/** A change request: what it changes, its comments, and what a merge needs. */
export async function requestPage(
  visit: Visit,
  contents: Contents,
  space: Space,
  number: string,
): Promise<AppResponse> {
  const request = await requestOf(visit, space, number);
  const opened = await contents.request(visit, space, request);
  const place = { space, request, content: opened.content };
  const list = await commentsOf(visit, place, { page: visit.query.get('page') });
  const byPage = Map.groupBy(list.items, ({ target }) => target.page?.id);
  const drawn = new Map<string | undefined, Html>();
  for (const [page, items] of byPage) {
    const all: Html[] = [];
    const commented = page === undefined ? undefined : opened.content.placed.get(page)?.page;
    const own = commented?.type === 'document' ? { ...place, page: commented } : place;
    for (const comment of items) all.push(await thread(visit, own, comment));
    drawn.set(page, html`${all}`);
  }
  const { pages, files } = await changedPages(opened, (page) => {
    const own = drawn.get(page);
    drawn.delete(page);
    return own && html`<div class="app-threads">${own}</div>`;
  });
  return draw(await spaceFrame(visit, space, opened), {
    title: requestTitle(request),
    breadcrumbs: trailOf(visit, space),
    banner: spaceBar(visit, space).text,
    html: html`${facts(request)} ${doneNote(visit)}
      <div class="app-columns app-review">
        <div>
          <h2 id="app-changes">Changes</h2>
          ${pages} ${files}
          <section class="app-threads" aria-labelledby="app-comments">
            <h2 id="app-comments">Discussion</h2>
            ${[...drawn.values()]} ${pager(visit, list)}
            ${space.permissions.comment && (await commentForm(visit, { space, request }))}
          </section>
        </div>
        <aside aria-label="Merge">${await mergePanel(visit, space, request)}</aside>
      </div>`,
  });
}

const trailOf = (visit: Visit, space: Space) => [
  ...spaceTrail(visit, space),
  { title: 'Change requests', href: hrefOf(visit, space.organization, 's', space.id, '~requests') },
];

const statusClasses = { open: 'app-good', draft: '', merged: 'app-merged', archived: '' } as const;

const facts = ({ number, status, createdBy, createdAt, updatedAt }: ChangeRequest): Html =>
  html`<p class="app-facts app-line">
    <span class="app-state ${statusClasses[status]}">${status}</span> #${number} by ${createdBy.displayName}, created
    ${date(createdAt)}, updated ${date(updatedAt)}
  </p>`;

const doneTexts: Record<string, string> = {
  comment: 'Your comment was posted.',
  reply: 'Your reply was posted.',
  resolve: 'The comment was changed.',
  react: 'Your reaction was changed.',
  approve: 'You approved the change request.',
  merge: 'The change request was merged.',
};

/** What the form before this page did. */
export function doneNote({ query }: Visit): Html {
  const text = doneTexts[query.get('done') ?? ''];
  return text === undefined ? html`` : html`<div class="app-note" role="status"><p>${text}</p></div>`;
}

async function mergePanel(visit: Visit, space: Space, request: ChangeRequest): Promise<Html> {
  const { number, status } = request;
  const params = { spaceId: space.id, changeRequestId: request.id };
  if (status !== 'open' && status !== 'draft')
    return html`<h2>Status</h2>
      <p>This change request is ${status}.</p>
      ${request.revisionMerged !== undefined && html`<p><a href="${hrefOf(visit, space.organization, 's', space.id, 'r', request.revisionMerged)}">The merged revision</a></p>`}`;
  const states = await conditionStates(visit.client, params, request, shownConditions);
  const conflicts = states.flatMap(({ unmet }) => unmet?.conflicts ?? []);
  return html`<h2>Conditions</h2>
    <ul class="app-conditions">
      ${states.map(conditionRow)}
    </ul>
    ${
      conflicts.length > 0 &&
      html`<h2>Conflicts</h2>
        ${conflicts.map(conflictOf)}`
    }
    ${approveForm(visit, space, request)} ${mergeForm(visit, space, request, states)}
    <h2>On the command line</h2>
    ${request.outdated && space.permissions.edit && command('cr', 'update', String(number), '--space', space.id)}
    ${command('cr', 'diff', String(number), '--space', space.id)}
    ${command('cr', 'merge', String(number), '--space', space.id, '--require', 'no-conflicts')}`;
}

const conditionRow = ({ condition, unmet }: { condition: Condition; unmet: Unmet | undefined }): Html =>
  html`<li class="${unmet ? 'app-unmet' : 'app-met'}">
    <strong>${conditionTitles[condition] ?? condition}</strong>
    <span class="visually-hidden">${unmet ? 'not met' : 'met'}</span> <code>${condition}</code>
    ${unmet && html`<p>${unmet.message}</p>`}
    ${
      unmet?.lines &&
      unmet.lines.length > 0 &&
      html`<ul>
        ${unmet.lines.map((line) => html`<li>${line}</li>`)}
      </ul>`
    }
  </li>`;

const maxHunk = 2_000;
const side = (title: string, text: string): Html =>
  html`<p class="app-facts">${title}</p>
    <pre class="app-side"><code>${text.length > maxHunk ? `${text.slice(0, maxHunk)}…` : text}</code></pre>`;

const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'));

function conflictOf({ title, kind, hunks = [], members = [], deletedIn }: Conflict): Html {
  return html`<section class="app-conflict">
    <h3>${title}</h3>
    ${kind === 'deleted' && html`<p>It was deleted in ${deletedIn === 'main' ? 'the main content' : 'the change request'}, and changed in the other.</p>`}
    ${hunks.map(
      ({ line, base, main, changeRequest }) =>
        html`<p class="app-facts">Line ${line}</p>
          ${side('Before', base)} ${side('Main content', main)} ${side('Change request', changeRequest)}`,
    )}
    ${members.map(
      ({ member, main, changeRequest }) =>
        html`<p><code>${member}</code></p>
          ${side('Main content', valueText(main))} ${side('Change request', valueText(changeRequest))}`,
    )}
  </section>`;
}

/** An approval is a comment, which `cr merge --require approved-by` counts. */
function approveForm(visit: Visit, space: Space, request: ChangeRequest): Html {
  if (!space.permissions.comment || request.createdBy.id === visit.user || request.status !== 'open') return html``;
  return buttonForm(visit, `${placePath({ space, request })}/~approve`, 'Approve', seenFields(visit, request));
}

/** What the reviewer has seen: a change that came later is neither approved nor merged. */
const seenFields = (visit: Visit, { revision }: ChangeRequest): Html =>
  html`${backField(visit)}<input type="hidden" name="revision" value="${revision}" />`;

function mergeForm(
  visit: Visit,
  space: Space,
  request: ChangeRequest,
  states: readonly { condition: Condition; unmet: Unmet | undefined }[],
): Html {
  if (!space.permissions.merge) return html`<p class="app-facts">You do not have the permission to merge here.</p>`;
  if (request.status !== 'open')
    return html`<p class="app-facts">Drafts are opened before they are merged:</p>
      ${command('cr', 'open', String(request.number), '--space', space.id)}`;
  const isBlocked = states.some(({ condition, unmet }) => condition === 'no-conflicts' && unmet);
  if (isBlocked) return html`<p class="app-facts">It can be merged when the conflicts are resolved.</p>`;
  const unmet = states.filter((state) => state.unmet).length;
  return form(
    visit,
    `${placePath({ space, request })}/~merge`,
    html`${seenFields(visit, request)}
      ${states.flatMap((state) => (state.unmet ? [] : [html`<input type="hidden" name="require" value="${state.condition}" />`]))}
      ${unmet > 0 && html`<label class="app-check"><input type="checkbox" name="anyway" value="yes" required /> Merge although ${unmet === 1 ? '1 condition is' : `${unmet} conditions are`} not met</label>`}
      <button class="button button-primary">Merge</button>`,
    'app-merge',
  );
}

/** One page of a change request: what changed, and its comments. */
export async function requestedPage(
  visit: Visit,
  contents: Contents,
  space: Space,
  [number = '', ...path]: string[],
): Promise<AppResponse> {
  const request = await requestOf(visit, space, number);
  const opened = await contents.request(visit, space, request);
  const { content, changes } = opened;
  const page = content.pageAt(path.join('/')) ?? deletedPage(opened, path.join('/'));
  if (!page) throw new NoPage();
  const isChanged = changes?.differenceOf(page.id) !== undefined;
  const isDeleted = !content.placed.has(page.id);
  const rendered = isChanged ? await pageChanges(opened, page.id) : raw((await content.render(page)).html);
  const place = { space, request, content, page };
  const list = await commentsOf(visit, place, {});
  return draw(await spaceFrame(visit, space, opened, page.id), {
    ...partsOf(visit, space, opened, page),
    breadcrumbs: [
      ...trailOf(visit, space),
      {
        title: requestTitle(request),
        href: hrefOf(visit, space.organization, 's', space.id, 'cr', String(request.number)),
      },
    ],
    html: html`${doneNote(visit)}${rendered}${!isDeleted && (await threads(visit, place, list))}`,
  });
}

/** All comments of a change request. */
export async function requestComments(visit: Visit, space: Space, number: string): Promise<AppResponse> {
  const request = await requestOf(visit, space, number);
  const place = { space, request };
  const list = await commentsOf(visit, place, { page: visit.query.get('page') });
  return draw(await spaceFrame(visit, space), {
    title: `Comments on ${requestTitle(request)}`,
    breadcrumbs: trailOf(visit, space),
    html: html`${await threads(visit, place, list)}${pager(visit, list)}`,
  });
}

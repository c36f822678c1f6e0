import type { ChangeRequest } from '../change-requests/read-sides.ts';
import { changeRequestComments, comments, maxBodyLength } from '../contract/comments.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import type { DocumentPage } from '../contract/pages.ts';
import { html, type Html, raw } from '../site/html.ts';
import type { RemoteSpace } from '../site/service/remote-space.ts';
import type { Space } from './contents.ts';
import { buttonForm, form } from './forms.ts';
import { type ListPage, readPage } from './lists.ts';
import { date } from './times.ts';
import { hrefOf, pathOf, type Visit } from './visit.ts';

/** Where comments are: on the main content or on a change request, and maybe on one page of it. */
export interface CommentPlace {
  space: Space;
  request?: ChangeRequest | undefined;
  page?: DocumentPage | undefined;
  content?: RemoteSpace | undefined;
}

export type Comment = ItemOf<typeof comments.list>;
type Reply = ItemOf<typeof comments.listReplies>;

/** The change request's endpoints have the same inputs, and one parameter more. */
export const familyOf = ({ request }: Pick<CommentPlace, 'request'>): typeof comments =>
  request ? (changeRequestComments as unknown as typeof comments) : comments;

export const paramsOf = ({ space, request }: CommentPlace): { spaceId: string } => ({
  spaceId: space.id,
  ...(request && { changeRequestId: request.id }),
});

/** The path of a change request or space, below the root. */
export const placePath = ({ space, request }: CommentPlace): string =>
  pathOf(space.organization, 's', space.id, ...(request ? ['cr', String(request.number)] : []));

interface Selection {
  status?: 'open';
  /** A page of the list. */
  page?: string | null;
}

export const commentsOf = (
  { client }: Visit,
  place: CommentPlace,
  { status, page = null }: Selection,
): Promise<ListPage<Comment>> =>
  readPage(
    client,
    familyOf(place).list,
    {
      params: paramsOf(place),
      query: {
        format: 'markdown',
        order: 'asc',
        ...(status && { status }),
        ...(place.page && { targetPage: place.page.id }),
      },
    },
    page,
  );

/** Comments as threads, and a form for a new one. */
export async function threads(visit: Visit, place: CommentPlace, { items, count }: ListPage<Comment>): Promise<Html> {
  const drawn: Html[] = [];
  for (const comment of items) drawn.push(await thread(visit, place, comment));
  const more = count - items.length;
  const canComment = place.space.permissions.comment;
  if (drawn.length === 0 && !canComment) return html``;
  return html`<section class="app-threads" aria-labelledby="app-comments">
    <h2 id="app-comments">Comments</h2>
    ${drawn}
    ${more > 0 && html`<p>There are ${more} more: <a href="${`${visit.root}${placePath(place)}/~comments`}">all comments</a>.</p>`}
    ${canComment && (await commentForm(visit, place))}
  </section>`;
}

export async function thread(visit: Visit, place: CommentPlace, comment: Comment): Promise<Html> {
  const { id, replies, status, permissions, resolvedBy } = comment;
  const { items } =
    replies === 0
      ? { items: [] }
      : await readPage(visit.client, familyOf(place).listReplies, {
          params: { ...paramsOf(place), commentId: id },
          query: { format: 'markdown' },
        });
  const drawn: Html[] = [];
  for (const reply of items) {
    drawn.push(html`<div class="app-reply" id="reply-${reply.id}">${await messageOf(place, reply)}</div>`);
  }
  const field = html`<input type="hidden" name="comment" value="${id}" />${backField(visit)}`;
  const path = placePath(place);
  const resolved = status === 'resolved';
  return html`<article class="app-comment${resolved ? ' app-resolved' : ''}" id="comment-${id}">
    ${target(visit, place, comment)} ${await messageOf(place, comment)}
    ${resolved && html`<p class="app-facts">Resolved${resolvedBy && html` by ${resolvedBy.displayName}`}</p>`} ${drawn}
    ${replies > items.length && html`<p class="app-facts">${replies - items.length} more replies: docsctl comments replies list ${id}</p>`}
    <div class="app-actions">
      ${reactions(visit, place, comment, field)}
      ${place.space.permissions.comment && buttonForm(visit, `${path}/~resolve`, resolved ? 'Reopen' : 'Resolve', html`${field}<input type="hidden" name="resolved" value="${String(!resolved)}" />`)}
    </div>
    ${permissions.reply && replyForm(visit, path, field)}
  </article>`;
}

const replyForm = (visit: Visit, path: string, field: Html): Html =>
  html`<details class="app-more">
    <summary>Reply</summary>
    ${form(
      visit,
      `${path}/~reply`,
      html`${field}<label>Your reply<textarea name="body" required maxlength="${maxBodyLength}"></textarea></label
        ><button class="button button-primary">Reply</button>`,
    )}
  </details>`;

/** What a comment is about, with a link to the place. */
function target(visit: Visit, place: CommentPlace, { target: { page, node } }: Comment): Html {
  if (!page) return html``;
  const href = `${visit.root}${placePath(place)}/${page.path.split('/').map(encodeURIComponent).join('/')}`;
  return html`${place.page?.id !== page.id && html`<p class="app-place">On <a href="${href}">${page.title}</a>${page.outdated && html`, which has changed since`}</p>`}${node && html`<blockquote class="app-quote">${node.preview}</blockquote>`}`;
}

/** The text of a comment is drawn like that of pages, by the same sanitizer. */
async function messageOf({ content, page }: CommentPlace, message: Comment | Reply): Promise<Html> {
  const { postedBy, postedAt, editedAt, body } = message;
  const markdown = 'markdown' in body ? body.markdown : '';
  const text = content ? raw(await rendered(content, page, markdown)) : html`<p class="app-plain">${markdown}</p>`;
  return html`<p class="app-author">
      <strong>${postedBy.displayName}</strong> ${date(postedAt)}${editedAt !== undefined && html`, edited`}
    </p>
    <div class="app-message flow">${text}</div>`;
}

async function rendered(content: RemoteSpace, page: DocumentPage | undefined, markdown: string): Promise<string> {
  const { renderPage } = await import('../content/html/render-page.ts');
  const options = { title: '', locale: 'en', diagramNote: '' };
  const { html: text } = await renderPage(markdown, content.source(page?.id ?? ''), options);
  // IDs must be unique in a document, and the headings of a comment are not those of the page.
  return text.replaceAll(/<[^<>]*>/g, (tag) => tag.replace(/ id="[^"]*"/, '').replace(/^<(\/?)h[1-6]\b/, '<$1div'));
}

const approvalEmoji = '👍';

function reactions(visit: Visit, place: CommentPlace, { reactions: given }: Comment, field: Html): Html[] {
  const known = given.map(({ emoji, count, users }) => ({
    emoji,
    count,
    isOwn: users.some(({ user }) => user.id === visit.user),
  }));
  const all = known.some(({ emoji }) => emoji === approvalEmoji)
    ? known
    : [...known, { emoji: approvalEmoji, count: 0, isOwn: false }];
  if (!place.space.permissions.comment)
    return known.map(({ emoji, count }) => html`<span class="app-state">${emoji} ${count}</span>`);
  return all.map(({ emoji, count, isOwn }) =>
    buttonForm(
      visit,
      `${placePath(place)}/~react`,
      html`${emoji}${count > 0 && html` ${count}`}<span class="visually-hidden">
          ${isOwn ? 'Remove your reaction' : 'React'}</span
        >`,
      html`${field}<input type="hidden" name="emoji" value="${emoji}" /><input
          type="hidden"
          name="remove"
          value="${String(isOwn)}"
        />`,
    ),
  );
}

/** After a form, the browser returns to this page. */
export const backField = ({ parts }: Visit): Html =>
  html`<input type="hidden" name="back" value="${`/${parts.map(encodeURIComponent).join('/')}`}" />`;

const maxBlocks = 60;
const previewLength = 60;

/** A form for a comment, on a page also about one block of its text. */
export async function commentForm(visit: Visit, place: CommentPlace): Promise<Html> {
  const { page, content } = place;
  const blocks = page && content ? await blocksOf(content, page) : [];
  return form(
    visit,
    `${placePath(place)}/~comment`,
    html`${backField(visit)} ${page && html`<input type="hidden" name="page" value="${page.id}" />`}
      ${
        blocks.length > 0 &&
        html`<label
          >Place<select name="node">
            <option value="">The whole page</option>
            ${blocks.map(({ id, text }) => html`<option value="${id}">${text}</option>`)}
          </select></label
        >`
      }
      <label class="app-full"
        >${page ? 'Comment on this page' : 'Comment'}<textarea
          name="body"
          required
          maxlength="${maxBodyLength}"
        ></textarea>
      </label>
      <button class="button button-primary">Comment</button>`,
  );
}

async function blocksOf(content: RemoteSpace, page: DocumentPage): Promise<{ id: string; text: string }[]> {
  const { blocksOf: read } = await import('../content/markdown/markdown.ts');
  return read(await content.textOf(page))
    .filter(({ text }) => text.trim() !== '')
    .slice(0, maxBlocks)
    .map(({ id, text }) => ({
      id,
      text: text.length > previewLength ? `${Array.from(text).slice(0, previewLength).join('')}…` : text,
    }));
}

export const requestHref = (visit: Visit, space: Space, number: number): string =>
  hrefOf(visit, space.organization, 's', space.id, 'cr', String(number));

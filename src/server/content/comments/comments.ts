import { atLeast } from '../../../contract/access.ts';
import { changeRequestComments, comments, maxBodyLength } from '../../../contract/comments.ts';
import type { AnswerOf, BodyOf } from '../../../contract/endpoint.ts';
import * as store from '../../../store/comments.ts';
import { findPage, lineage, type PageRow } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { type Snapshot, snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import { usersById } from '../../../store/users.ts';
import { forbidden } from '../../engine/access.ts';
import type { Caller, Context, Objects, Scope, SpaceAt } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { type Asked, implement } from '../../engine/implement.ts';
import { jsonValue } from '../../engine/json-text.ts';
import { optional } from '../../organizations/orgs.ts';
import { paged } from '../../engine/paging.ts';
import { presentUser } from '../../organizations/users.ts';

type Comment = AnswerOf<typeof comments.view>;
type Reply = AnswerOf<typeof comments.viewReply>;
type Format = 'document' | 'markdown' | undefined;

/** Where comments are: on main content, or on a change request. */
type At = Pick<Objects, 'space'> & { changeRequest?: Row<'change_request'> | undefined };
/** What comments are presented with; any context of theirs. */
type View = Pick<Context, 'db' | 'base' | 'caller' | 'texts'> & { at: At };

const locationOf = (base: string, { space, changeRequest }: At) =>
  `${base}/v1/spaces/${space.id}${changeRequest ? `/change-requests/${changeRequest.id}` : ''}/comments`;

/** Posted on what the path names now: the space's content, or the request's. */
const contentOf = ({ space, changeRequest }: At) => changeRequest?.revision ?? space.revision;

// ---- bodies

type BodyInput = BodyOf<typeof comments.create>['body'];

/** The Markdown of a body. @throws Invalid for a tree that is none, is blank, or is too long */
async function markdownFrom({ markdown, document }: BodyInput, texts: Context['texts']): Promise<string> {
  if (markdown !== undefined) return markdown;
  const read = await texts.run('fromTree', document, { what: 'The text of /body/document', key: 'body' });
  if (read.faults) {
    throw new Invalid(
      read.faults.map(({ path, message }) => ({ in: 'body', path: `/body/document${path}`, rule: 'type', message })),
    );
  }
  const text = read.markdown;
  if (text.trim() === '') throw new Invalid('/body/document', 'must not be blank', 'minLength');
  if ([...text].length > maxBodyLength) {
    throw new Invalid('/body/document', `must be at most ${maxBodyLength} characters of Markdown`, 'maxLength');
  }
  return text;
}

async function presentBodies(view: View, posts: PostRow[], format: Format): Promise<Comment['body'][]> {
  if (format !== 'document') return posts.map(({ body }) => ({ markdown: body }));
  const trees = await view.texts.run(
    'toTrees',
    posts.map(({ body }) => body),
    { what: 'The text of a comment', key: posts.map(({ id, edited_at }) => `${id} ${edited_at}`).join() },
  );
  return trees.map((tree) => ({ document: jsonValue(tree) }));
}

// ---- targets

/** The page of a comment as it was when the comment was posted, with what tells whether it changed since. */
interface PageSnapshot {
  page: Omit<NonNullable<Comment['target']['page']>, 'outdated'>;
  state: string;
}

const stateOf = ({ type, title, slug, emoji, icon, description, document }: PageRow) =>
  JSON.stringify([type, title, slug, emoji, icon, description, document]);

async function snapshotPage(db: Db, at: Snapshot, row: PageRow): Promise<PageSnapshot> {
  const line = await lineage(db, at, row);
  return {
    page: {
      id: row.page,
      title: row.title,
      ...optional('emoji', row.emoji),
      ...optional('icon', row.icon),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      path: line.map((page) => page.slug).join('/'),
    },
    state: stateOf(row),
  };
}

const previewLength = 100;

interface Meant {
  page?: string | undefined;
  node?: string | undefined;
}

/** What a new comment is about. @throws Invalid for a page or a block that is not in the content */
async function targetFor({ db, texts }: Pick<View, 'db' | 'texts'>, revision: string, { page, node }: Meant) {
  if (page === undefined) return { page: null, page_snapshot: null, node: null, preview: null };
  const at = await snapshotOf(db, revision);
  const row = await findPage(db, at, page);
  if (!row) throw new Invalid('/page', 'names no page of this content');
  return {
    page,
    page_snapshot: JSON.stringify(await snapshotPage(db, at, row)),
    node: node ?? null,
    preview: node === undefined ? null : await previewOf({ db, texts }, row, node),
  };
}

async function previewOf({ db, texts }: Pick<View, 'db' | 'texts'>, { document }: PageRow, node: string) {
  const markdown = await markdownOf(db, document);
  const asked = { what: 'The text of the page', key: `${document} ${node}` };
  const text = await texts.run('blockText', { markdown, node }, asked);
  if (text === undefined) throw new Invalid('/node', 'names no block of this page as it is now');
  // Twice as many code units hold all of these characters.
  return Array.from(text.slice(0, 2 * previewLength))
    .slice(0, previewLength)
    .join('');
}

/** Which of the pages that comments are about are not any more what they were. */
async function outdatedAmong({ db, at }: View, rows: store.CommentRow[]): Promise<Set<string>> {
  const outdated = new Set<string>();
  const meant = rows.filter((row) => row.page !== null);
  if (meant.length === 0) return outdated;
  const now = await snapshotOf(db, contentOf(at));
  const states = new Map<string, string | undefined>();
  for (const row of meant) {
    if (!states.has(row.page!)) {
      const page = await findPage(db, now, row.page!);
      states.set(row.page!, page && stateOf(page));
    }
    const then = (JSON.parse(row.page_snapshot!) as PageSnapshot).state;
    if (states.get(row.page!) !== then) outdated.add(row.id);
  }
  return outdated;
}

// ---- answers

type Users = Map<string, Row<'user'>>;
type Posted = Pick<store.CommentRow, 'id' | 'posted_by' | 'posted_at' | 'edited_at'>;
type PostRow = Posted & { body: string };

const permissionsOf = ({ caller, at: { space } }: Pick<View, 'caller' | 'at'>, { posted_by }: Posted) => ({
  view: true,
  edit: posted_by === caller.id,
  reply: atLeast(space.level, 'comment'),
  delete: mayDelete(caller, space, posted_by),
});

const mayDelete = (caller: Caller, space: SpaceAt, author: string) => author === caller.id || space.level === 'admin';

function presentReactions(base: string, rows: store.ReactionRow[], users: Users): Comment['reactions'] {
  return [...Map.groupBy(rows, (row) => row.emoji)].map(([emoji, given]) => ({
    emoji,
    count: given.length,
    users: given.map((row) => ({ user: presentUser(base, users.get(row.user)!), reactedAt: row.reacted_at })),
  }));
}

/** What comments and replies have alike, presented for all of them at once. */
async function presentPosts(view: View, rows: PostRow[], format: Format, more: string[] = []) {
  const { db, base } = view;
  const reactions = await store.reactionsTo(
    db,
    rows.map((row) => row.id),
  );
  const users = await usersById(db, [
    ...rows.map((row) => row.posted_by),
    ...[...reactions.values()].flat().map((row) => row.user),
    ...more,
  ]);
  const bodies = await presentBodies(view, rows, format);
  const posts = rows.map((row, at) => ({
    id: row.id,
    postedBy: presentUser(base, users.get(row.posted_by)!),
    postedAt: row.posted_at,
    ...optional('editedAt', row.edited_at),
    reactions: presentReactions(base, reactions.get(row.id) ?? [], users),
    body: bodies[at]!,
    permissions: permissionsOf(view, row),
  }));
  return { users, posts };
}

async function presentComments(view: View, rows: store.CommentRow[], format?: Format): Promise<Comment[]> {
  const { base, at } = view;
  const resolvers = rows.flatMap((row) => row.resolved_by ?? []);
  const { users, posts } = await presentPosts(view, rows, format, resolvers);
  const outdated = await outdatedAmong(view, rows);
  return rows.map((row, index) => ({
    object: 'comment',
    ...posts[index]!,
    replies: row.replies,
    target: {
      ...(row.node === null ? {} : { node: { id: row.node, preview: row.preview! } }),
      ...optional('changeRequest', row.change_request),
      ...(row.page_snapshot === null
        ? {}
        : { page: { ...(JSON.parse(row.page_snapshot) as PageSnapshot).page, outdated: outdated.has(row.id) } }),
      space: row.space,
      revision: row.revision,
    },
    urls: { location: `${locationOf(base, at)}/${row.id}` },
    status: row.status as Comment['status'],
    ...optional('resolvedAt', row.resolved_at),
    ...(row.resolved_by === null ? {} : { resolvedBy: presentUser(base, users.get(row.resolved_by)!) }),
  }));
}

const presentComment = async (view: View, row: store.CommentRow, format?: Format): Promise<Comment> =>
  (await presentComments(view, [row], format))[0]!;

async function presentReplies(view: View, rows: store.ReplyRow[], format?: Format): Promise<Reply[]> {
  const { posts } = await presentPosts(view, rows, format);
  return rows.map((row, index) => ({
    object: 'comment-reply',
    ...posts[index]!,
    urls: { location: `${locationOf(view.base, view.at)}/${row.comment}/replies/${row.id}` },
  }));
}

const presentReply = async (view: View, row: store.ReplyRow, format?: Format): Promise<Reply> =>
  (await presentReplies(view, [row], format))[0]!;

// ---- permissions and changes

type Changing = Pick<Asked, 'caller' | 'body'> & { at: Pick<Objects, 'space'> };
type Acting = Pick<Scope, 'db' | 'caller' | 'now'>;

/** Writing anew is for the author, reacting and resolving for who may comment. @throws Forbidden */
async function permitChange({ caller, at: { space }, body }: Changing, author: string, object: string): Promise<void> {
  if (body.body !== undefined && author !== caller.id) throw forbidden(object, 'edit');
  const reacts = ['resolved', 'addedReactions', 'removedReactions'].some((member) => body[member] !== undefined);
  if (reacts && !atLeast(space.level, 'comment')) throw forbidden('space', 'comment');
}

/** @throws Forbidden */
async function permitDeletion({ caller, at: { space } }: Changing, author: string, object: string): Promise<void> {
  if (!mayDelete(caller, space, author)) throw forbidden(object, 'delete');
}

/** The change of a text; none where it is the same. */
async function rewriting(
  row: { body: string },
  body: BodyInput | undefined,
  { now, texts }: Pick<Context, 'now' | 'texts'>,
) {
  const markdown = body === undefined ? row.body : await markdownFrom(body, texts);
  return markdown === row.body ? {} : { body: markdown, edited_at: now };
}

function resolution(row: store.CommentRow, resolved: boolean | undefined, { caller, now }: Acting) {
  if (resolved === undefined || resolved === (row.status === 'resolved')) return {};
  return resolved
    ? { status: 'resolved', resolved_at: now, resolved_by: caller.id }
    : { status: 'open', resolved_at: null, resolved_by: null };
}

interface Reacting {
  addedReactions?: string[] | undefined;
  removedReactions?: string[] | undefined;
}

async function react({ db, caller, now }: Acting, target: string, body: Reacting): Promise<void> {
  await store.addReactions(db, { target, user: caller.id, reacted_at: now }, [...new Set(body.addedReactions)]);
  await store.removeReactions(db, { target, user: caller.id }, [...new Set(body.removedReactions)]);
}

// ---- handlers

const handlersOf = (family: typeof comments) =>
  implement(family, {
    list(context) {
      const { db, at, query, page } = context;
      const filter = {
        space: at.space.id,
        changeRequest: requestOf(at),
        status: query.status,
        page: query.targetPage,
      };
      return paged(page, {
        rows: (after, limit) => store.listComments(db, filter, query.order, after, limit),
        keyTypes: ['string', 'string'],
        key: (row) => [row.posted_at, row.id],
        count: () => store.countComments(db, filter),
        present: (rows) => presentComments(context, rows, query.format),
      });
    },

    async create(context) {
      const { db, at, body, caller, now, texts } = context;
      const revision = contentOf(at);
      const target = await targetFor(context, revision, body);
      const row = await store.insertComment(db, {
        ...target,
        space: at.space.id,
        change_request: requestOf(at),
        revision,
        posted_by: caller.id,
        posted_at: now,
        body: await markdownFrom(body.body, texts),
      });
      return presentComment(context, row);
    },

    view: (context) => presentComment(context, context.at.comment, context.query.format),

    edit: {
      permit: (asked) => permitChange(asked, asked.at.comment.posted_by, 'comment'),
      async handle(context) {
        const {
          db,
          at: { comment },
          body,
        } = context;
        const change = {
          ...(await rewriting(comment, body.body, context)),
          ...resolution(comment, body.resolved, context),
        };
        await react(context, comment.id, body);
        return presentComment(context, await store.changeComment(db, comment.id, change));
      },
    },

    delete: {
      permit: (asked) => permitDeletion(asked, asked.at.comment.posted_by, 'comment'),
      handle: ({ db, at: { comment } }) => store.deleteComment(db, comment.id),
    },

    listReplies: (context) =>
      paged(context.page, {
        rows: (after, limit) => store.listReplies(context.db, context.at.comment.id, after, limit),
        keyTypes: ['string', 'string'],
        key: (row) => [row.posted_at, row.id],
        count: () => context.at.comment.replies,
        present: (rows) => presentReplies(context, rows, context.query.format),
      }),

    async createReply(context) {
      const { db, at, body, query, caller, now, texts } = context;
      const row = await store.insertReply(db, {
        comment: at.comment.id,
        posted_by: caller.id,
        posted_at: now,
        body: await markdownFrom(body.body, texts),
      });
      return presentReply(context, row, query.format);
    },

    viewReply: (context) => presentReply(context, context.at.reply, context.query.format),

    editReply: {
      permit: (asked) => permitChange(asked, asked.at.reply.posted_by, 'reply'),
      async handle(context) {
        const {
          db,
          at: { reply },
          body,
        } = context;
        const change = await rewriting(reply, body.body, context);
        await react(context, reply.id, body);
        return presentReply(context, await store.changeReply(db, reply.id, change));
      },
    },

    deleteReply: {
      permit: (asked) => permitDeletion(asked, asked.at.reply.posted_by, 'reply'),
      handle: ({ db, at: { reply } }) => store.deleteReply(db, reply.id),
    },
  });

const requestOf = ({ changeRequest }: At) => changeRequest?.id ?? null;

export const handlers = handlersOf(comments);
export const changeRequestHandlers = handlersOf(changeRequestComments);

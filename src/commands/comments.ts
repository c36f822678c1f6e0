import { fileText, type Invocation } from '../cli/invocation.ts';
import type { Column } from '../cli/output/index.ts';
import type { Command, Flag, Node } from '../cli/tree.ts';
import { changeRequestComments as twins, comments } from '../contract/comments.ts';
import { firstLine, id } from './columns.ts';

const text: Column = { key: 'body.markdown', title: 'Text', value: firstLine };
const columns: Column[] = [
  { key: 'postedBy.displayName', title: 'By' },
  { key: 'status', kind: 'state', style: { open: 'warn', resolved: 'good' } },
  text,
  { key: 'target.page.title', title: 'Page', optional: true },
  { key: 'replies', kind: 'number', optional: true },
  { key: 'postedAt', title: 'Posted', kind: 'date', optional: true },
  id,
];
const reactions: Column = {
  key: 'reactions',
  value: ({ reactions: all }) => all.map((one: { emoji: string; count: number }) => `${one.emoji} ${one.count}`),
};
const posted: Column[] = [
  { key: 'postedAt', title: 'Posted', kind: 'date' },
  { key: 'editedAt', title: 'Edited', kind: 'date' },
];
const card: Column[] = [
  { key: 'postedBy.displayName', title: 'By' },
  id,
  { key: 'status', kind: 'state', style: { open: 'warn', resolved: 'good' } },
  { key: 'target.page.title', title: 'Page' },
  { key: 'target.node.preview', title: 'Block' },
  { key: 'target.page.outdated', title: 'Page changed since', kind: 'boolean' },
  { key: 'replies', kind: 'number' },
  reactions,
  ...posted,
  { key: 'resolvedBy.displayName', title: 'Resolved by' },
  { key: 'resolvedAt', title: 'Resolved', kind: 'date' },
  { key: 'body.markdown', title: 'Text' },
];
const replyColumns: Column[] = [
  { key: 'postedBy.displayName', title: 'By' },
  text,
  { key: 'postedAt', title: 'Posted', kind: 'date', optional: true },
  id,
];
const replyCard: Column[] = [
  { key: 'postedBy.displayName', title: 'By' },
  id,
  reactions,
  ...posted,
  { key: 'body.markdown', title: 'Text' },
];

const bodyFile: Flag = {
  flags: '--body-file <file>',
  description: 'take the text from this file, or from standard input with -',
  with: (option) => option.conflicts('body'),
};
/** Texts are given with `--body` or `--body-file`. */
const writing: Pick<Command, 'names' | 'flags' | 'body' | 'sources'> = {
  sources: { '/body/markdown': ['--body', '--body-file'] },
  names: {
    'body.markdown': 'body',
    'body.document': 'body-document',
    addedReactions: 'react',
    removedReactions: 'unreact',
  },
  flags: [bodyFile],
  body: ({ flags }: Invocation) =>
    flags.bodyFile === undefined ? {} : { body: { markdown: fileText(flags.bodyFile, '--body-file') } },
};
const shown = { columns, card };
const shownReply = { columns: replyColumns, card: replyCard };

const at = '--space handbook0001';
const resolving = (isResolved: boolean): Pick<Command, 'endpoint' | 'twin' | 'without' | 'body'> => ({
  endpoint: comments.edit,
  twin: twins.edit,
  without: 'all',
  body: () => ({ resolved: isResolved }),
});

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: comments.list,
    twin: twins.list,
    description: 'Those on main content, or with --cr those of a change request. Each is shown by its first line.',
    ...shown,
    examples: [
      { run: `docsctl comments list ${at} --status open`, does: 'What is not settled yet' },
      { run: `docsctl comments list ${at} --cr 1`, does: 'Those of a change request' },
      { run: `docsctl comments list ${at} --target-page install00001`, does: 'Those on one page' },
    ],
    see: ['comments view', 'comments replies list'],
  },
  {
    use: 'create',
    endpoint: comments.create,
    twin: twins.create,
    ...writing,
    description: 'On the whole content, on a page, or on a block of a page. The text is Markdown.',
    ...shown,
    examples: [
      { run: `docsctl comments create --body "Which pump is this?" --page unpack000001 ${at}`, does: 'On a page' },
      { run: `docsctl comments create --body "Looks good to me." --cr 1 ${at}`, does: 'On a change request' },
      {
        run: `printf 'First.\\n\\nSecond.\\n' | docsctl comments create --body-file - ${at}`,
        does: 'Text from elsewhere',
      },
    ],
    exits: { 6: 'the text is empty or too long, or --page is not there' },
    see: ['comments replies create', 'comments resolve'],
  },
  {
    use: 'view <comment>',
    endpoint: comments.view,
    twin: twins.view,
    description: 'With its whole text. Replies are listed by "comments replies list".',
    ...shown,
    examples: [
      { run: `docsctl comments view comment00001 ${at}`, does: 'One comment' },
      { run: `docsctl comments view comment00003 --cr 1 ${at}`, does: 'One of a change request' },
    ],
    see: ['comments replies list'],
  },
  {
    use: 'edit <comment>',
    endpoint: comments.edit,
    twin: twins.edit,
    ...writing,
    without: ['resolved'],
    ...shown,
    examples: [
      { run: `docsctl comments edit comment00001 --react 🎉 ${at}`, does: 'React' },
      {
        run: `docsctl comments edit comment00002 --body "It needs an index, and soon." ${at} --as member000001`,
        does: 'Another text, as who wrote it',
      },
    ],
    exits: {
      4: 'only who wrote it may change the text; the rest takes the level comment',
      6: 'the text is empty or too long, or a reaction is no emoji',
    },
    see: ['comments resolve', 'comments delete'],
  },
  {
    use: 'resolve <comment...>',
    ...resolving(true),
    summary: 'Resolve comments: what they are about is settled.',
    description: 'A resolved comment stays, with its replies; "comments reopen" opens it again.',
    ...shown,
    examples: [
      { run: `docsctl comments resolve comment00001 ${at}`, does: 'One comment' },
      {
        run: `docsctl comments list ${at} --status open -o id | docsctl comments resolve - ${at}`,
        does: 'All that are open',
      },
    ],
    exits: { 4: 'it takes the level comment or above on the space' },
    see: ['comments reopen', 'comments delete'],
  },
  {
    use: 'reopen <comment...>',
    ...resolving(false),
    summary: 'Open resolved comments again.',
    description: 'An open comment stays open. Replies and reactions are as they were.',
    ...shown,
    examples: [
      { run: `docsctl comments reopen comment00002 ${at}`, does: 'One comment' },
      { run: `docsctl comments reopen comment00003 --cr 1 ${at}`, does: 'One of a change request' },
    ],
    exits: { 4: 'it takes the level comment or above on the space' },
    see: ['comments resolve'],
  },
  {
    use: 'delete <comment...>',
    endpoint: comments.delete,
    twin: twins.delete,
    description:
      'There is no way back; "comments resolve" keeps it instead. It is for who wrote it and for administrators of the space.',
    confirm: { question: 'Delete the comment {} with its replies?' },
    exits: { 4: 'only who wrote it and administrators of the space may' },
    done: 'Deleted {}.',
    examples: [
      { run: `docsctl comments delete comment00002 ${at} --yes`, does: 'Delete without being asked' },
      { run: `docsctl comments delete comment00003 --cr 1 ${at} --dry-run`, does: 'Show the request only' },
    ],
    see: ['comments resolve'],
  },
  {
    name: 'replies',
    summary: 'replies to comments',
    children: [
      {
        use: 'list <comment>',
        endpoint: comments.listReplies,
        twin: twins.listReplies,
        description: 'Oldest first. Each is shown by its first line.',
        ...shownReply,
        examples: [
          { run: `docsctl comments replies list comment00001 ${at}`, does: 'Replies to a comment' },
          { run: `docsctl comments replies list comment00003 --cr 1 ${at}`, does: 'On a change request' },
        ],
        see: ['comments replies create'],
      },
      {
        use: 'create <comment>',
        endpoint: comments.createReply,
        twin: twins.createReply,
        ...writing,
        description: 'The text is Markdown. A resolved comment takes replies too, and stays resolved.',
        ...shownReply,
        examples: [
          { run: `docsctl comments replies create comment00001 --body "The left one." ${at}`, does: 'Answer' },
          {
            run: `docsctl comments replies create comment00003 --body Done. --cr 1 ${at}`,
            does: 'On a change request',
          },
        ],
        exits: { 6: 'the text is empty or too long' },
        see: ['comments resolve'],
      },
      {
        use: 'view <comment> <reply>',
        endpoint: comments.viewReply,
        twin: twins.viewReply,
        description: 'With its whole text and its reactions.',
        ...shownReply,
        examples: [
          { run: `docsctl comments replies view comment00001 reply0000001 ${at}`, does: 'One reply' },
          { run: `docsctl comments replies view comment00003 reply0000002 --cr 1 ${at}`, does: 'On a change request' },
        ],
        see: ['comments replies edit'],
      },
      {
        use: 'edit <comment> <reply>',
        endpoint: comments.editReply,
        twin: twins.editReply,
        ...writing,
        ...shownReply,
        examples: [
          { run: `docsctl comments replies edit comment00001 reply0000001 --react 👍 ${at}`, does: 'React' },
          {
            run: `docsctl comments replies edit comment00003 reply0000002 --body "The red one." --cr 1 ${at} --as member000001`,
            does: 'Another text, as who wrote it',
          },
        ],
        exits: {
          4: 'only who wrote it may change the text; reacting takes the level comment',
          6: 'the text is empty or too long, or a reaction is no emoji',
        },
        see: ['comments replies delete'],
      },
      {
        use: 'delete <comment> <reply...>',
        endpoint: comments.deleteReply,
        twin: twins.deleteReply,
        description: 'There is no way back. The comment and its other replies stay.',
        confirm: { question: 'Delete the reply {}?' },
        exits: { 4: 'only who wrote it and administrators of the space may' },
        done: 'Deleted {}.',
        examples: [
          {
            run: `docsctl comments replies delete comment00001 reply0000001 ${at} --yes`,
            does: 'Delete without being asked',
          },
          {
            run: `docsctl comments replies delete comment00003 reply0000002 --cr 1 ${at} --dry-run`,
            does: 'Show the request only',
          },
        ],
        see: ['comments delete'],
      },
    ],
  },
];
export default nodes;

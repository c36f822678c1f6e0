import { fileText } from '../../cli/command/read-input.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Fields, Flag, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { changeRequestComments, comments } from '../../contract/comments.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { firstLine, id } from '../shared/columns.ts';
import { allSpaces, olderThan, onlyOpen, openOnly } from '../shared/flags.ts';

type Comment = AnswerOf<typeof comments.view>;
type Reply = AnswerOf<typeof comments.viewReply>;

const text: Column<Comment | Reply> = { key: 'body.markdown', title: 'Text', value: firstLine };
const columns: Column<ItemOf<typeof comments.list>>[] = [
  { key: 'postedBy.displayName', title: 'By' },
  { key: 'status', kind: 'state', style: { open: 'warn', resolved: 'good' } },
  text,
  { key: 'target.page.title', title: 'Page', optional: true },
  { key: 'replies', kind: 'number', optional: true },
  { key: 'postedAt', title: 'Posted', kind: 'date', optional: true },
  id,
];
const reactions: Column<Comment | Reply> = {
  key: 'reactions',
  value: (comment) => comment.reactions.map(({ emoji, count }) => `${emoji} ${count}`),
};
const posted: Column[] = [
  { key: 'postedAt', title: 'Posted', kind: 'date' },
  { key: 'editedAt', title: 'Edited', kind: 'date' },
];
const card: Column<Comment>[] = [
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
const replyColumns: Column<ItemOf<typeof comments.listReplies>>[] = [
  { key: 'postedBy.displayName', title: 'By' },
  text,
  { key: 'postedAt', title: 'Posted', kind: 'date', optional: true },
  id,
];
const replyCard: Column<Reply>[] = [
  { key: 'postedBy.displayName', title: 'By' },
  id,
  reactions,
  ...posted,
  { key: 'body.markdown', title: 'Text' },
];

const bodyFile = {
  flags: '--body-file <file>',
  description: 'read the text from this file; - for standard input',
  sets: true,
  with: (option) => option.conflicts('body'),
} as const satisfies Flag;

/** Input of the commands whose text is given with `--body` or `--body-file`. */
const textInput = {
  sources: { '/body/markdown': ['--body', '--body-file'] },
  names: {
    'body.markdown': 'body',
    'body.document': 'body-document',
    addedReactions: 'react',
    removedReactions: 'unreact',
  },
  body: ({ flags }: { flags: { bodyFile?: string | undefined } }): Fields =>
    flags.bodyFile === undefined ? {} : { body: { markdown: fileText(flags.bodyFile, '--body-file') } },
} as const;
/** The flags that give a text: one text does not fit several comments. */
const oneText = ['body', 'bodyFile', 'bodyDocument'];
const output = { columns, card };
const replyOutput = { columns: replyColumns, card: replyCard };

const inSpace = '--space handbook0001';

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: comments.list,
    changeRequestEndpoint: changeRequestComments.list,
    description: 'Lists comments on the main content or, with --cr, on a change request. Shows the first line of each.',
    examples: {
      'List open comments': `docsctl comments list ${inSpace} --status open`,
      'List comments on a change request': `docsctl comments list ${inSpace} --cr 1`,
      'List open comments in all spaces': 'docsctl comments list --all-spaces --open',
      'List comments on one page': `docsctl comments list ${inSpace} --target-page install00001`,
    },
    seeAlso: ['comments view', 'comments replies list'],
    flags: [allSpaces, openOnly, olderThan],
    input: { query: onlyOpen },
    output: { ...output, ageKey: 'postedAt' },
  }),
  command({
    use: 'create',
    endpoint: comments.create,
    changeRequestEndpoint: changeRequestComments.create,
    description: 'A comment belongs to the whole content, to a page, or to a block of a page. The text is Markdown.',
    examples: {
      'Comment on a page': `docsctl comments create --body "Which pump is this?" --page unpack000001 ${inSpace}`,
      'Comment on a change request': `docsctl comments create --body "Looks good to me." --cr 1 ${inSpace}`,
      'Read the text from standard input': `printf 'First.\\n\\nSecond.\\n' | docsctl comments create --body-file - ${inSpace}`,
    },
    exitStatuses: { 6: 'the text is empty or too long, or no such page' },
    seeAlso: ['comments replies create', 'comments resolve'],
    flags: [bodyFile],
    input: textInput,
    output,
  }),
  command({
    use: 'view <comment>',
    endpoint: comments.view,
    changeRequestEndpoint: changeRequestComments.view,
    description: 'Shows the whole text. Use "comments replies list" to list the replies.',
    examples: {
      'View a comment': `docsctl comments view comment00001 ${inSpace}`,
      'View a comment on a change request': `docsctl comments view comment00003 --cr 1 ${inSpace}`,
    },
    seeAlso: ['comments replies list'],
    output,
  }),
  command({
    use: 'edit <comment...>',
    endpoint: comments.edit,
    changeRequestEndpoint: changeRequestComments.edit,
    examples: {
      'Add a reaction': `docsctl comments edit comment00001 --react 🎉 ${inSpace}`,
      'Change the text as its author': `docsctl comments edit comment00002 --body "It needs an index, and soon." ${inSpace} --as member000001`,
    },
    exitStatuses: {
      4: 'only the author can change the text; other changes require the level comment',
      6: 'the text is empty or too long, or a reaction is not an emoji',
    },
    seeAlso: ['comments resolve', 'comments delete'],
    flags: [bodyFile],
    input: { ...textInput, without: ['resolved'], needsChange: true, singular: oneText },
    output,
  }),
  command({
    use: 'resolve <comment...>',
    endpoint: comments.edit,
    changeRequestEndpoint: changeRequestComments.edit,
    summary: 'Resolve comments.',
    description: 'Resolved comments keep their replies; use "comments reopen" to reopen them.',
    examples: {
      'Resolve a comment': `docsctl comments resolve comment00001 ${inSpace}`,
      'Resolve all open comments': `docsctl comments list ${inSpace} --status open -o id | docsctl comments resolve - ${inSpace}`,
    },
    exitStatuses: { 4: 'requires the level comment or above on the space' },
    seeAlso: ['comments reopen', 'comments delete'],
    input: { without: 'all', body: () => ({ resolved: true }) },
    output,
  }),
  command({
    use: 'reopen <comment...>',
    endpoint: comments.edit,
    changeRequestEndpoint: changeRequestComments.edit,
    summary: 'Reopen resolved comments.',
    description: 'Open comments stay open. Replies and reactions stay unchanged.',
    examples: {
      'Reopen a comment': `docsctl comments reopen comment00002 ${inSpace}`,
      'Reopen a comment on a change request': `docsctl comments reopen comment00003 --cr 1 ${inSpace}`,
    },
    exitStatuses: { 4: 'requires the level comment or above on the space' },
    seeAlso: ['comments resolve'],
    input: { without: 'all', body: () => ({ resolved: false }) },
    output,
  }),
  command({
    use: 'delete <comment...>',
    endpoint: comments.delete,
    changeRequestEndpoint: changeRequestComments.delete,
    description:
      'Only the author and administrators of the space can delete a comment. This cannot be undone; use "comments resolve" to keep it.',
    exitStatuses: { 4: 'only the author and administrators of the space have access' },
    examples: {
      'Delete without confirmation': `docsctl comments delete comment00002 ${inSpace} --yes`,
      'Preview the request': `docsctl comments delete comment00003 --cr 1 ${inSpace} --dry-run`,
    },
    seeAlso: ['comments resolve'],
    output: { done: 'Deleted {}.' },
    confirm: { question: 'Delete the comment {} in the space {spaceId}, with its replies?' },
  }),
  {
    name: 'replies',
    summary: 'replies to comments',
    children: [
      command({
        use: 'list <comment>',
        endpoint: comments.listReplies,
        changeRequestEndpoint: changeRequestComments.listReplies,
        description: 'Oldest first, with the first line of each.',
        examples: {
          'List the replies to a comment': `docsctl comments replies list comment00001 ${inSpace}`,
          'List replies on a change request': `docsctl comments replies list comment00003 --cr 1 ${inSpace}`,
        },
        seeAlso: ['comments replies create'],
        output: replyOutput,
      }),
      command({
        use: 'create <comment>',
        endpoint: comments.createReply,
        changeRequestEndpoint: changeRequestComments.createReply,
        description: 'The text is Markdown. Replying to a resolved comment does not reopen it.',
        examples: {
          'Reply to a comment': `docsctl comments replies create comment00001 --body "The left one." ${inSpace}`,
          'Reply on a change request': `docsctl comments replies create comment00003 --body Done. --cr 1 ${inSpace}`,
        },
        exitStatuses: { 6: 'the text is empty or too long' },
        seeAlso: ['comments resolve'],
        flags: [bodyFile],
        input: textInput,
        output: replyOutput,
      }),
      command({
        use: 'view <comment> <reply>',
        endpoint: comments.viewReply,
        changeRequestEndpoint: changeRequestComments.viewReply,
        description: 'Shows the whole text and the reactions.',
        examples: {
          'View a reply': `docsctl comments replies view comment00001 reply0000001 ${inSpace}`,
          'View a reply on a change request': `docsctl comments replies view comment00003 reply0000002 --cr 1 ${inSpace}`,
        },
        seeAlso: ['comments replies edit'],
        output: replyOutput,
      }),
      command({
        use: 'edit <comment> <reply...>',
        endpoint: comments.editReply,
        changeRequestEndpoint: changeRequestComments.editReply,
        examples: {
          'Add a reaction': `docsctl comments replies edit comment00001 reply0000001 --react 👍 ${inSpace}`,
          'Change the text as its author': `docsctl comments replies edit comment00003 reply0000002 --body "The red one." --cr 1 ${inSpace} --as member000001`,
        },
        exitStatuses: {
          4: 'only the author can change the text; reactions require the level comment',
          6: 'the text is empty or too long, or a reaction is not an emoji',
        },
        seeAlso: ['comments replies delete'],
        flags: [bodyFile],
        input: { ...textInput, needsChange: true, singular: oneText },
        output: replyOutput,
      }),
      command({
        use: 'delete <comment> <reply...>',
        endpoint: comments.deleteReply,
        changeRequestEndpoint: changeRequestComments.deleteReply,
        description: 'The comment and its other replies stay. This cannot be undone.',
        exitStatuses: { 4: 'only the author and administrators of the space have access' },
        examples: {
          'Delete without confirmation': `docsctl comments replies delete comment00001 reply0000001 ${inSpace} --yes`,
          'Preview the request': `docsctl comments replies delete comment00003 reply0000002 --cr 1 ${inSpace} --dry-run`,
        },
        seeAlso: ['comments delete'],
        output: { done: 'Deleted {}.' },
        confirm: { question: 'Delete the reply {} to the comment {commentId}?' },
      }),
    ],
  },
];
export default nodes;

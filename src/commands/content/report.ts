import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export const report = command({
  use: 'report [folder...]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).contentReport,
  summary: 'Report on the freshness of pages.',
  description:
    'Lists every page with its last change, owner, review date and links, and what is wrong with it: overdue reviews, pages that no page links to, broken links, duplicates, pages that lost more than 40 % of their lines, and files that no page uses. Owners and reviews come from the front matter or, with --all-spaces, from custom fields of the spaces. --max fails above a limit.',
  examples: {
    'Report on a folder as CSV': 'docsctl content report ./docs -o csv',
    'Fail if there are overdue reviews': 'docsctl content report ./docs --max overdue=0',
    'Write a web page about all spaces': 'docsctl content report --all-spaces --html report.html --problems',
  },
  exitStatuses: {
    [exit.usage]: 'a folder cannot be read, or the page cannot be written',
    [exit.someFailed]: 'pages could not be checked for what --max limits',
    [exit.checkFailed]: 'more than --max allows',
  },
  docs: 'docs/content-report.md',
  seeAlso: ['links check', 'content check'],
  flags: [
    { flags: '--all-spaces', description: 'report on the spaces of the organization instead of folders' },
    { flags: '--problems', description: 'list only pages and files with problems' },
    { flags: '--html <file>', description: 'also write a web page' },
    {
      flags: '--max <measure=number>',
      description: 'end with status 9 above it: overdue, unlinked, broken, duplicate, shrunk, behind or unused',
      repeatable: true,
    },
    {
      flags: '--translation-of <source>',
      description: 'report pages behind those of this folder or, with --all-spaces, of this space',
    },
    {
      flags: '--translation <space>',
      description: 'with --all-spaces: a space that is a translation',
      repeatable: true,
    },
    { flags: '--owner-field <name>', description: 'member of the front matter, or custom field (default owner)' },
    { flags: '--review-field <name>', description: 'with the date of the next review (default review)' },
  ],
  input: { context: ['org'] },
  output: {
    columns: [
      { key: 'where' },
      { key: 'changed', kind: 'date', optional: true },
      { key: 'owner', optional: true },
      { key: 'review', optional: true },
      { key: 'links', kind: 'number', optional: true },
      { key: 'broken', kind: 'number', optional: true },
      { key: 'lost', title: 'Lost %', kind: 'number', optional: true },
      { key: 'behind', kind: 'number', optional: true },
      { key: 'size', kind: 'number', optional: true },
      { key: 'problems' },
    ],
  },
  run: async (invocation) => (await import('./run-report.ts')).runReport(invocation),
});

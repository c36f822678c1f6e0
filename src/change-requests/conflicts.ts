import { visible } from '../cli/output/index.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';

type Result = AnswerOf<typeof changeRequests.update> | AnswerOf<typeof changeRequests.merge>;

/** A page that main content and a request both changed. */
export type Conflict = NonNullable<Result['conflicts']>[number];

/** @throws CommandError (status 6) with the pages, and what either side and their common ancestor have */
export function failOnConflicts({ result, conflicts = [] }: Result, request: string | number): void {
  if (result === 'conflicts') throw conflictsError(conflicts, request);
}

/** @param request its number, or the name that was given */
export function conflictsError(conflicts: readonly Conflict[], request: string | number): CommandError {
  const { size } = new Set(conflicts.map(({ page }) => page));
  const sentence = `Change request ${request} conflicts with the main content on ${size} page${size === 1 ? '' : 's'}; nothing was changed.`;
  return new CommandError([sentence, ...conflicts.map(conflictLine)].join('\n'), {
    exitCode: exit.refused,
    hint: 'Change these pages in the request so that both sides agree, then merge again.',
    report: {
      text: [sentence, ...conflicts.flatMap((conflict) => conflictText(conflict, request))].join('\n'),
      members: { conflicts },
    },
  });
}

/** One line that names a page, and the lines or fields of it that both sides changed. */
export function conflictLine({ page, title, kind, hunks = [], members = [], deletedIn }: Conflict): string {
  const lines = hunks.map(({ line }) => line);
  const where = [
    ...(lines.length > 0 ? [`line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`] : []),
    ...members.map(({ member }) => member),
    ...(deletedIn === undefined ? [] : [`deleted in ${deletedIn === 'main' ? 'main content' : 'the request'}`]),
  ];
  return `  ${visible(title)} (${page}): ${kind}${where.length > 0 ? `, ${where.join(', ')}` : ''}`;
}

/** The line of a page, and below it the three versions of each part: texts as `git merge` marks them in a file. */
function conflictText(conflict: Conflict, request: string | number): string[] {
  const { hunks = [], members = [], deletedIn } = conflict;
  const values = members.flatMap(memberLines);
  return [
    conflictLine(conflict),
    ...values,
    ...(deletedIn === 'main'
      ? [`    docsctl cr diff ${request} --page ${conflict.page} shows the changes of the request.`]
      : []),
    ...hunks.flatMap((hunk) => ['', ...hunkLines(hunk, request)]),
    ...(hunks.length > 0 ? [''] : []),
  ];
}

type Hunk = NonNullable<Conflict['hunks']>[number];

function hunkLines({ line, base, main, changeRequest }: Hunk, request: string | number): string[] {
  return [
    '<<<<<<< main content',
    ...partLines(main),
    `||||||| common ancestor, line ${line}`,
    ...partLines(base),
    '=======',
    ...partLines(changeRequest),
    `>>>>>>> change request ${request}`,
  ];
}

/** Of longer parts, people are shown the beginning; JSON has all. */
const maxLines = 60;

function partLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `... and ${lines.length - maxLines} more lines; -o json has them.`];
}

type Member = NonNullable<Conflict['members']>[number];

/** Nothing where the service does not tell the values. */
function memberLines({ member, base, main, changeRequest }: Member): string[] {
  const sides = [
    ['common ancestor', base],
    ['main content', main],
    ['change request', changeRequest],
  ] as const;
  return sides.flatMap(([side, value]) =>
    value === undefined ? [] : [`    ${member} in ${side}: ${value === null ? 'none' : JSON.stringify(value)}`],
  );
}

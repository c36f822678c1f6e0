import { visible, visibleLines } from '../cli/output/index.ts';
import { unifiedDiff } from '../cli/output/unified-diff.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { PushConflict } from './plan.ts';

/** Of a longer difference, people are shown the beginning; JSON has all. */
const maxLines = 60;

interface Conflicting {
  /** Whose pages these are. */
  folder: string;
  /** What was not done. */
  outcome: string;
  hint: string;
}

/** The error (status 6) that shows pages that the folder and the space both changed, with a unified diff of each. */
export async function syncConflictsError(
  conflicts: readonly PushConflict[],
  { folder, outcome, hint }: Conflicting,
): Promise<CommandError> {
  const described = await Promise.all(
    conflicts.map(async ({ texts, values, ...conflict }): Promise<Described> => ({
      ...conflict,
      members: values,
      ...(texts && { diff: (await unifiedDiff(texts.app, texts.folder)).join('\n') }),
    })),
  );
  const { size } = new Set(conflicts.map(({ page, path }) => `${page} ${path}`));
  const sentence = `${folder} and the space both changed the same places of ${size} page${size === 1 ? '' : 's'}; ${outcome}`;
  const lines = described.map(lineOf);
  const details = described.map(({ file, path }, index) => ({
    path: file ?? path,
    message: (lines[index] ?? '').trim(),
  }));
  return new CommandError([sentence, ...lines].join('\n'), {
    exitCode: exit.refused,
    hint,
    report: {
      text: [sentence, ...described.flatMap((conflict, index) => [lines[index] ?? '', ...linesOf(conflict)])].join(
        '\n',
      ),
      members: { details, conflicts: described },
    },
  });
}

type Described = Omit<PushConflict, 'texts' | 'values' | 'members'> & {
  members?: PushConflict['values'] | undefined;
  diff?: string;
};

function lineOf({ file, path, title, kind, deletedIn, members = [], hunks = [] }: Described): string {
  const places = hunks.map(({ line }) => line);
  const what = {
    content: `text, line${places.length === 1 ? '' : 's'} ${places.join(', ')}`,
    metadata: members.map(({ member }) => member).join(', '),
    deleted: deletedIn === 'app' ? 'deleted in the app, changed here' : 'deleted here, changed in the app',
  }[kind];
  return `  ${visible(file ?? path)} (${visible(title)}): ${what}`;
}

function linesOf({ kind, diff, members = [], file, path }: Described): string[] {
  if (kind === 'metadata') {
    return members.flatMap(({ member, base, app, folder }) => [
      `    ${member} before: ${valueOf(base)}`,
      `    ${member} in the app: ${valueOf(app)}`,
      `    ${member} in the folder: ${valueOf(folder)}`,
    ]);
  }
  if (diff === undefined) return [];
  const lines = diff.split('\n');
  const name = visible(file ?? path);
  return [
    `--- ${name} (app)`,
    `+++ ${name} (folder)`,
    ...lines.slice(0, maxLines).map(visibleLines),
    ...(lines.length > maxLines ? [`... and ${lines.length - maxLines} more lines; -o json has them.`] : []),
    '',
  ];
}

const valueOf = (value: unknown) => (value === null ? 'none' : visible(JSON.stringify(value)));

import { counted } from '../shared/counted.ts';
import { EngineError } from '../shared/engine-error.ts';
import { unifiedDiff } from '../shared/unified-diff.ts';
import { visible, visibleLines } from '../shared/visible.ts';
import type { PushConflict } from './plan.ts';

/** The text of the error shows this many lines of a diff; JSON has all of them. */
const maxLines = 60;

/** The flags of push and pull that resolve conflicts. */
export const conflictHint =
  'To merge the rest and mark the conflicts in the files, use --on-conflict mark. To choose a side, use --prefer app or --prefer folder, for some files only with --prefer app:<files>.';

/** An error that shows the pages that the folder and the space both changed, with a unified diff of each. */
export async function syncConflictsError(
  conflicts: readonly PushConflict[],
  { folder, outcome, hint }: { folder: string; outcome: string; hint: string },
): Promise<EngineError> {
  const described = await Promise.all(
    conflicts.map(async ({ texts, ...conflict }): Promise<Described> => ({
      ...conflict,
      ...(texts && { diff: (await unifiedDiff(texts.app, texts.folder)).join('\n') }),
    })),
  );
  const { size } = new Set(conflicts.map(({ page, path }) => `${page} ${path}`));
  const sentence = `${folder} and the space both changed the same places of ${counted(size, 'page')}; ${outcome}`;
  const details = described.map((conflict) => ({
    path: conflict.file ?? conflict.path,
    message: lineOf(conflict).trim(),
  }));
  return new EngineError('refused', [sentence, ...described.map(lineOf)].join('\n'), {
    hint,
    report: {
      text: [sentence, ...described.flatMap((conflict) => [lineOf(conflict), ...linesOf(conflict)])].join('\n'),
      members: { details, conflicts: described },
    },
  });
}

type Described = Omit<PushConflict, 'texts'> & { diff?: string };

const lineOf = (conflict: Described) =>
  `  ${visible(conflict.file ?? conflict.path)} (${visible(conflict.title)}): ${placesOf(conflict)}`;

const wholeFile = 'the whole file, because it cannot be merged by lines';

/** What both sides changed. */
export function placesOf({
  kind,
  deletedIn,
  members = [],
  hunks = [],
}: Pick<PushConflict, 'kind' | 'deletedIn' | 'members' | 'hunks'>): string {
  const lines = hunks.map(({ line }) => line);
  return {
    content: lines.length === 0 ? wholeFile : `text, line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`,
    metadata: members.map(({ member }) => member).join(', '),
    deleted: deletedIn === 'app' ? 'deleted in the app, changed here' : 'deleted here, changed in the app',
  }[kind];
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

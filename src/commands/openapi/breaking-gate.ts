import type { Invocation } from '../../cli/command/command.ts';
import { type BuildServer, markdownCell } from '../../cli/program/build-server.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { formatChange, isNotCompared, mayBreak, type PlacedChange } from '../../openapi/index.ts';
import { DescriptionThread } from './description-worker.ts';
import { publishedReach } from './diff-source.ts';
import { findingOf, textReport } from './diff-report.ts';
import { count } from '../shared/findings.ts';

/** What is compared: a description with what was published last. */
export interface Compared {
  source: string;
  slug: string;
  /** The latest version as JSON; undefined where there is none. */
  before: string | undefined;
  /** What is sent. */
  after: { text: string; isFolded: boolean };
}

/** `warnings` where changes were listed that may break clients, `no-earlier-version` where nothing could be compared. */
export type BreakingResult = 'none' | 'warnings' | 'no-earlier-version';

/**
 * Compares descriptions with what was published, and lists breaking changes and warnings.
 *
 * @returns the result for each slug
 * @throws CommandError (status 9) that counts the breaking changes, and what could not be compared; each is listed before
 */
export async function refuseBreaking(
  invocation: Invocation<{}, {}>,
  server: BuildServer,
  all: readonly Compared[],
): Promise<Map<string, BreakingResult>> {
  const { io } = invocation;
  const results = await findChanges(invocation, all);
  for (const { slug, before } of all) {
    if (before !== undefined) continue;
    await io.note(`${slug}: no check for breaking changes, because there is no earlier version.`);
  }
  const listed = results.flatMap((compared) => compared.changes.map((change) => findingIn(compared, change)));
  if (listed.length > 0) await io.err.write(textReport(listed));
  await server.annotate(
    listed.map(({ file, line = 1, level, message, rule }) => ({ file, line, level, message, rule })),
  );
  for (const { source, changes } of results) {
    if (changes.length > 0) server.summary(breakingSummary(source, changes));
  }
  const broken = results.filter(({ changes }) => changes.some(mayBreak));
  if (broken.length === 0) return new Map(results.map((compared) => [compared.slug, resultOf(compared)]));
  const counts = broken.map(({ source, changes }) => `${source} has ${countOf(changes.filter(mayBreak))}.`);
  throw new CommandError(`${counts.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'Fix what is listed above, or publish without --fail-on breaking.',
  });
}

/** The change with the places that people know: the file that is sent, and the slug of what was published. */
function findingIn({ source, slug, after: { isFolded } }: Compared, { before, after, ...change }: PlacedChange) {
  return findingOf({
    ...change,
    // The lines of what is sent are those of the file where no other was folded in.
    after: after && { ...(isFolded ? { pointer: after.pointer } : after), file: source },
    before: before && { file: slug, pointer: before.pointer },
  });
}

interface ComparedChanges extends Compared {
  /** Breaking ones, warnings, and what could not be compared. */
  changes: PlacedChange[];
}

const resultOf = ({ before, changes }: ComparedChanges): BreakingResult => {
  if (before === undefined) return 'no-earlier-version';
  return changes.length > 0 ? 'warnings' : 'none';
};

async function findChanges(invocation: Invocation<{}, {}>, all: readonly Compared[]): Promise<ComparedChanges[]> {
  const thread = new DescriptionThread(invocation);
  const results: ComparedChanges[] = [];
  try {
    for (const compared of all) {
      const { source, before, after } = compared;
      if (before === undefined) {
        results.push({ ...compared, changes: [] });
        continue;
      }
      const request = {
        before: { ...publishedReach, from: { text: before } },
        after: { ...publishedReach, from: { text: after.text }, wasChecked: true },
        now: new Date(),
      };
      const { changes, problems = [] } = await thread.compare(request, source);
      // The service holds what nobody can read.
      if (!changes)
        throw new CommandError(`${source} cannot be compared: ${problems[0]?.message}. Nothing was sent.`, {
          exitCode: exit.checkFailed,
        });
      results.push({
        ...compared,
        changes: changes.filter((change) => mayBreak(change) || change.level === 'warning'),
      });
    }
  } finally {
    await thread.close();
  }
  return results;
}

function countOf(changes: readonly PlacedChange[]): string {
  const unknown = changes.filter(isNotCompared).length;
  const breaking = changes.filter(mayBreak).length - unknown;
  const warnings = changes.length - unknown - breaking;
  return [
    ...(breaking > 0 ? [count(breaking, 'breaking change')] : []),
    ...(unknown > 0 ? [`${count(unknown, 'part')} that could not be compared`] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ].join(' and ');
}

function breakingSummary(source: string, changes: readonly PlacedChange[]): string {
  const items = changes.map((change) => `- ${markdownCell(formatChange(change))}`);
  return `### ${countOf(changes)} in ${markdownCell(source)}\n\n${items.join('\n')}`;
}

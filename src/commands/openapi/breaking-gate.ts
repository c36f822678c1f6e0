import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { type BuildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { breakingChanges, type Change, formatChange, isNotCompared } from '../../openapi/index.ts';
import { count } from './findings.ts';

/** What is compared: a description with what was published last. */
export interface Compared {
  source: string;
  slug: string;
  /** The latest version, parsed; undefined where there is none. */
  before: unknown;
  after: unknown;
}

/** `no-earlier-version` where nothing could be compared. */
export type BreakingResult = 'none' | 'no-earlier-version';

/**
 * Compares descriptions with what was published.
 *
 * @returns the result for each slug
 * @throws CommandError (status 9) that counts the breaking changes, and what could not be compared; each is listed before
 */
export async function refuseBreaking(
  { io }: Invocation<{}, {}>,
  server: BuildServer,
  all: readonly Compared[],
): Promise<Map<string, BreakingResult>> {
  const broken = all.flatMap((compared) => {
    const changes = compared.before === undefined ? [] : breakingChanges(compared.before, compared.after);
    return changes.length === 0 ? [] : [{ ...compared, changes }];
  });
  for (const { slug, before } of all) {
    if (before !== undefined) continue;
    await io.note(`${slug}: breaking changes were not looked for, because there is no earlier version.`);
  }
  if (broken.length === 0) {
    return new Map(all.map(({ slug, before }) => [slug, before === undefined ? 'no-earlier-version' : 'none']));
  }
  const listed = broken.flatMap(({ source, changes }) => changes.map((change) => ({ source, change })));
  for (const { change } of listed) await io.err.write(`${visibleLines(formatChange(change))}\n`);
  await server.annotate(
    listed.map(({ source, change }) => ({
      file: source,
      line: 1,
      level: 'breaking',
      message: formatChange(change),
      rule: change.rule,
    })),
  );
  for (const { source, changes } of broken) server.summary(breakingSummary(source, changes));
  const counts = broken.map(({ source, changes }) => `${source} has ${countOf(changes)}.`);
  throw new CommandError(`${counts.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'Fix what is listed above, or publish without --fail-on breaking.',
  });
}

function countOf(changes: readonly Change[]): string {
  const unknown = changes.filter(isNotCompared).length;
  const breaking = changes.length - unknown;
  return [
    ...(breaking > 0 ? [count(breaking, 'breaking change')] : []),
    ...(unknown > 0 ? [`${count(unknown, 'part')} that could not be compared`] : []),
  ].join(' and ');
}

function breakingSummary(source: string, changes: readonly Change[]): string {
  const items = changes.map((change) => `- ${markdownCell(formatChange(change))}`);
  return `### ${countOf(changes)} in ${markdownCell(source)}\n\n${items.join('\n')}`;
}

import type { Invocation } from '../../cli/command/command.ts';
import { type BuildServer, markdownCell } from '../../cli/program/build-server.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import type { Level } from '../../cli/report/finding.ts';
import { changeText, isUnresolvedBefore, mayBreak, type PlacedChange } from '../../openapi/index.ts';
import { acceptChanges, type AcceptFlags } from './accept-changes.ts';
import { DescriptionThread } from '../shared/description-worker.ts';
import { publishedReach } from './diff-source.ts';
import { countText, findingOf, gradedLevel, textReport } from './diff-report.ts';

/** A description to compare with the latest published version. */
export interface Compared {
  source: string;
  params: { specSlug: string };
  /** The latest version, if there is one. */
  before: { json: string | undefined } | undefined;
  /** What will be sent. */
  description: { text: string; isFolded: boolean };
}

/** `warnings` if changes are listed that may break clients, `no-earlier-version` if there was nothing to compare with. */
export type BreakingResult = 'none' | 'warnings' | 'no-earlier-version';

/** Tells which descriptions cannot be compared, because they are new. */
export async function noteFirst({ io }: Invocation<{}, {}>, all: readonly Compared[]): Promise<void> {
  for (const { params, before } of all) {
    if (before?.json !== undefined) continue;
    await io.note(`${params.specSlug}: no check for breaking changes, because there is no earlier version.`);
  }
}

/** @throws CommandError (status 9) that counts the breaking changes and the parts that could not be compared */
export function refuseListed(all: readonly ListedBreaking[]): void {
  const lines = all.flatMap(({ source, counts }) => (counts === undefined ? [] : [`${source} has ${counts}.`]));
  if (lines.length === 0) return;
  throw checkFailed(
    `${lines.join('\n')}\nNothing was sent.`,
    'Fix what is listed above, or accept it with --ignore <file>.',
  );
}

export interface ListedBreaking {
  source: string;
  slug: string;
  result: BreakingResult;
  /** `2 breaking changes`; undefined if nothing breaks. */
  counts: string | undefined;
}

/** Lists breaking changes and warnings, as annotations in CI, too. */
export async function listBreaking(
  invocation: Invocation<{}, AcceptFlags>,
  server: BuildServer,
  all: readonly Compared[],
): Promise<ListedBreaking[]> {
  const now = new Date();
  const { results: accepted, expired } = await acceptChanges(invocation, await findChanges(invocation, all, now), now);
  const results = accepted.map(({ changes, ...compared }) => ({ ...compared, changes: changes.filter(isListed) }));
  const listed = [
    ...results.flatMap((compared) => compared.changes.map((change) => findingIn(compared, change))),
    ...expired,
  ];
  if (listed.length > 0) await invocation.io.err.write(await textReport(plainText, listed));
  await server.annotate(
    listed.map(({ file, line = 1, level, message, rule }) => ({ file, line, level, message, rule })),
  );
  for (const { source, changes } of results) {
    if (changes.length > 0) server.summary(breakingSummary(source, changes));
  }
  return results.map((compared) => {
    const severe = compared.changes.filter(refuses);
    return {
      source: compared.source,
      slug: compared.params.specSlug,
      result: resultOf(compared),
      counts: severe.length > 0 ? countOf(severe) : undefined,
    };
  });
}

/** Replaces the places by those that users know: the file to send, and the slug of the published specification. */
function findingIn({ source, params, description }: Compared, { before, after, ...change }: PlacedChange) {
  return findingOf({
    ...change,
    // The lines are those of the file unless other files were bundled into it.
    after: after && { ...(description.isFolded ? { pointer: after.pointer } : after), file: source },
    before: before && { file: params.specSlug, pointer: before.pointer },
  });
}

interface ComparedChanges extends Compared {
  changes: PlacedChange[];
}

/** Standard error has one line each, for logs. */
const plainText = { screen: { terminal: false, color: false, width: Number.POSITIVE_INFINITY } };

const isListed = (change: PlacedChange): boolean => mayBreak(change) || change.level === 'warning';

/** A broken reference in the published description does not prevent its repair. */
const refuses = (change: PlacedChange): boolean => mayBreak(change) && !isUnresolvedBefore(change);

const levelIn = (change: PlacedChange): Level => (isUnresolvedBefore(change) ? 'warning' : gradedLevel(change));

const resultOf = ({ before, changes }: ComparedChanges): BreakingResult => {
  if (before?.json === undefined) return 'no-earlier-version';
  return changes.length > 0 ? 'warnings' : 'none';
};

async function findChanges(
  invocation: Invocation<{}, {}>,
  all: readonly Compared[],
  now: Date,
): Promise<ComparedChanges[]> {
  const thread = new DescriptionThread(invocation);
  const results: ComparedChanges[] = [];
  try {
    for (const compared of all) {
      const { source, before, description } = compared;
      if (before?.json === undefined) {
        results.push({ ...compared, changes: [] });
        continue;
      }
      const request = {
        before: { ...publishedReach, from: { text: before.json } },
        after: { ...publishedReach, from: { text: description.text }, wasChecked: true },
        now,
      };
      const { changes, problems = [] } = await thread.compare(request, source);
      // The published document is not readable.
      if (!changes) {
        const message = `${source} cannot be compared: ${problems[0]?.message}. Nothing was sent.`;
        throw checkFailed(message);
      }
      results.push({ ...compared, changes });
    }
  } finally {
    await thread.close();
  }
  return results;
}

const countOf = (changes: readonly PlacedChange[]): string =>
  countText(changes.map((change) => ({ level: levelIn(change) })));

function breakingSummary(source: string, changes: readonly PlacedChange[]): string {
  const items = changes.map((change) => `- ${markdownCell(`${changeText(change)} (${change.rule})`)}`);
  return `### ${countOf(changes)} in ${markdownCell(source)}\n\n${items.join('\n')}`;
}

import { buildServer } from '../../cli/program/build-server.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import { isMissing } from '../../client/errors/http-error.ts';
import { type DescriptionProblem, type PlacedChange } from '../../openapi/index.ts';
import { acceptChanges } from './accept-changes.ts';
import { DescriptionThread } from '../shared/description-worker.ts';
import {
  type ChangeFinding,
  countText,
  findingOf,
  gradedLevel,
  markdownReport,
  removal,
  printChanges,
} from './diff-report.ts';
import { type DiffPair, pairsOf } from './diff-pairs.ts';
import { KeptFailures } from './keep-going.ts';
import { findSource, type Side } from './diff-source.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { unreadableSource } from './read-source.ts';
import type { DiffInvocation } from './flags.ts';

type FailOn = 'breaking' | 'warning' | 'none';

/** The findings of one comparison. */
interface Compared {
  sources: readonly [string, string];
  /** Whether a description could not be read as a whole. */
  isUnread: boolean;
  findings: ChangeFinding[];
}

/** Compares two descriptions, or several pairs. The changes are the result. */
export async function diffDescriptions(invocation: DiffInvocation): Promise<void> {
  const { flags, io, session } = invocation;
  refuseTwoFormats(invocation);
  const pairs = await pairsOf(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const now = new Date();
  const failures = new KeptFailures(io, flags.keepGoing === true);
  const results = await compareAll(invocation, { pairs, failures }, now);
  const all = results.flatMap(({ findings }) => findings);
  const markdown = results.map(({ findings, sources }) => markdownReport(findings, sources)).join('\n');
  await printChanges(invocation, all, { names: results.flatMap(({ sources }) => sources), markdown });
  // The report itself consists of annotations.
  if (flags.format !== 'github') await server.annotate(all.filter(({ level }) => level !== 'info'));
  server.summary(markdown);
  failures.throwIfAny(pairs.length);
  refuse(
    all,
    flags.failOn ?? 'breaking',
    results.some(({ isUnread }) => isUnread),
  );
  await io.note(`${firstCapital(countText(all))}.`);
}

async function compareAll(
  invocation: DiffInvocation,
  { pairs, failures }: { pairs: readonly DiffPair[]; failures: KeptFailures },
  now: Date,
): Promise<Compared[]> {
  const compared: { pair: DiffPair; problems: ChangeFinding[]; changes: readonly PlacedChange[] }[] = [];
  for (const pair of pairs) {
    try {
      const result = pair.isRemoved ? undefined : await compare(invocation, pair, now);
      const changes = result ? (result.changes ?? []) : [removal(pair.before, pair.before)];
      compared.push({ pair, changes, problems: result?.problems?.map(problemFinding) ?? [] });
    } catch (error) {
      if (pair.mayBeNew && isMissing(error)) {
        await invocation.io.note(`${pair.after} is not compared, because ${pair.before} has not been published yet.`);
      } else await failures.add(pair.after, error);
    }
  }
  const accepted = await acceptChanges(
    invocation,
    compared.map((each) => ({ ...each, source: each.pair.after })),
    now,
  );
  const results = accepted.results.map(({ pair, problems, changes }): Compared => ({
    sources: [pair.before, pair.after],
    isUnread: problems.length > 0,
    findings: [...problems, ...changes.map(changeFinding)],
  }));
  results[0]?.findings.push(...accepted.expired);
  return results;
}

/** Descriptions are compared only if they can be read as a whole. */
const problemFinding = ({ message, ...place }: DescriptionProblem): ChangeFinding => ({
  ...place,
  level: 'error',
  message,
  where: '',
  operations: [],
});

/** @throws UsageError if a description cannot be read */
async function compare(
  invocation: DiffInvocation,
  pair: DiffPair,
  now: Date,
): Promise<
  { problems: DescriptionProblem[]; changes?: undefined } | { problems?: undefined; changes: PlacedChange[] }
> {
  const thread = new DescriptionThread(invocation);
  const sides: Side[] = [];
  try {
    const before = await findSource(invocation, pair.before);
    sides.push(before);
    const after = await findSource(invocation, pair.after);
    sides.push(after);
    const request = { before: before.request, after: after.request, now };
    const result = await thread.compare(request, `The comparison of ${pair.before} with ${pair.after}`);
    if (result.unreadable === undefined) return result;
    const forms =
      'a file, an address that starts with http:// or https://, git:REF:path, the slug of a published specification, slug@version,';
    throw unreadableSource(result.unreadable, forms);
  } finally {
    await thread.close();
    for (const { remove } of sides) remove?.();
  }
}

const changeFinding = (change: PlacedChange): ChangeFinding => ({ ...findingOf(change), level: gradedLevel(change) });

/** @throws CommandError (status 9) if there are changes that --fail-on refuses */
function refuse(findings: readonly ChangeFinding[], failOn: FailOn, isUnread: boolean): void {
  if (isUnread) {
    throw checkFailed(
      'The descriptions were not compared, because they cannot be read as a whole.',
      'Fix the problems listed above; "docsctl openapi validate" checks the rest of a description.',
    );
  }
  if (failOn === 'none') return;
  const severe = findings.filter(({ level }) => level !== 'info' && (level !== 'warning' || failOn === 'warning'));
  if (severe.length === 0) return;
  throw checkFailed(
    `${firstCapital(countText(severe))}.`,
    severe.some(({ level }) => level === 'error')
      ? 'Fix the references listed above, so that everything can be compared.'
      : 'Undo the changes listed above, or accept them with --ignore <file> or --fail-on none.',
  );
}

const firstCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

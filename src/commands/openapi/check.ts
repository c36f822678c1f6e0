import { isAcceptable } from '../../openapi/acceptable.ts';
import { existsSync } from 'node:fs';
import { buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, checkFailed } from '../../cli/program/failure.ts';
import { type ReportFinding, reportContext } from '../../cli/report/finding.ts';
import { renderReport } from '../../cli/report/report.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import { acceptFindings, count, refuseTwoFormats, summaryOf } from '../../cli/report/findings.ts';
import { ReviewComment } from '../shared/review-comment.ts';
import { acceptChanges, isChangeRule } from './accept-changes.ts';
import { type ChangedDescription, changedDescriptions } from './changed-descriptions.ts';
import { compareWithBase, type BaseComparison } from './check-changes.ts';
import { type ChangeFinding, countText, markdownReport, printChanges } from './diff-report.ts';
import { expandSources, isSelected } from '../../openapi/find-descriptions.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { findMergeBase, type MergeBase, targetBranchIn } from '../../shared/merge-base.ts';
import { projectWords } from './project-sources.ts';
import { readDescriptions } from './read-source.ts';
import type { CheckInvocation } from './flags.ts';

type FailOn = 'breaking' | 'error' | 'warning' | 'none';

/** Findings and changes of one description. */
interface Checked {
  kind: ChangedDescription['kind'];
  path: string;
  /** What it is compared with. */
  old: string;
  findings: ChangeFinding[];
}

/** Validates the descriptions that a branch changes, and compares them with the merge base. */
export async function checkChanged(invocation: CheckInvocation): Promise<void> {
  const { flags, io, session } = invocation;
  refuseTwoFormats(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const comment = flags.comment ? ReviewComment.in(session) : undefined;
  const base = await findMergeBase(baseOf(invocation), server.name !== 'none' || session.env.CI === 'true');
  const words = await wordsOf(invocation);
  const checked = await checkAll(invocation, base, words);
  const findings = checked.flatMap((each) => each.findings);
  const markdown = markdownOf(base, checked);
  const rows = checked.flatMap(({ path, kind, findings: own }) =>
    own.map((finding) => ({ description: path, kind, ...finding })),
  );
  await printChanges(invocation, findings, { names: checked.map(({ path }) => path), markdown, rows });
  // The report itself consists of annotations.
  if (flags.format !== 'github') await server.annotate(findings.filter(({ level }) => level !== 'info'));
  server.summary(markdown);
  await writeReports(invocation, { checked, markdown, comment });
  refuse(findings, flags.failOn ?? 'breaking');
  await io.note(`${headline(base, checked)}.`);
}

/** Writes the SARIF report and the comment. In a dry run, only tells so. */
async function writeReports(
  { flags, globals, io, session }: CheckInvocation,
  report: { checked: readonly Checked[]; markdown: string; comment: ReviewComment | undefined },
): Promise<void> {
  const { checked, markdown, comment } = report;
  const paths = checked.map(({ path }) => path);
  if (globals.dryRun) {
    const files = [...(flags.sarif === undefined ? [] : [flags.sarif]), ...(comment ? ['a comment'] : [])];
    if (files.length > 0) await io.note(`Would write ${files.join(' and ')}.`);
    return;
  }
  if (flags.sarif !== undefined) {
    const findings = checked.flatMap((each) => each.findings);
    await writeSarif(flags.sarif, await renderReport('sarif', findings, reportContext(session.env, paths)));
  }
  await comment?.write(markdown);
}

/** @throws CommandError if the file cannot be written */
async function writeSarif(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${fileReason(error)}.`, {
      hint: 'Name another file with --sarif.',
    });
  }
}

/** @throws UsageError if it is not known */
function baseOf({ flags, session }: CheckInvocation): string {
  const base = flags.base ?? targetBranchIn(session.env);
  if (base !== undefined) return base;
  throw new UsageError('--base is missing.', 'Name the branch to merge into, for example --base origin/main.');
}

async function wordsOf({ args, session }: CheckInvocation): Promise<string[]> {
  if (args.files && args.files.length > 0) return args.files;
  const words = projectWords(await session.project()).map(({ source }) => source);
  return words.length === 0 ? ['.'] : words.filter((word) => !isAddress(word));
}

async function checkAll(invocation: CheckInvocation, base: MergeBase, words: string[]): Promise<Checked[]> {
  const now = new Date();
  const all: ChangedDescription[] = [];
  try {
    const paths = existingIn(words);
    const { overlay = [] } = invocation.flags;
    for await (const each of changedDescriptions(base, paths, words, overlay)) all.push(each);
    refuseUnused(words, paths, all);
    const lint = await lintAll(invocation, all);
    const compared: BaseComparison[] = await compareWithBase(invocation, base, all, now);
    const accepted = await acceptChanges(invocation, compared, now);
    const checked = accepted.results.map(({ kind, source, old, changes, problems, findingOf }): Checked => {
      const findings = [...(lint.get(source) ?? []), ...problems, ...changes.map(findingOf)];
      return { kind, path: source, old, findings };
    });
    const [first] = checked;
    if (first) first.findings.push(...accepted.expired);
    return checked;
  } finally {
    for (const each of all) if (each.kind === 'changed') each.before.remove();
  }
}

/** Files that the branch removes need not exist. */
function existingIn(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    try {
      return expandSources([word]).filter((path) => existsSync(path));
    } catch (error) {
      if (error instanceof EngineError) return [];
      throw error;
    }
  });
}

/** @throws UsageError for a word that is probably misspelled */
function refuseUnused(words: readonly string[], paths: readonly string[], all: readonly ChangedDescription[]): void {
  const selected = [...paths, ...all.map(({ path }) => path)];
  const unused = words.find((word) => word !== '.' && !selected.some((path) => isSelected(path, [word])));
  if (unused === undefined) return;
  throw new UsageError(
    `${unused} names no OpenAPI description, neither here nor in the merge base.`,
    'Name files, folders or patterns such as "apis/**/*.yaml".',
  );
}

/** The findings that the baseline does not accept, by file. */
async function lintAll(
  invocation: CheckInvocation,
  all: readonly ChangedDescription[],
): Promise<Map<string, ChangeFinding[]>> {
  const sources = all.filter(({ kind }) => kind !== 'removed').map(({ path }) => ({ source: path }));
  const rows: (ReportFinding & { source: string })[] = [];
  for await (const { source, description } of readDescriptions(invocation, sources)) {
    for (const finding of description.findings) rows.push({ ...finding, source });
  }
  const { findings } = await acceptFindings(invocation, rows, { hasRule: (rule) => !isChangeRule(rule), isAcceptable });
  const changes = findings.map(({ source, ...finding }) => ({ source, ...finding, where: '', operations: [] }));
  return Map.groupBy(changes, ({ source }) => source);
}

/** `OpenAPI descriptions since origin/main: 1 new, 2 changed` */
function headline({ name }: MergeBase, checked: readonly Checked[]): string {
  const kinds = (['new', 'changed', 'removed'] as const).flatMap((kind) => {
    const { length } = checked.filter((each) => each.kind === kind);
    return length === 0 ? [] : [`${length} ${kind}`];
  });
  return `OpenAPI descriptions since ${name}: ${kinds.join(', ') || 'no change'}`;
}

/** A summary of all descriptions, for a comment. */
function markdownOf(base: MergeBase, checked: readonly Checked[]): string {
  const sections = checked.flatMap(({ path, kind, old, findings }) => {
    const changes = findings.filter(({ rule }) => isChangeRule(rule));
    const others = findings.filter(({ rule }) => !isChangeRule(rule));
    const title = kind === 'new' ? [`### ${markdownCell(path)}: new`] : [];
    const report = kind === 'new' ? [] : [markdownReport(changes, [old, path]).trimEnd()];
    return [...title, ...report, ...(others.length > 0 ? [summaryOf(path, others)] : [])];
  });
  return `${[`## ${markdownCell(headline(base, checked))}`, ...sections].join('\n\n')}\n`;
}

/** @throws CommandError (status 9) */
function refuse(findings: readonly ChangeFinding[], failOn: FailOn): void {
  const levels = {
    breaking: ['error', 'breaking'],
    error: ['error'],
    warning: ['error', 'breaking', 'warning'],
    none: [],
  };
  const refused = new Set<string>(levels[failOn]);
  const severe = findings.filter(({ level }) => refused.has(level));
  if (severe.length === 0) return;
  const lint = severe.filter(({ rule }) => !isChangeRule(rule));
  const changes = severe.filter(({ rule }) => isChangeRule(rule));
  const parts = [
    ...(lint.length > 0 ? [count(lint.length, 'finding')] : []),
    ...(changes.length > 0 ? [countText(changes)] : []),
  ];
  throw checkFailed(
    `The changed descriptions have ${parts.join(' and ')}.`,
    'Fix what is listed above, or accept changes with --ignore <file> and findings with --baseline <file>.',
  );
}

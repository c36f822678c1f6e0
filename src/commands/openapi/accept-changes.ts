import { isAcceptable } from '../../openapi/acceptable.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { IgnoreFile, matchesPattern } from '../../cli/report/ignore.ts';
import { changeRules, changeText, type PlacedChange } from '../../openapi/index.ts';
import { acceptFindings, type BaselineFlags, count } from '../../cli/report/findings.ts';
import type { ChangeFinding } from './diff-report.ts';

export type AcceptFlags = BaselineFlags & { ignore?: string | undefined };

/** The changes of one description. */
interface SourceChanges {
  source: string;
  changes: readonly PlacedChange[];
}

const example = `[{ rule: parameter-removed, path: "GET /pets", until: 2030-01-31, reason: Nobody used it, author: Ann }]`;

export const isChangeRule = (rule: string): boolean => changeRules.has(rule);

/**
 * Leaves out the changes that the files of `--ignore` and `--baseline` accept, and reports entries without effect.
 *
 * @returns the other changes, and a finding for each expired entry
 * @throws UsageError if a file is not valid
 */
export async function acceptChanges<S extends SourceChanges>(
  invocation: Invocation<{}, AcceptFlags>,
  all: readonly S[],
  now: Date,
): Promise<{ results: (Omit<S, 'changes'> & { changes: PlacedChange[] })[]; expired: ChangeFinding[] }> {
  const { results, expired } = await withoutIgnored(invocation, all, now);
  const rows = results.flatMap((result) =>
    result.changes.map((change) => {
      const { rule, level } = change;
      // Without a pointer, so that only this very change is accepted and not another one in the same place.
      return { change, rule, level, message: changeText(change), file: result.source };
    }),
  );
  const { findings, accepted } = await acceptFindings(invocation, rows, { hasRule: isChangeRule, isAcceptable });
  if (accepted > 0 && invocation.flags.baseline !== undefined)
    await invocation.io.note(`${count(accepted, 'change')} accepted by ${invocation.flags.baseline}.`);
  const left = new Set(findings.map(({ change }) => change));
  return {
    results: results.map((result) => ({ ...result, changes: result.changes.filter((change) => left.has(change)) })),
    expired,
  };
}

async function withoutIgnored<S extends SourceChanges>(
  { flags: { ignore: file }, io }: Invocation<{}, AcceptFlags>,
  all: readonly S[],
  now: Date,
) {
  if (file === undefined) return { results: all.map((each) => ({ ...each, changes: [...each.changes] })), expired: [] };
  const today = now.toISOString().slice(0, 10);
  const ignored = new IgnoreFile(file, { rules: new Set(changeRules.keys()), example, today });
  const isIgnored = (rule: string, operation?: string) =>
    ignored.accepts(rule, (path) => operation !== undefined && fits(path, operation));
  const results = all.map((each) => ({
    ...each,
    changes: each.changes.flatMap((change): PlacedChange[] => {
      const { rule } = change;
      if (change.operations.length === 0) return isIgnored(rule) ? [] : [change];
      const operations = change.operations.filter((operation) => !isIgnored(rule, operation));
      return operations.length === 0 ? [] : [{ ...change, operations }];
    }),
  }));
  const countIn = (each: readonly SourceChanges[]) => each.reduce((sum, { changes }) => sum + changes.length, 0);
  const hidden = countIn(all) - countIn(results);
  if (hidden > 0) await io.note(`${count(hidden, 'change')} ${hidden === 1 ? 'is' : 'are'} ignored by ${file}.`);
  for (const entry of ignored.unused) await io.note(`${file}: ${entry} matches no change.`);
  const expired = ignored.expired.map((entry): ChangeFinding => {
    const message = `the entry has expired and has no effect: ${entry}`;
    return { level: 'warning', rule: 'ignore-expired', message, file, where: '', operations: [] };
  });
  return { results, expired };
}

/** Whether `/pets/*` or `GET /pets/*` matches an operation. */
function fits(pattern: string, operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ');
  return [operation, path, `${method.toLowerCase()} ${path}`].some((text) => matchesPattern(pattern, text));
}

import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { isUnresolvedBefore, type PlacedChange } from '../../openapi/index.ts';
import type { ChangedDescription } from './changed-descriptions.ts';
import { type ChangeFinding, findingOf, gradedLevel, removal } from './diff-report.ts';
import { DescriptionThread } from '../shared/description-worker.ts';
import type { MergeBase } from '../../shared/merge-base.ts';
import { requestFor, unreadableSource } from './read-source.ts';
import type { ReadFlags } from './flags.ts';

/** A description compared with the merge base. */
export interface BaseComparison {
  kind: ChangedDescription['kind'];
  source: string;
  /** What it is compared with: the base, and the old name if it was renamed. */
  old: string;
  changes: readonly PlacedChange[];
  /** Why it could not be compared. */
  problems: ChangeFinding[];
  findingOf: (change: PlacedChange) => ChangeFinding;
}

/** A broken reference in the old description does not prevent its repair. */
const checkedFinding = (change: PlacedChange): ChangeFinding => ({
  ...findingOf(change),
  level: isUnresolvedBefore(change) ? 'warning' : gradedLevel(change),
});

/** Compares the changed descriptions with those of the merge base. New ones have no changes. */
export async function compareWithBase(
  invocation: Invocation<{}, ReadFlags>,
  base: MergeBase,
  all: readonly ChangedDescription[],
  now: Date,
): Promise<BaseComparison[]> {
  const thread = new DescriptionThread(invocation);
  const results: BaseComparison[] = [];
  try {
    for (const each of all) {
      const oldName = each.kind === 'changed' && each.oldName !== undefined ? `:${each.oldName}` : '';
      const more = { kind: each.kind, source: each.path, old: base.name + oldName, findingOf: checkedFinding };
      if (each.kind === 'changed')
        results.push({ ...more, ...(await compareOne(invocation, thread, base, each, now)) });
      else
        results.push({
          ...more,
          problems: [],
          changes: each.kind === 'removed' ? [removal(each.path, `${base.name}:${each.path}`)] : [],
        });
    }
  } finally {
    await thread.close();
  }
  return results;
}

async function compareOne(
  invocation: Invocation<{}, ReadFlags>,
  thread: DescriptionThread,
  base: MergeBase,
  { path, before }: ChangedDescription & { kind: 'changed' },
  now: Date,
): Promise<Pick<BaseComparison, 'changes' | 'problems'>> {
  const prefix = `${base.name}:`;
  const old = await requestFor(invocation, join(before.folder, before.path), '<files>');
  const request = {
    before: { ...old, directory: before.folder, named: { prefix }, overlays: before.overlays },
    after: { ...(await requestFor(invocation, path, '<files>')), wasChecked: true },
    now,
  };
  const result = await thread.compare(request, path);
  if (result.unreadable !== undefined)
    throw unreadableSource(result.unreadable, 'a file of the repository', result.hint);
  if (result.changes) return { changes: result.changes, problems: [] };
  // Those of the new description are findings of its validation.
  const problems = (result.problems ?? []).filter(({ file }) => file.startsWith(prefix));
  return {
    changes: [],
    problems: problems.map((problem) => ({ ...problem, level: 'warning', where: '', operations: [] })),
  };
}

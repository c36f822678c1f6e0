import type { Checkout } from '../../sync/checkout.ts';
import { describe, fetchCommand, History } from '../../sync/find-base.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { PushedCommit } from '../../content/folder/push-log.ts';
import type { AppliedEntry } from './state.ts';

/** The files are older than those of the last apply. */
export class StaleFiles extends EngineError {}

interface StaleOptions {
  /** Whether files of another branch are refused. If nothing is sent, they revert nothing. */
  hasChanges: boolean;
}

/**
 * Compares the commit of the files with those of earlier applies.
 *
 * @throws StaleFiles if a later commit was applied; EngineError if another branch was, or the clone lacks the history to know
 */
export async function refuseStale(
  checkout: Checkout | undefined,
  applies: readonly AppliedEntry[],
  { hasChanges }: StaleOptions,
): Promise<void> {
  if (!checkout) return;
  const history = new History(checkout, applies);
  const { head } = checkout;
  for (const entry of applies.toReversed()) {
    const { commit } = entry;
    if (!commit) continue;
    const relation = await history.relationOf(entry);
    if (relation === 'ancestor') return;
    if (relation === 'later')
      throw new StaleFiles(
        'refused',
        `This checkout (${describe(head)}) is older than the last apply (${describe(commit)}). Nothing was sent.`,
        {
          hint: 'Pull the latest commits and try again. Use --if-stale skip in a pipeline that newer runs may overtake, or --if-stale apply to go back to these files.',
        },
      );
    if (relation === 'diverged' && hasChanges)
      throw new EngineError(
        'refused',
        `The last apply came from commit ${describe(commit)}${commit.branch === undefined ? '' : ` on ${commit.branch}`}, which this checkout (${describe(head)}) does not contain. Nothing was sent, because that would revert it.`,
        { hint: 'Merge that commit and try again, or use --if-stale apply to replace what it changed.' },
      );
    if (relation === 'unknown')
      throw new EngineError(
        'refused',
        `The last apply came from commit ${describe(commit)}${commit.branch === undefined ? '' : ` on ${commit.branch}`}, and this clone does not have the history to tell whether it is newer. Nothing was sent.`,
        { hint: `Run: ${fetchCommand(checkout, commit.branch)}` },
      );
  }
}

/** The commit of a folder, for the state. */
export async function commitOf(checkout: Checkout): Promise<PushedCommit> {
  const { head, branch, path } = checkout;
  const remote = await checkout.remote();
  return { ...head, path, ...(branch !== undefined && { branch }), ...(remote !== undefined && { remote }) };
}

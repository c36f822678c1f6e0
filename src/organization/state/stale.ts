import type { Checkout } from '../../sync/checkout.ts';
import { describe, fetchCommand, History } from '../../sync/find-base.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { PushedCommit } from '../../content/folder/push-log.ts';
import type { AppliedEntry } from './state.ts';

/** The files are older than those of the last apply. */
export class StaleFiles extends EngineError {}

/** Why the files of a checkout may be older than those that were applied. */
interface Staleness {
  relation: 'later' | 'diverged' | 'unknown';
  text: string;
  hint: string;
}

interface StaleOptions {
  /** Whether files of another branch count. If they change nothing, they revert nothing. */
  hasChanges: boolean;
}

/** Compares the commit of the files with those of earlier applies. @returns undefined if it contains the last one */
export async function staleness(
  checkout: Checkout | undefined,
  applies: readonly AppliedEntry[],
  { hasChanges }: StaleOptions,
): Promise<Staleness | undefined> {
  if (!checkout) return undefined;
  const history = new History(checkout, applies);
  const head = describe(checkout.head);
  for (const entry of applies.toReversed()) {
    const { commit } = entry;
    if (!commit) continue;
    const relation = await history.relationOf(entry);
    const last = `The last apply came from commit ${describe(commit)}${commit.branch === undefined ? '' : ` on ${commit.branch}`}`;
    switch (relation) {
      case 'ancestor':
        return undefined;
      case 'later':
        return {
          relation,
          text: `This checkout (${head}) is older than the last apply (${describe(commit)}).`,
          hint: 'Pull the latest commits and try again. Use --if-stale skip in a pipeline that newer runs may overtake, or --if-stale apply to go back to these files.',
        };
      case 'diverged':
        if (!hasChanges) continue;
        return {
          relation,
          text: `${last}, which this checkout (${head}) does not contain, so these files would revert it.`,
          hint: 'Merge that commit and try again, or use --if-stale apply to replace what it changed.',
        };
      case 'unknown':
        return {
          relation,
          text: `${last}, and this clone does not have the history to tell whether it is newer.`,
          hint: `Run: ${fetchCommand(checkout, commit.branch)}`,
        };
    }
  }
  return undefined;
}

/**
 * Refuses files that are older than those of the last apply.
 *
 * @throws StaleFiles if a later commit was applied; EngineError if another branch was, or the clone lacks the history to know
 */
export async function refuseStale(
  checkout: Checkout | undefined,
  applies: readonly AppliedEntry[],
  options: StaleOptions,
): Promise<void> {
  const stale = await staleness(checkout, applies, options);
  if (!stale) return;
  const Refusal = stale.relation === 'later' ? StaleFiles : EngineError;
  throw new Refusal('refused', `${stale.text} Nothing was sent.`, { hint: stale.hint });
}

/** The commit of a folder, for the state. */
export async function commitOf(checkout: Checkout): Promise<PushedCommit> {
  const { head, branch, path } = checkout;
  const remote = await checkout.remote();
  return { ...head, path, ...(branch !== undefined && { branch }), ...(remote !== undefined && { remote }) };
}

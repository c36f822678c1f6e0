import type { FolderTexts } from '../../sync/local-folder.ts';
import { saveLock } from '../lock.ts';
import type { Change } from '../plan/change.ts';
import { type MadePlan, partsOfKinds, planFrom } from '../plan/make-plan.ts';
import type { OrganizationPort } from '../port.ts';
import type { State } from '../state/state.ts';
import { recordMatches } from './state-recorder.ts';

interface Options {
  texts: FolderTexts;
  /** The shared state after the apply, if it could be changed. */
  state: State | undefined;
  /** Whether the state was left alone on purpose, so that its policy is not compared. */
  keepsState?: boolean;
}

/**
 * Plans again after an apply, and records which content folders match their spaces. What is left was not kept by the service,
 * or somebody changed it in the meantime.
 *
 * @param made the plan of which every change was made
 */
export async function remainingAfter(
  port: OrganizationPort,
  made: MadePlan,
  { texts, state, keepsState = false }: Options,
): Promise<readonly Change[]> {
  const { plan, lock, path, hasFolder, shared, source } = made;
  const { only = partsOfKinds(new Set(plan.changes.map(({ kind }) => kind))) } = source.flags;
  const { approval: wanted } = source.read.organization.organization ?? {};
  const again = {
    ...source,
    lock,
    // Without the folder, the lock has no hashes.
    applied: new Map([...source.applied, ...lock.files]),
    shared: shared && state ? { ...shared, state } : shared,
    approval: keepsState && wanted !== undefined ? wanted : ((state ?? shared?.state)?.approval ?? null),
    flags: { ...source.flags, only },
  };
  // The first plan has told everything else.
  const silent = { ...port, note: async () => {} };
  const contents = new Set(plan.contents.map(({ content }) => content));
  const { changes } = (await planFrom(silent, again, { texts, contents })).plan;
  if (state) recordMatches(state, lock);
  if (hasFolder) await saveLock(path, lock);
  return changes;
}

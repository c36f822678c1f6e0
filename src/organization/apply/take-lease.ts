import { setTimeout } from 'node:timers/promises';
import { orgs } from '../../contract/orgs.ts';
import { spaces } from '../../contract/spaces.ts';
import { visible } from '../../shared/visible.ts';
import { applySubject, archiveLeft } from '../content/send-content.ts';
import { saveLock } from '../lock.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import type { OrganizationPort } from '../port.ts';
import { HeldLease, refuseHeld } from '../state/held-lease.ts';
import { isExpired, type Lease } from '../state/lease.ts';
import type { SharedState } from '../state/shared-state.ts';
import { type AppliedEntry, pagesOf, type Sending, type State } from '../state/state.ts';
import { LeaseConflict, StateSpace } from '../state/state-space.ts';
import { addEntry, hasUncommitted, recordApplied, recordMatches } from './state-recorder.ts';

/** How often a waiting apply looks whether the lease is free. */
const pollMs = 2000;

interface TakeOptions {
  made: MadePlan;
  /** The commit that is applied. */
  entry: AppliedEntry;
  /** Whether to wait for another apply. */
  wait: boolean;
}

export interface TakenLease {
  held: HeldLease;
  /** Whether somebody applied files after the plan was made, so that it has to be made again. */
  isOutdated: boolean;
  /** What earlier applies wanted to send. */
  left: readonly Sending[];
}

/**
 * Takes the lease of the organization, and records everything in the files that the service already has. Creates the state
 * if there is none.
 *
 * @returns undefined if the caller may not change the state @throws EngineError that names the holder
 */
export async function takeLease(
  port: OrganizationPort,
  { made, entry, wait }: TakeOptions,
): Promise<TakenLease | undefined> {
  const space = await writableSpace(port, made);
  if (!space) return undefined;
  for (let round = 0; ; round += 1) {
    const taken = await acquire(port, space, { made, entry });
    if ('held' in taken) return taken;
    if (!wait) refuseHeld(taken);
    if (round === 0) await port.note(`Waiting for the apply of ${visible(taken.holder)} on ${visible(taken.host)}.`);
    await setTimeout(pollMs, undefined, { signal: port.signal });
  }
}

/**
 * Takes the lease to archive what earlier applies left.
 *
 * @param entry recorded with the files, which match the service; undefined if they do not
 * @returns undefined if somebody else holds it, or the caller may not change the state
 */
export async function takeFreeLease(
  port: OrganizationPort,
  made: MadePlan,
  entry: AppliedEntry | undefined,
): Promise<TakenLease | undefined> {
  const space = await writableSpace(port, made);
  const taken = space && (await acquire(port, space, { made, entry }));
  return taken && 'held' in taken ? taken : undefined;
}

/** @returns the lease of somebody else, if there is one */
async function acquire(
  port: OrganizationPort,
  space: StateSpace,
  { made, entry }: { made: MadePlan; entry: AppliedEntry | undefined },
): Promise<TakenLease | Lease> {
  let isOutdated = false;
  let left: readonly Sending[] = [];
  const taken = await HeldLease.acquire(port, space, (state, user) => {
    left = state.sending;
    isOutdated = isNewer(state, made.shared);
    if (isOutdated || !entry) return;
    startApply(state, made, entry);
    state.sending = [...left, ...sendingOf(made, user)];
  });
  return taken instanceof HeldLease ? { held: taken, isOutdated, left } : taken;
}

/** Records the start of an apply whose plan was made again. */
export function restart(held: HeldLease, made: MadePlan, entry: AppliedEntry): Promise<void> {
  startApply(held.state, made, entry);
  held.state.sending.push(...sendingOf(made, held.user));
  return held.save();
}

const sendingOf = (made: MadePlan, user: string): Sending[] =>
  made.plan.contents.map(({ content: space }) => ({
    space,
    subject: applySubject(space),
    user,
    ...(!hasUncommitted(made, space) && { after: made.snapshot.spaces.get(space)?.changeRequests ?? 0 }),
  }));

/** Whether an earlier apply may have left change requests, and none is running. */
export const hasLeftovers = ({ shared }: MadePlan): boolean =>
  shared !== undefined &&
  shared.state.sending.length > 0 &&
  (shared.lease === undefined || isExpired(shared.lease, Date.now()));

/** Archives the change requests that earlier applies left in spaces. */
export async function archiveLeftovers(
  port: OrganizationPort,
  made: MadePlan,
  { held, left }: TakenLease,
): Promise<void> {
  for (const each of left) {
    const spaceId = made.lock.ids.spaces.get(each.space);
    if (spaceId !== undefined) await archiveLeft(port, { ...each, spaceId });
  }
  held.state.sending = sendingOf(made, held.user);
}

function startApply(state: State, made: MadePlan, entry: AppliedEntry): void {
  for (const [name, revision] of made.source.continued)
    state.contents.set(name, { ...state.contents.get(name), revision, isExport: false });
  recordApplied(state, made, made.plan.changes);
  recordMatches(state, made.lock);
  addEntry(state, entry);
  state.serial += 1;
}

const isNewer = (state: State, shared: SharedState | undefined) => state.serial !== (shared?.state.serial ?? 0);

/** The space of the state; undefined if the caller may not change or create it. */
async function writableSpace(port: OrganizationPort, { shared, orgId }: MadePlan): Promise<StateSpace | undefined> {
  const { client } = port;
  if (shared) {
    const { permissions } = await client.call(spaces.view, { params: { spaceId: shared.space.id } });
    return permissions.edit && permissions.merge ? shared.space : undefined;
  }
  const { permissions } = await client.call(orgs.view, { params: { orgId } });
  return permissions.admin ? StateSpace.create(port, orgId) : undefined;
}

/** Releases the lease, and updates the lock file of the folder to the state. */
export async function releaseLease(held: HeldLease, { lock, path, hasFolder }: MadePlan): Promise<void> {
  await held.release();
  if (!hasFolder) return;
  lock.state = { space: held.space.id, serial: held.state.serial };
  await saveLock(path, lock);
}

/** Records files that match the service, if the state does not have them yet and nobody is applying anything. */
export async function recordUnchanged(port: OrganizationPort, made: MadePlan, entry: AppliedEntry): Promise<void> {
  const { shared } = made;
  if (shared && !differs(shared.state, made)) return;
  const space = await writableSpace(port, made);
  if (!space) return;
  try {
    const stored = await space.write(port, 'Record the files', ({ state, lease }) => {
      if (lease || isNewer(state, shared)) return undefined;
      const next = structuredClone(state);
      startApply(next, made, entry);
      return { state: next, lease: undefined };
    });
    if (stored) made.lock.state = { space: space.id, serial: stored.state.serial };
  } catch (error) {
    // What somebody else records at the same time is newer.
    if (!(error instanceof LeaseConflict)) throw error;
  }
}

function differs(state: State, made: MadePlan): boolean {
  const next = structuredClone(state);
  recordApplied(next, made, []);
  const [before, after] = [pagesOf(state), pagesOf(next)];
  return before.size !== after.size || [...after].some(([title, text]) => before.get(title) !== text);
}

import type { Port } from '../../client/port.ts';
import { type Lock, lockIn } from '../lock.ts';
import { eachNamedKind, type Ids } from '../parts.ts';
import { idsIn, type State } from './state.ts';
import { StateSpace, type StoredState } from './state-space.ts';

/** The state in the service. */
export interface SharedState extends StoredState {
  space: StateSpace;
}

/** What is known about a folder: from its lock file, and from the state that all folders share. */
export interface Known {
  /** With the IDs and bases of the state. */
  lock: Lock;
  shared: SharedState | undefined;
  /** Whether the lock file was written after the last apply, so that its hashes count. */
  isCurrent: boolean;
}

/** @param spaceId where the state was the last time */
export async function readShared(
  port: Pick<Port, 'client' | 'signal'>,
  orgId: string,
  spaceId?: string,
): Promise<SharedState | undefined> {
  const space = await StateSpace.find(port, orgId, spaceId);
  return space && { ...(await space.read(port)), space };
}

/** What is known about a folder that may have no lock file. @throws EngineError if it belongs to another organization */
export async function readKnown(port: Pick<Port, 'client' | 'signal'>, path: string, orgId: string): Promise<Known> {
  const lock = await lockIn(path, orgId);
  const shared = await readShared(port, orgId, lock.state?.space);
  return { ...withState(lock, shared), shared };
}

/** Adds the state to a lock. */
export function withState(lock: Lock, shared: SharedState | undefined): Pick<Known, 'lock' | 'isCurrent'> {
  if (!shared) return { lock, isCurrent: true };
  const { state, space } = shared;
  const isCurrent = lock.state?.space === space.id && lock.state.serial === state.serial;
  for (const [name, { revision, isExport }] of state.contents) {
    // An export after the last apply is a newer base.
    if (isCurrent && lock.revisions.has(name)) continue;
    const [map, other] = isExport ? [lock.revisions, lock.applied] : [lock.applied, lock.revisions];
    map.set(name, revision);
    other.delete(name);
  }
  return {
    lock: { ...lock, ids: idsOf(lock, state, isCurrent), state: { space: space.id, serial: state.serial } },
    isCurrent,
  };
}

function idsOf({ ids }: Lock, state: State, isCurrent: boolean): Ids {
  return eachNamedKind((kind) => {
    const [first, second] = isCurrent ? [ids[kind], idsIn(state, kind)] : [idsIn(state, kind), ids[kind]];
    const named = new Set(first.values());
    return new Map([...[...second].filter(([name, id]) => !first.has(name) && !named.has(id)), ...first]);
  });
}

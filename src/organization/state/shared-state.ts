import type { Port } from '../../client/port.ts';
import { refuseOrganizationOfEnvironment } from '../files/environment.ts';
import { type Lock, lockIn } from '../lock.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { eachNamedKind, type Ids, overlayFile } from '../parts.ts';
import { type AppliedEntry, idsIn, type State } from './state.ts';
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
  /** The revisions that the files of this folder were exported from, by space. */
  exported: ReadonlyMap<string, string>;
}

export interface KnownFolder {
  path: string;
  orgId: string;
  env: string | undefined;
  /** Whether the file of the environment names the organization. */
  isNamed: boolean;
}

/** @throws EngineError if the organization has the files of another environment: somebody chose the wrong one */
function refuseOtherEnvironment(last: AppliedEntry | undefined, env: string | undefined): void {
  if (!last || last.env === env) return;
  const text = (name: string | undefined) => (name === undefined ? 'without --env' : `with --env ${name}`);
  throw new EngineError(
    'refused',
    `The files were last applied to this organization ${text(last.env)}, not ${text(env)}. Nothing was sent.`,
    {
      hint:
        env === undefined
          ? 'Use the same --env, or select another organization with --org.'
          : `Select another organization with --org. If this is the right one, write "org: <its ID>" into ${overlayFile(env)}.`,
    },
  );
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
export async function readKnown(
  port: Pick<Port, 'client' | 'signal'>,
  { path, orgId, env, isNamed }: KnownFolder,
): Promise<Known> {
  const lock = await lockIn(path, orgId, env);
  const shared = await readShared(port, orgId, lock.state?.space);
  if (!isNamed) refuseOtherEnvironment(shared?.state.applies.at(-1), env);
  // Later, the state tells which environment was applied.
  if (env === undefined && !shared?.state.applies.length) await refuseOrganizationOfEnvironment(port, path, orgId);
  const exported = new Map(lock.revisions);
  return { ...withState(lock, shared), shared, exported };
}

/** Adds the state to a lock. */
export function withState(lock: Lock, shared: SharedState | undefined): Pick<Known, 'lock' | 'isCurrent'> {
  if (!shared) return { lock, isCurrent: true };
  const { state, space } = shared;
  const isCurrent = lock.state?.space === space.id && lock.state.serial === state.serial;
  for (const [name, { revision, isExport, match }] of state.contents) {
    if (match && !(isCurrent && lock.matches.has(name))) lock.matches.set(name, match);
    // An export after the last apply is a newer base.
    if (isCurrent && (lock.revisions.has(name) || lock.applied.has(name))) continue;
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

import {
  type ChangeKind,
  changeKindOf,
  changeKinds,
  contentPath,
  files,
  kinds,
  type NamedKind,
  namedKinds,
  pathOf,
} from '../parts.ts';
import type { Lock } from '../lock.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import { Selection } from '../selection.ts';
import { hashesOf, objectsOf } from '../state/hashes.ts';
import type { HeldLease } from '../state/held-lease.ts';
import { renameInState } from '../state/renames.ts';
import { type AppliedEntry, objectIn, setObject, type State } from '../state/state.ts';
import type { Applied } from './applied.ts';

const named: ReadonlyMap<ChangeKind, NamedKind> = new Map(namedKinds.map((kind) => [changeKindOf[kind], kind]));

/** Stores in the shared state what an apply does, so that another machine could continue it. */
export class StateRecorder {
  readonly #made: MadePlan;
  readonly #held: HeldLease;

  constructor(made: MadePlan, held: HeldLease) {
    this.#made = made;
    this.#held = held;
  }

  get failure(): Error | undefined {
    return this.#held.failure;
  }

  /** An object was created. Its ID is stored before anything else is sent that depends on it. */
  async made(kind: NamedKind, name: string, id: string): Promise<void> {
    setObject(this.#held.state, changeKindOf[kind], name, {
      ...objectIn(this.#held.state, changeKindOf[kind], name),
      id,
    });
    await this.#held.save();
  }

  /** A change was made. */
  done(index: number): void {
    const change = this.#made.plan.changes[index];
    if (!change || change.action === 'move' || change.kind === 'content') return;
    const { kind, action } = change;
    const name = kind === 'organization' ? '' : change.name;
    if (kind === 'invite link') return;
    if (action === 'delete') removeObject(this.#held.state, this.#made, kind, name);
    else setApplied(this.#held.state, this.#made, kind, name);
    this.#save();
  }

  /** The content of a space was sent. */
  sent(space: string, revision: string): void {
    const { state } = this.#held;
    state.sending = state.sending.filter((each) => each.space !== space);
    if (!hasUncommitted(this.#made, space)) state.contents.set(space, { revision, isExport: false });
    this.#save();
  }

  /** Everything that was to be done was tried. */
  finish(results: Applied['results']): void {
    const { changes } = this.#made.plan;
    const unfinished = changes.filter((_, index) => results[index] !== 'done');
    recordApplied(this.#held.state, this.#made, unfinished);
    recordMatches(this.#held.state, this.#made.lock);
    this.#save();
  }

  // What could not be stored ends the apply: nothing more is sent.
  #save(): void {
    void this.#held.save().catch(() => {});
  }
}

type Unfinished = readonly { kind: ChangeKind; name: string; action: string }[];

/**
 * Records the objects and contents of the files that the service has.
 *
 * @param unfinished changes that have not been made
 */
export function recordApplied(state: State, made: MadePlan, unfinished: Unfinished): void {
  const { lock, plan, source, renames } = made;
  renameInState(state, renames);
  const only = new Selection(source.flags.only);
  const open = new Set(unfinished.map(({ kind, name }) => `${kind} ${kind === 'organization' ? '' : name}`));
  // The order of a collection changes with moves of what is in it.
  const hasMoves = unfinished.some(({ action }) => action === 'move');
  const hasLinks = unfinished.some(({ kind }) => kind === 'invite link');
  for (const kind of changeKinds) {
    if ((kind === 'collection' && hasMoves) || (kind === 'invite link' && hasLinks)) continue;
    const objects = objectsOf(source.read.organization, kind);
    if (kinds[kind].objects(source.read.organization) === undefined) continue;
    const isCovered = (name: string) => only.covers(pathOf(kinds[kind].part, name));
    for (const name of objects.keys())
      if (isCovered(name) && !open.has(`${kind} ${name}`)) setApplied(state, made, kind, name);
    // Objects that are in neither the files nor the service are no longer managed.
    for (const name of state.objects.get(kind)?.keys() ?? [])
      if (isCovered(name) && !objects.has(name) && !open.has(`${kind} ${name}`)) removeObject(state, made, kind, name);
  }
  const { approval } = source.read.organization.organization ?? {};
  if (approval !== undefined && !open.has('organization ') && only.covers(files.organization.file))
    state.approval = approval ?? undefined;
  const sent = new Set(plan.contents.map(({ content }) => content));
  for (const name of source.read.contents) {
    const [exported, applied] = [lock.revisions.get(name), lock.applied.get(name)];
    const isMatch = applied !== undefined && lock.matches.get(name)?.revision === applied;
    const revision = exported ?? (isMatch ? applied : undefined);
    if (revision === undefined || sent.has(name) || !only.covers(contentPath(name)) || hasUncommitted(made, name))
      continue;
    state.contents.set(name, { ...state.contents.get(name), revision, isExport: exported !== undefined });
  }
}

/** Records which content folders match their spaces. */
export function recordMatches({ contents }: State, { matches }: Lock): void {
  for (const [name, base] of contents) contents.set(name, { ...base, match: matches.get(name) ?? base.match });
}

/**
 * Whether the file of an object is not as in the commit. Other clones do not have what it says, so for them, it is a change in
 * the service: the state keeps the base that they know.
 */
const isUncommitted = ({ uncommitted }: MadePlan, kind: ChangeKind, name: string): boolean =>
  uncommitted?.has(pathOf(kinds[kind].part, name)) === true;

/** The same for the content of a space. */
export const hasUncommitted = ({ uncommitted }: MadePlan, space: string): boolean =>
  uncommitted?.values().some((file) => file.startsWith(`${contentPath(space)}/`)) === true;

function setApplied(state: State, made: MadePlan, kind: ChangeKind, name: string): void {
  const { snapshot, source, lock } = made;
  const object = objectsOf(source.read.organization, kind).get(name);
  if (object === undefined) return;
  const ids = named.get(kind);
  const before = objectIn(state, kind, name);
  const id = ids && (lock.ids[ids].get(name) ?? snapshot.names.ids[ids].get(name) ?? before?.id);
  const isKept = isUncommitted(made, kind, name);
  const base = isKept ? before?.base : hashesOf(kind, object, source.read.secrets);
  setObject(state, kind, name, { ...(id !== undefined && { id }), ...(base && { base }) });
}

function removeObject(state: State, made: MadePlan, kind: ChangeKind, name: string): void {
  if (isUncommitted(made, kind, name)) return;
  state.objects.get(kind)?.delete(name);
  if (kind === 'space') state.contents.delete(name);
}

/** Records an apply. */
export function addEntry(state: State, entry: AppliedEntry): void {
  state.applies.push(entry);
}

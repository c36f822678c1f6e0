import { mainSlot, objectOf, type Slots } from './slots.ts';
import { Version, type Versions } from './versions.ts';
import { cloneNames, type State, type World } from './world.ts';

export class Violation extends Error {}

/** Who changed the service, as far as it matters for what may have changed. */
export interface Actor {
  /** What the files say that are applied. */
  folder: Versions;
  keepsDrift?: boolean;
  prunes?: boolean;
  /** What the command printed. */
  output?: string;
}

export class Expected {
  service: Versions = new Map();
  readonly folders = new Map<string, Versions>();
  readonly commits = new Map<string, Versions>();
  /** Objects that the files of an apply had that ended with 0. */
  readonly managed = new Set<string>();
  ids = new Map<string, string>();
  others: string[] = [];
  /** Objects that were exported and never applied, and whose IDs were discarded with a lock file. */
  readonly unknown = new Set<string>();
  /** Objects that were deleted and created, because their files were renamed and changed: there is no base of what they have. */
  readonly recreated = new Set<string>();
  /** The commits of the last applies that changed or recorded something, or tried to: of two at once, one may have failed. */
  lastApplied: (string | undefined)[] = [];
  /** Whether an apply was cut off, whose lease may still be held. */
  isLeased = false;
  last = '';

  fail(message: string): void {
    const { MODELS_IGNORE } = process.env;
    if (MODELS_IGNORE && new RegExp(MODELS_IGNORE).test(message)) return;
    throw new Violation(`${message}, after: ${this.last}`);
  }

  /** What the service, the clones and the first commit have at the beginning. */
  async begin(world: World): Promise<void> {
    const { slots, ids, others } = world.begin;
    this.service = new Map([...slots].map(([slot, value]) => [slot, new Version(value)]));
    this.ids = new Map([...ids].map(([object, [id = '']]) => [object, id]));
    this.others = others;
    for (const version of this.service.values()) version.isApplied = version.isShared = true;
    for (const slot of this.service.keys()) this.managed.add(objectOf(slot));
    for (const name of cloneNames) this.folders.set(name, new Map(this.service));
    this.commits.set(await world.head('ann'), new Map(this.service));
  }

  /** The IDs that only the lock file of a clone had are gone. */
  forgetLock(clone: string): void {
    for (const slot of this.folder(clone).keys())
      if (!this.managed.has(objectOf(slot))) this.unknown.add(objectOf(slot));
  }

  folder(clone: string): Versions {
    return this.folders.get(clone) ?? new Map();
  }

  /** Takes over what a person changed in the files of a clone. */
  noteEdits(world: World, clone: string): void {
    const versions = new Map(this.folder(clone));
    const now = world.folder(clone).read();
    for (const slot of new Set([...versions.keys(), ...now.keys()])) {
      const before = versions.get(slot);
      if (before?.value !== now.get(slot)) versions.set(slot, new Version(now.get(slot), [before]));
    }
    this.folders.set(clone, versions);
  }

  /** Takes over what Git merged into a clone. */
  noteMerge(world: World, clone: string, other: Versions): void {
    const own = this.folder(clone);
    const versions: Versions = new Map();
    const now = world.folder(clone).read();
    for (const slot of new Set([...own.keys(), ...other.keys(), ...now.keys()])) {
      const value = now.get(slot);
      const sides = [own.get(slot), other.get(slot)].filter((side) => side !== undefined);
      const same = sides.filter((side) => side.value === value);
      const [one, two] = sides;
      if (one && two && one !== two && same.length === 2) versions.set(slot, newest(one, two));
      else if (same.length === 1 && (sides.length === 1 || sides.every((side) => same[0]!.follows(side))))
        versions.set(slot, same[0]!);
      else if (same.length === 1 && one === two) versions.set(slot, one!);
      else if (same.length > 0 && one === two) versions.set(slot, one!);
      else versions.set(slot, new Version(value, sides));
    }
    this.folders.set(clone, versions);
  }

  /** Takes over what somebody changed in the app. */
  async noteApp(world: World): Promise<State> {
    const state = await world.read();
    for (const slot of changedSlots(this.service, state.slots))
      this.service.set(slot, new Version(state.slots.get(slot), [this.service.get(slot)], true));
    this.#noteIds(state, true);
    return state;
  }

  /** Checks what a command changed in the service. */
  async checkService(world: World, actor: Actor): Promise<State> {
    const state = await world.read();
    const changed = changedSlots(this.service, state.slots);
    for (const slot of changed) this.#checkSlot(slot, state.slots, actor);
    this.#noteIds(state, actor.prunes === true, actor.output);
    return state;
  }

  /** An apply sent or found a version. */
  #noteShared(slot: string, version: Version): void {
    version.isShared ||= [...this.commits.values()].some((versions) => versions.get(slot)?.contains(version));
  }

  #checkSlot(slot: string, slots: Slots, { folder, keepsDrift, prunes, output }: Actor): void {
    const before = this.service.get(slot);
    const after = slots.get(slot);
    const own = folder.get(slot);
    const set = (version: Version) => void this.service.set(slot, version);
    const texts = `${slot}: "${before?.value}" was replaced by "${after}"`;
    if (after !== own?.value || (own === undefined && after === undefined)) {
      // What belonged to a removed object is removed with it.
      if (after === undefined && isGoneWith(slot, slots)) return set(new Version(undefined, [before]));
      const isUnlisted = own === undefined && after === undefined && folder.get(mainSlot(objectOf(slot)))?.value;
      if (isUnlisted && before && !before.isShared && !keepsDrift) return set(new Version(undefined, [before]));
      const isPruned = prunes && own === undefined && after === undefined && before && !before.isShared;
      if (isPruned) return set(new Version(undefined, [before]));
      // The spaces of a site and of a collection change with the spaces.
      if (/ (?:in|spaces)$/.test(slot) && hasLost(before?.value, after, slots))
        return set(new Version(after, [before]));
      // A site that was changed in the files gets its other spaces.
      if (keepsDrift && slot.endsWith(' spaces') && hasLost(own?.value, after, slots))
        return set(new Version(after, [before]));
      this.fail(`${texts}, which the files do not contain (they have "${own?.value}")`);
      return set(new Version(after, [before]));
    }
    if (own && before && !own.follows(before)) {
      const isDeliberate = !before.isShared;
      if (!isDeliberate) this.fail(`${texts}, whose author did not know it`);
      else if (keepsDrift && own.isApplied) this.fail(`${texts} in spite of --keep-drift`);
      else if (/ page /.test(slot) && !own.isApplied && before.value !== undefined && own.value !== undefined)
        this.fail(`${texts} without a conflict`);
      else if (
        slot.endsWith(' title') &&
        before.value !== undefined &&
        output !== undefined &&
        !(own.isShared && before.follows(own) && !this.recreated.has(objectOf(slot))
          ? isDrift(output, before.value)
          : isMentioned(output, before.value))
      )
        this.fail(`${texts} without a word about it`);
      own.replaced.add(before);
    }
    if (own) this.#noteShared(slot, own);
    set(own!);
  }

  #noteIds({ ids, others }: State, mayRemove: boolean, output = ''): void {
    for (const [object, all] of ids) {
      // While an apply runs, both can be there.
      const isKnown = !this.unknown.has(object) && !saysPossibleRename(output, object);
      if (all.length > 1 && isKnown) this.fail(`${object} is in the service ${all.length} times`);
      const before = this.ids.get(object);
      if (before !== undefined && before !== all[0] && !saysPossibleRename(output, object))
        this.fail(`${object} got another ID`);
      if (before !== undefined && before !== all[0]) this.recreated.add(object);
      this.ids.set(object, all[0]!);
    }
    for (const object of this.ids.keys()) if (!ids.has(object)) this.ids.delete(object);
    const missing = this.others.filter((each) => !others.includes(each));
    if (missing.length > 0 && !mayRemove) this.fail(`${missing[0]} was not in the files and is gone`);
    this.others = others;
  }

  /** After an apply with status 0, the service has what the files say. */
  checkApplied({ slots }: State, { folder, keepsDrift }: Actor): void {
    for (const [slot, own] of folder) {
      const present = this.service.get(slot);
      const value = slots.get(slot);
      if (own.value === value) {
        if (present && present !== own) Version.join(present, own);
        own.isApplied = true;
        this.#noteShared(slot, own);
        if (present) this.#noteShared(slot, present);
        if (value !== undefined) this.managed.add(objectOf(slot));
        continue;
      }
      if (keepsDrift && present && !present.isShared) continue;
      if (own.value === undefined) {
        // An object that was only ever in the service is left alone.
        if (this.managed.has(objectOf(slot)) && !(slot === mainSlot(objectOf(slot)) && present?.isApp))
          this.fail(`status 0, but ${slot} is still "${value}", and the files no longer have it`);
        continue;
      }
      this.fail(`status 0, but ${slot} is "${value}" instead of "${own.value}"`);
    }
  }

  /** Whether an apply may refuse. */
  async mayRefuse(world: World, clone: string, folder: Versions): Promise<boolean> {
    if (this.isLeased) return true;
    for (const [slot, present] of this.service) {
      const own = folder.get(slot);
      if (own?.follows(present)) continue;
      if (present.isShared) {
        if (own || present.value !== undefined) return true;
      }
      // A page that both sides changed, also in different places.
      const page = / page /.test(slot) && own ? `${objectOf(slot)} page ` : undefined;
      if (page && [...folder].some(([each, version]) => each.startsWith(page) && !version.isApplied)) return true;
    }
    for (const commit of this.lastApplied.slice(-2))
      if (commit !== undefined && !(await world.isAncestor(clone, commit, 'HEAD'))) return true;
    return false;
  }

  /** Takes over what an export changed in the files, and checks it. */
  checkExported(world: World, clone: string, state: State, isDone: boolean, hasLock = true): void {
    const versions = new Map(this.folder(clone));
    const now = world.folder(clone).read();
    for (const slot of new Set([...versions.keys(), ...now.keys()])) {
      const before = versions.get(slot);
      const after = now.get(slot);
      const present = this.service.get(slot);
      // The shared state forgets deleted objects: without a lock file, their files may be new ones.
      const isForgotten = !hasLock && !this.ids.has(objectOf(slot));
      const isLeft = before?.value === after && before && present?.follows(before) && present.value !== after;
      if (isDone && isLeft && !isForgotten)
        this.fail(`export left "${after}" of ${slot} in the files, which is "${present?.value}" in the service`);
      if (before?.value === after) continue;
      // A file that was not overwritten (status 6) can mention what is gone.
      if (state.slots.get(slot) !== after && !(!isDone && after?.startsWith('? ')))
        this.fail(`export changed ${slot} from "${before?.value}" to "${after}", but it is "${present?.value}"`);
      else if (before && present && !present.follows(before) && !before.isApplied)
        this.fail(`export replaced "${before.value}" of ${slot} by "${after}", which was changed in the files`);
      versions.set(slot, present ?? new Version(after, [before]));
    }
    this.folders.set(clone, versions);
  }
}

/** Of two versions with the same value, one that both are known by. */
function newest(one: Version, other: Version): Version {
  if (one.follows(other)) return one;
  if (other.follows(one)) return other;
  return new Version(one.value, [one, other]);
}

function changedSlots(versions: Versions, slots: Slots): string[] {
  return [...new Set([...versions.keys(), ...slots.keys()])].filter(
    (slot) => versions.get(slot)?.value !== slots.get(slot),
  );
}

const isMentioned = (output: string, word: string) => new RegExp(`\\b${word}\\b`).test(output);

/** Whether a plan shows a value as one that was changed in the service: with all of its object, or alone. */
function isDrift(output: string, word: string): boolean {
  const isMarked = (line = '') => line.includes(' (changed in the service)');
  return output.split(/\n(?=\S)/).some((row) => {
    const [head, ...fields] = row.split('\n');
    return isMarked(head) ? isMentioned(row, word) : fields.some((line) => isMarked(line) && isMentioned(line, word));
  });
}

/** Whether a plan says that an object may be deleted and created because its name and something else of it changed. */
const saysPossibleRename = (output: string, object: string) =>
  new RegExp(`The ${object.split(' ')[0]} .* is gone and .*otherwise they are (?:two|different) objects`).test(output);

/** Whether the object of a slot, or the member of a membership, is no longer in the service. */
function isGoneWith(slot: string, slots: Slots): boolean {
  const object = objectOf(slot);
  if (slot !== mainSlot(object) && !slots.has(mainSlot(object))) return true;
  const [, email] = /^team \S+ member (.+)$/.exec(slot) ?? [];
  return email !== undefined && !slots.has(`member ${email} role`);
}

/** Whether a list of keys only lost objects that are gone. */
function hasLost(before: string | undefined, after: string | undefined, slots: Slots): boolean {
  const isThere = (key: string) => slots.has(`space ${key} title`) || slots.has(`collection ${key} title`);
  const left = (before ?? '').split('+').filter(isThere).join('+');
  return left === (after ?? '') || (after === 'top' && left === '');
}

import { type ChangeKind, type Ids, type NamedKind, type Organization, kinds, pathOf, singular } from '../parts.ts';
import { type FileProblem, Places } from '../files/problems.ts';
import { Baseline } from '../state/baseline.ts';
import type { Change, FieldChange, NewStep, OrganizationPlan, Step, Unnamed } from './change.ts';

/** The input of the planners. */
export interface PlanInput {
  /** The organization that the files describe. */
  desired: Organization;
  /** The organization of the service, with the same names. */
  current: Organization;
  orgId: string;
  ids: Ids;
  /** IDs of members by address. */
  memberIds: ReadonlyMap<string, string>;
  /** IDs of objects without a name: `translation/<title>`, `invite link/<index>`, `section/<site>/<path>` ... */
  otherIds?: ReadonlyMap<string, string>;
  /** Slugs of specifications whose text the service does not have, or has in several files. */
  unreadSpecs?: readonly string[];
  places?: Places;
  /** What the files contained when they were last exported or applied. */
  baseline?: Baseline;
  /** Spaces of which the folder only has the content. */
  contents?: ReadonlySet<string>;
  /** Whether objects that the files do not mention are deleted. */
  prune: boolean;
}

/** A change, whose file follows from its kind and name. */
type NewChange = Omit<Change, 'file'> & { file?: string };
type Removed = Pick<Unnamed, 'name' | 'fields'> & {
  kind: ChangeKind;
  /** Its name in the state, if that differs. */
  key?: string;
};

/** A plan under construction. */
export class Draft {
  readonly changes: Change[] = [];
  readonly steps: Step[] = [];
  readonly problems: FileProblem[] = [];
  readonly unnamed: Unnamed[] = [];
  readonly input: Required<PlanInput>;

  constructor(input: PlanInput) {
    this.input = {
      otherIds: new Map(),
      unreadSpecs: [],
      places: new Places(new Map()),
      baseline: new Baseline({}),
      contents: new Set(),
      ...input,
    };
  }

  plan(): OrganizationPlan {
    const { changes, steps, problems, unnamed } = this;
    return { changes, steps: steps.toSorted((one, other) => one.phase - other.phase), contents: [], problems, unnamed };
  }

  /** Calls `plan` for each object of the files, then `remove` for each object that only the service has. */
  each<Item>(
    objects: (organization: Organization) => [name: string, object: Item][] | undefined,
    plan: (name: string, after: Item, before: Item | undefined) => void,
    remove: (name: string, before: Item) => void,
  ): void {
    const desired = objects(this.input.desired);
    if (!desired) return;
    const left = new Map(objects(this.input.current));
    for (const [name, after] of desired) {
      plan(name, after, left.get(name));
      left.delete(name);
    }
    for (const [name, before] of left) remove(name, before);
  }

  /** Adds a change with its requests. @returns its index */
  add(change: NewChange, steps: readonly NewStep[]): number {
    const { file = pathOf(kinds[change.kind].part, change.name) } = change;
    const fields = change.action === 'update' ? this.#markedFields(change) : change.fields;
    const isDrift = change.isDrift ?? this.#isDrift({ ...change, fields });
    const index = this.changes.push({ ...change, fields, file, ...(isDrift && { isDrift }) }) - 1;
    for (const step of steps) this.steps.push({ ...step, changes: [index] });
    return index;
  }

  #markedFields({ kind, name, fields }: NewChange): FieldChange[] {
    const { baseline } = this.input;
    const marked = fields.map((field) => ({
      ...field,
      isDrift: baseline.isDrift(kind, name, field.field, field.before),
    }));
    // If all are marked, the change is.
    if (marked.every(({ isDrift }) => isDrift)) return [...fields];
    return fields.map((field, index) => (marked[index]?.isDrift ? { ...field, isDrift: true } : field));
  }

  #isDrift({ kind, name, action, fields }: NewChange): boolean {
    const { baseline } = this.input;
    if (action === 'create') return baseline.isUnchanged(kind, name);
    // Deleting an object in the files removes its entry; if there never was one, the object was created in the service.
    if (action === 'delete')
      return baseline.exists && !baseline.isKnown(kind, name) && !baseline.hasExpired(kind, name);
    return fields.every(({ field, before }) => baseline.isDrift(kind, name, field, before));
  }

  /**
   * Deletes an object that the files do not mention if they did before or its term has ended, or keeps it.
   *
   * @returns whether it is deleted
   */
  remove({ kind, name, fields, key = name }: Removed, step: NewStep): boolean {
    const { prune, baseline } = this.input;
    const isDeleted = prune || baseline.isManaged(kind, key) || baseline.hasExpired(kind, key);
    if (isDeleted) this.add({ kind, name, action: 'delete', fields: [] }, [step]);
    else this.keep({ kind, name, fields });
    return isDeleted;
  }

  keep(object: Removed & Pick<Unnamed, 'isUnreadable'>): void {
    this.unnamed.push({ ...object, file: pathOf(kinds[object.kind].part, object.name) });
  }

  /** Reports something that the service cannot do. */
  refuse(file: string, at: readonly PropertyKey[], message: string): void {
    this.problems.push(this.input.places.problem({ file, at }, message));
  }

  /** The ID of an object, or the placeholder if the plan creates it. */
  idOf(kind: NamedKind, name: string): string {
    return this.input.ids[kind].get(name) ?? `{${singular[kind]}/${name}}`;
  }

  /** The ID of an object without a name, by its key. */
  otherId(key: string): string {
    return this.input.otherIds.get(key) ?? `{${key}}`;
  }

  memberId(email: string): string {
    return this.input.memberIds.get(email) ?? `{member/${email}}`;
  }
}

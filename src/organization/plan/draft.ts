import type { Ids, NamedKind, Organization } from '../organization.ts';
import type { FileProblem, Places } from '../files/problems.ts';
import type { Change, ChangeKind, FieldChange, NewStep, Step } from './change.ts';

/** What the files do not name, and what is kept. */
export interface Unnamed {
  kind: ChangeKind | 'page';
  name: string;
  /** The file that it would have. */
  file: string;
  /** What it gives to people: a role or a level. */
  fields?: FieldChange[];
  /** Whether --prune keeps it too: an export leaves it out. */
  isUnreadable?: boolean;
}

/** What the planners of single kinds start from. */
export interface PlanInput {
  /** What the files say. */
  desired: Organization;
  /** What the service has, under the same names. */
  current: Organization;
  orgId: string;
  ids: Ids;
  /** Ids of members by address. */
  memberIds: ReadonlyMap<string, string>;
  /** Ids of what has no name of its own: `translation/<title>`, `invite link/<index>`, `section/<site>/<path>` ... */
  otherIds: ReadonlyMap<string, string>;
  /** Slugs of specifications whose text the service does not have, or has in several files. */
  unreadSpecs: readonly string[];
  places: Places;
  /** Files that are as they were last written or applied. */
  unchanged: ReadonlySet<string>;
  /** Files that were there when the folder was last written or applied; undefined where it never was. */
  known?: ReadonlySet<string> | undefined;
  /** Spaces of which the folder has the content alone. */
  contents?: ReadonlySet<string>;
  /** Whether objects are deleted that the files do not name. */
  prune: boolean;
}

/** What placeholders call one object of a kind. */
export const singular: Record<NamedKind, string> = {
  teams: 'team',
  sso: 'provider',
  collections: 'collection',
  spaces: 'space',
  sites: 'site',
};

/** A plan in the making. */
export class Draft {
  readonly changes: Change[] = [];
  readonly steps: Step[] = [];
  /** What the files ask for and the service cannot do. */
  readonly problems: FileProblem[] = [];
  /** Objects that the files do not name, and that are kept without --prune. */
  readonly unnamed: Unnamed[] = [];
  readonly input: PlanInput;

  constructor(input: PlanInput) {
    this.input = input;
  }

  /** Adds a change with its requests. */
  add(change: Change, steps: readonly NewStep[]): void {
    const { unchanged, known } = this.input;
    // Who deletes an object deletes its file; one that never had a file was made in the service.
    const isNew = change.action === 'delete' && known !== undefined && !known.has(change.file);
    const isDrift = unchanged.has(change.file) || isNew;
    const index = this.changes.push({ ...change, ...(isDrift && { isDrift }) }) - 1;
    for (const step of steps) this.steps.push({ ...step, changes: [index] });
  }

  /** Adds the deletion of an object that the files do not name, if those are deleted. */
  remove({ kind, name, file, fields }: Unnamed & { kind: ChangeKind }, step: NewStep): void {
    if (this.input.prune) this.add({ kind, name, file, action: 'delete', fields: [] }, [step]);
    else this.keep({ kind, name, file, ...(fields && { fields }) });
  }

  /** Adds an object that the files do not name, and that is kept. */
  keep(object: Unnamed): void {
    this.unnamed.push(object);
  }

  /** Says that the service cannot do what a file asks for. */
  refuse(file: string, at: readonly PropertyKey[], message: string): void {
    this.problems.push(this.input.places.problem({ file, at }, message));
  }

  refuseMember(email: string, message: string): void {
    const line = this.input.places.memberLines.get(email);
    this.problems.push(
      this.input.places.problem({ file: 'members.csv', ...(line !== undefined && { line }) }, message),
    );
  }

  /** The id of an object, or the placeholder of one that the plan makes. */
  idOf(kind: NamedKind, name: string): string {
    return this.input.ids[kind].get(name) ?? `{${singular[kind]}/${name}}`;
  }

  /** The same for what has no name of its own, by its key. */
  otherId(key: string): string {
    return this.input.otherIds.get(key) ?? `{${key}}`;
  }

  memberId(email: string): string {
    return this.input.memberIds.get(email) ?? `{member/${email}}`;
  }
}

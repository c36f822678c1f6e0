import { isObject } from '../../shared/is-object.ts';
import { type ChangeKind, kinds, type Organization, pathOf } from '../parts.ts';
import { fieldInFile, hashOf, type Hashes, objectsOf, partsOf } from './hashes.ts';
import { objectIn, type State } from './state.ts';
import type { Secrets } from '../plan/variables.ts';
import { type Expiry, hasExpired, noExpiry } from '../terms.ts';

interface BaselineInput {
  /** Hashes of the files as last exported or applied. Empty if the state is newer. */
  files?: ReadonlyMap<string, string>;
  /** The shared state, if there is one. */
  state?: State | undefined;
  /** The files now, and their hashes. */
  organization?: Organization;
  hashes?: ReadonlyMap<string, string>;
  secrets?: Secrets;
  expiry?: Expiry;
  /** The names that objects had in the state, by their names in the files. */
  former?: ReadonlyMap<string, string>;
}

/** What the files contained when they were last exported or applied, to tell on which side a difference arose. */
export class Baseline {
  readonly #files: ReadonlyMap<string, string>;
  readonly #state: State | undefined;
  readonly #organization: Organization;
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #secrets: Secrets;
  readonly #expiry: Expiry;
  readonly #former: ReadonlyMap<string, string>;

  constructor(input: BaselineInput) {
    const { files = new Map(), state, organization = {}, hashes = new Map(), secrets = new Map() } = input;
    this.#expiry = input.expiry ?? noExpiry;
    this.#former = input.former ?? new Map();
    this.#files = files;
    this.#state = state;
    this.#organization = organization;
    this.#hashes = hashes;
    this.#secrets = secrets;
  }

  /** Whether the folder was exported or applied before. */
  get exists(): boolean {
    return this.#files.size > 0 || (this.#state?.objects.size ?? 0) > 0;
  }

  /** Whether the organization has a shared state. */
  get hasState(): boolean {
    return this.#state !== undefined;
  }

  /** Whether an apply of the files created the object or found it as they describe it. */
  isManaged(kind: ChangeKind, name: string): boolean {
    return this.#state !== undefined && objectIn(this.#state, kind, keyOf(kind, name))?.base !== undefined;
  }

  /** Whether the files say until when somebody has what they no longer have. */
  hasExpired(kind: ChangeKind, name: string, field?: string): boolean {
    return hasExpired(this.#expiry, kind, name, field);
  }

  /** Whether the files contained the object. */
  isKnown(kind: ChangeKind, name: string): boolean {
    return this.isManaged(kind, name) || this.#files.has(pathOf(kinds[kind].part, name));
  }

  /** Whether the files contain what they did before: the whole object, or one field of it. */
  isUnchanged(kind: ChangeKind, name: string, field?: string): boolean {
    const file = pathOf(kinds[kind].part, name);
    const hash = this.#files.get(file);
    if (hash !== undefined && hash === this.#hashes.get(file)) return true;
    const base = this.#state && objectIn(this.#state, kind, keyOf(kind, name))?.base;
    if (!base) return false;
    const object = this.#object(kind, name);
    if (object === undefined) return false;
    if (field === undefined || !isObject(object))
      return partsOf(kind, object).every(([each, value]) => this.#has(base, each, value));
    const inFile = fieldInFile(kind, field);
    const value = valueOf(object, inFile);
    return value === undefined || this.#has(base, inFile, value);
  }

  /**
   * Whether a difference arose in the service.
   *
   * @param before what the service has now, if the files have nothing there
   */
  isDrift(kind: ChangeKind, name: string, field: string, before: unknown): boolean {
    if (this.hasExpired(kind, name, field)) return false;
    const object = this.#object(kind, name);
    const inFile = fieldInFile(kind, field);
    const isMissing = typeof object === 'object' && object !== null && valueOf(object, inFile) === undefined;
    if (!isMissing || !inFile.includes('.')) return this.isUnchanged(kind, name, field);
    const file = pathOf(kinds[kind].part, name);
    const hash = this.#files.get(file);
    if (hash !== undefined && hash === this.#hashes.get(file)) return true;
    // An entry that the files no longer have was in them, or somebody added it to the service.
    const base = this.#state && objectIn(this.#state, kind, keyOf(kind, name))?.base;
    return base !== undefined && !this.#has(base, inFile, before);
  }

  /** Whether a field had this value, which may mention an object by its new name. */
  #has(base: Hashes, field: string, value: unknown): boolean {
    if (base.has(hashOf(field, value, this.#secrets))) return true;
    return this.#former.size > 0 && base.has(hashOf(field, this.#withFormerNames(value), this.#secrets));
  }

  #withFormerNames(value: unknown): unknown {
    if (typeof value === 'string') return this.#former.get(value) ?? value;
    if (Array.isArray(value)) return value.map((each) => this.#withFormerNames(each));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#withFormerNames(each)]));
  }

  #object(kind: ChangeKind, name: string): unknown {
    return objectsOf(this.#organization, kind).get(keyOf(kind, name));
  }
}

/** The title of the organization may change. */
const keyOf = (kind: ChangeKind, name: string) => (kind === 'organization' ? '' : name);

/** The value of a field, or of an entry such as `members.ada@example.org`. */
function valueOf(object: object, field: string): unknown {
  const dot = field.indexOf('.');
  if (dot < 0) return Reflect.get(object, field);
  const record: unknown = Reflect.get(object, field.slice(0, dot));
  return typeof record === 'object' && record !== null ? Reflect.get(record, field.slice(dot + 1)) : undefined;
}

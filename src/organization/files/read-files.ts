import type { z } from 'zod/mini';
import { markMissing, validationIssues } from '../../contract/validation-issues.ts';
import { conflictLine, conflictMessage } from '../../shared/conflict-marks.ts';
import { pointerTo, unescapeSegment } from '../../shared/json-pointer.ts';
import { EnvText, readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { checkKeys } from '../../contract/unknown-keys.ts';
import { isObject } from '../../shared/is-object.ts';
import { type Moved, takeMoved } from '../state/renames.ts';
import { takeTerms, type Term } from '../terms.ts';
import { type FilePart, fileParts, files, hasObjects, nameIn, type Organization } from '../parts.ts';
import { readLevels, readMembers } from './csv.ts';
import { OverlayFile } from './schemas.ts';
import { type FileProblem, Places } from './problems.ts';
import { addressIn, isAddress } from './specification-address.ts';

export interface ReadFiles {
  organization: Organization;
  /** Former names of objects, which say that they were renamed. */
  moved: Moved;
  /** Until when people have what the files give to them. */
  terms: Term[];
  /** All problems, in the order of files and lines. */
  problems: FileProblem[];
  places: Places;
  /** Names of variables by their values, which must not be shown. */
  secrets: Map<string, string>;
}

interface ReadFilesOptions {
  /** Folders that exist, even if they are empty: their part is managed. */
  folders?: ReadonlySet<string>;
  /** The value of a variable, for texts that a file marks with !env. */
  variable?: (name: string) => string | undefined;
}

/** Reads the files of an organization, by path from its folder. Problems are collected, never thrown. */
export function readFiles(texts: ReadonlyMap<string, string>, options: ReadFilesOptions = {}): ReadFiles {
  const reader = new Reader(texts, options);
  const { places, secrets } = reader;
  const conflicts = [...texts].flatMap(([file, text]) => {
    const line = conflictLine(text);
    return line === undefined ? [] : [{ file, line, message: conflictMessage }];
  });
  // Other mistakes in these files would only follow from the conflict.
  if (conflicts.length > 0)
    return { organization: {}, moved: new Map(), terms: [], problems: conflicts, places, secrets };
  const organization: Partial<Record<FilePart, unknown>> = {};
  for (const part of fileParts) {
    const objects = reader.objects(part);
    const value = hasObjects(part) && reader.isPresent(part) ? objects : objects.get('');
    if (value !== undefined) organization[part] = value;
  }
  // Each object has passed the schema of its part.
  const read = organization as Organization;
  const [moved, terms] = [takeMoved(read), takeTerms(read)];
  return { organization: read, moved, terms, problems: reader.problems, places, secrets };
}

/** The settings in the file of an environment. */
function withoutOrg(overlay: unknown): unknown {
  if (!isObject(overlay)) return overlay;
  const { org: _, ...settings } = overlay;
  return settings;
}

class Reader {
  readonly problems: FileProblem[] = [];
  readonly places: Places;
  readonly secrets = new Map<string, string>();
  readonly #texts: ReadonlyMap<string, string>;
  readonly #options: ReadFilesOptions;

  constructor(texts: ReadonlyMap<string, string>, options: ReadFilesOptions) {
    this.#texts = texts;
    this.#options = options;
    this.places = new Places(texts);
  }

  /** Whether the folder of a part exists, or a file in it. */
  isPresent(part: FilePart): boolean {
    const hasFile = () => [...this.#texts.keys()].some((file) => nameIn(part, file) !== undefined);
    return this.#options.folders?.has(part) || hasFile();
  }

  /** The objects in the files of a part by name, without those that have problems. */
  objects(part: FilePart): Map<string, unknown> {
    const objects = new Map<string, unknown>();
    for (const [file, text] of this.#texts) {
      const name = nameIn(part, file);
      const object = name === undefined ? undefined : this.#object(part, file, text);
      if (name === undefined || object === undefined) continue;
      // The settings of an environment replace the common ones.
      const common = part === 'organization' ? objects.get(name) : undefined;
      objects.set(name, isObject(common) && isObject(object) ? { ...common, ...object } : object);
    }
    return objects;
  }

  #object(part: FilePart, file: string, text: string): unknown {
    if (part === 'members') return readMembers(text, this.places.memberLines, this.problems);
    if (part === 'levels') return readLevels(text, this.problems);
    const { schema, file: common } = files[part];
    if (part === 'organization' && file !== common) return withoutOrg(this.#read(file, text, OverlayFile()));
    if (schema) return this.#read(file, text, schema());
    this.#refuseEnv(file, text);
    const address = addressIn(text);
    if (address === undefined || isAddress(address)) return text;
    this.problems.push(this.places.problem({ file, at: ['source'] }, 'source must be an http or https address'));
    return undefined;
  }

  #read(file: string, text: string, schema: z.ZodMiniType): unknown {
    let value: unknown;
    try {
      value = readYaml(text, undefined, { hasEnv: true }) ?? {};
    } catch (error) {
      if (!(error instanceof UnreadableYaml)) throw error;
      const { line, column } = error;
      this.problems.push({ file, line, column, message: `is not YAML: ${error.message}` });
      return undefined;
    }
    const problem = aliasProblem(value);
    if (problem !== undefined) {
      this.problems.push({ file, message: problem });
      return undefined;
    }
    const { refused, value: replaced } = this.#withoutEnv(file, value);
    const { unknown, value: corrected } = checkKeys(schema, replaced);
    for (const { at, near, names } of unknown) {
      const hint = near === undefined ? `; there are ${names.join(', ')}` : `; did you mean "${near}"?`;
      this.problems.push(this.places.problem({ file, at, isKey: true }, `unknown key "${at.join('.')}"${hint}`));
    }
    const result = schema.safeParse(corrected);
    if (result.success) return unknown.length === 0 && refused.length === 0 ? result.data : undefined;
    const reported = [
      ...refused.map(pointerTo),
      ...unknown.flatMap(({ at, near }) => (near === undefined ? [] : pointerTo([...at.slice(0, -1), near]))),
    ];
    for (const { path, message } of validationIssues('body', markMissing(corrected, result.error.issues))) {
      // Each mistake is reported once.
      if (reported.some((each) => path === each || path.startsWith(`${each}/`))) continue;
      const at = path.split('/').slice(1).map(unescapeSegment);
      this.problems.push(this.places.problem({ file, at }, at.length === 0 ? message : `${at.join('.')} ${message}`));
    }
    return undefined;
  }

  /** The value with variables replaced, and the paths that cannot have any. */
  #withoutEnv(file: string, value: unknown): { value: unknown; refused: (readonly PropertyKey[])[] } {
    const refused: (readonly PropertyKey[])[] = [];
    const reader = {
      variable: (name: string) => this.#options.variable?.(name),
      used: (name: string, secret: string) => void this.secrets.set(secret, name),
      refuse: (at: readonly PropertyKey[], message: string) => {
        refused.push(at);
        this.problems.push(this.places.problem({ file, at }, message));
      },
    };
    return { value: mapEnvTexts(value, (source, at) => envText(source, at, reader)), refused };
  }

  /** Specifications are sent unchanged, so the tag and the name of the variable would be published. */
  #refuseEnv(file: string, text: string): void {
    if (!text.includes('!env')) return;
    let value: unknown;
    try {
      value = readYaml(text, text.length, { hasEnv: true });
    } catch (error) {
      // Publishing it reports what is wrong.
      if (error instanceof UnreadableYaml) return;
      throw error;
    }
    if (aliasProblem(value) !== undefined) return;
    mapEnvTexts(value, (source, at) => {
      this.problems.push(this.places.problem({ file, at }, '!env cannot be used in a specification'));
      return source;
    });
  }
}

const maxValues = 1_000_000;
const maxDepth = 200;

/** The size of a value with its aliases expanded. Aliases of lists of aliases multiply it. */
interface Extent {
  values: number;
  depth: number;
}

const endless: Extent = { values: Infinity, depth: Infinity };

/** Why the aliases of a text cannot be expanded: a value contains itself, or would become too large. */
function aliasProblem(value: unknown): string | undefined {
  const { values, depth } = extentOf(value, new Map());
  if (values === Infinity) return 'an alias contains itself';
  return values > maxValues || depth > maxDepth ? 'its aliases repeat too much' : undefined;
}

function extentOf(value: unknown, extents: Map<unknown, Extent>): Extent {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 1 };
  const before = extents.get(value);
  if (before) return before;
  // A value that is reached again while its members are measured contains itself.
  extents.set(value, endless);
  const extent = { values: 1, depth: 1 };
  for (const member of Object.values(value)) {
    const { values, depth } = extentOf(member, extents);
    extent.values += values;
    extent.depth = Math.max(extent.depth, depth + 1);
  }
  extents.set(value, extent);
  return extent;
}

interface EnvReader {
  /** The value of a variable; undefined if it is not set. */
  variable(name: string): string | undefined;
  /** Called with each variable that has a value. */
  used(name: string, value: string): void;
  refuse(at: readonly PropertyKey[], message: string): void;
}

/** A copy in which texts marked with !env are replaced. The value must be of limited size. */
function mapEnvTexts(value: unknown, replace: (source: string, at: readonly PropertyKey[]) => string): unknown {
  const copy = (part: unknown, at: readonly PropertyKey[]): unknown => {
    if (part instanceof EnvText) return replace(part.source, at);
    if (Array.isArray(part)) return part.map((item, index) => copy(item, [...at, index]));
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, copy(member, [...at, key])]));
  };
  return copy(value, []);
}

/** Replaces each `${NAME}` in a text with the value of the variable; a text that is only a name is replaced as a whole. */
function envText(source: string, at: readonly PropertyKey[], { variable, used, refuse }: EnvReader): string {
  if (isName(at)) {
    refuse(at, '!env cannot be used for the name of an object, because docsctl.lock.json and other files contain it');
    return source;
  }
  const template = /^\w+$/.test(source) ? `\${${source}}` : source;
  const pattern = /\$\{([A-Za-z_]\w*)\}/g;
  if (!pattern.test(template) || /\$[\w{]/.test(template.replaceAll(pattern, ''))) {
    refuse(at, '!env takes the name of a variable, or a text that contains ${NAME}');
    return source;
  }
  return template.replaceAll(pattern, (_, name: string) => {
    const value = variable(name);
    if (value === undefined) refuse(at, `the variable ${name} is not set`);
    else if (value !== '') used(name, value);
    return value ?? '';
  });
}

/** Members that name an object. */
const nameMembers: ReadonlySet<PropertyKey> = new Set([
  'name',
  'section',
  'group',
  'space',
  'collection',
  'defaultTeam',
  'defaultSite',
]);

/** Whether the text at a path is the name of an object. */
function isName(at: readonly PropertyKey[]): boolean {
  const [first] = at;
  const last = at.at(-1);
  // The values of custom fields are keyed by the names of the fields.
  if (first === 'customFields' && at.length === 2) return false;
  return (
    (last !== undefined && nameMembers.has(last)) ||
    at.at(-2) === 'order' ||
    (first === 'translations' && last === 'title')
  );
}

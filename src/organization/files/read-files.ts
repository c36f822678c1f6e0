import type { z } from 'zod/mini';
import { markMissing, validationIssues } from '../../contract/validation-issues.ts';
import { conflictLine, conflictMessage } from '../../shared/conflict-marks.ts';
import { unescapeSegment } from '../../shared/json-pointer.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import type { Organization } from '../organization.ts';
import { type FileProblem, Places } from './problems.ts';
import { readMembers } from './read-members.ts';
import {
  CollectionsFile,
  InviteLinksFile,
  OrganizationFile,
  ProviderFile,
  SiteFile,
  SpaceFile,
  TeamFile,
  TranslationsFile,
} from './schemas.ts';

export interface ReadFiles {
  organization: Organization;
  /** All of them, in the order of files and lines. */
  problems: FileProblem[];
  places: Places;
  /** Names of variables by their values, which must not be shown. */
  secrets: Map<string, string>;
}

export interface ReadFilesOptions {
  /** Folders that are there, though no file is in them: their part is managed, and empty. */
  folders?: ReadonlySet<string>;
  /** The value of a variable, for texts that a file marks with !env. */
  variable?: (name: string) => string | undefined;
}

/** Reads the files of an organization, by path from its folder. Problems are collected, never thrown. */
export function readFiles(texts: ReadonlyMap<string, string>, options: ReadFilesOptions = {}): ReadFiles {
  const reader = new Reader(texts, options);
  const { folders } = options;
  const conflicts = [...texts].flatMap(([file, text]) => {
    const line = conflictLine(text);
    return line === undefined ? [] : [{ file, line, message: conflictMessage }];
  });
  // What else is wrong with these files follows from it.
  if (conflicts.length > 0)
    return { organization: {}, problems: conflicts, places: reader.places, secrets: reader.secrets };
  const within = (folder: string) =>
    folders?.has(folder) || [...texts.keys()].some((path) => path.startsWith(`${folder}/`));
  const organization: Organization = {
    ...reader.one('organization', 'organization.yaml', OrganizationFile),
    ...reader.one('collections', 'collections.yaml', CollectionsFile),
    ...reader.one('translations', 'translations.yaml', TranslationsFile),
    ...reader.one('inviteLinks', 'invite-links.yaml', InviteLinksFile),
  };
  if (texts.has('members.csv')) organization.members = reader.members();
  if (within('teams')) organization.teams = reader.each(/^teams\/([^/]+)\.yaml$/, TeamFile);
  if (within('sso')) organization.sso = reader.each(/^sso\/([^/]+)\.yaml$/, ProviderFile);
  if (within('spaces')) organization.spaces = reader.each(/^spaces\/([^/]+)\/space\.yaml$/, SpaceFile);
  if (within('sites')) organization.sites = reader.each(/^sites\/([^/]+)\.yaml$/, SiteFile);
  if (within('openapi')) organization.openapi = reader.texts(/^openapi\/([^/]+)\.yaml$/);
  return { organization, problems: reader.problems, places: reader.places, secrets: reader.secrets };
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

  one<Name extends keyof Organization, Schema extends z.ZodMiniType>(
    name: Name,
    file: string,
    schema: () => Schema,
  ): { [Key in Name]?: z.output<Schema> } {
    const text = this.#texts.get(file);
    const value = text === undefined ? undefined : this.#read(file, text, schema());
    return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: z.output<Schema> });
  }

  each<Schema extends z.ZodMiniType>(pattern: RegExp, schema: () => Schema): Map<string, z.output<Schema>> {
    const objects = new Map<string, z.output<Schema>>();
    for (const [name, text, file] of this.#matching(pattern)) {
      const value = this.#read(file, text, schema());
      if (value !== undefined) objects.set(name, value);
    }
    return objects;
  }

  texts(pattern: RegExp): Map<string, string> {
    return new Map([...this.#matching(pattern)].map(([name, text]) => [name, text]));
  }

  members() {
    const { rows, problems, lines } = readMembers(this.#texts.get('members.csv') ?? '');
    for (const [email, line] of lines) this.places.memberLines.set(email, line);
    this.problems.push(...problems);
    return rows;
  }

  *#matching(pattern: RegExp): Generator<[name: string, text: string, file: string]> {
    for (const [file, text] of this.#texts) {
      const [, name] = pattern.exec(file) ?? [];
      if (name !== undefined) yield [name, text, file];
    }
  }

  #read<Schema extends z.ZodMiniType>(file: string, text: string, schema: Schema): z.output<Schema> | undefined {
    let value: unknown;
    try {
      value = readYaml(text, undefined, (name) => this.#variable(file, name)) ?? {};
    } catch (error) {
      if (!(error instanceof UnreadableYaml)) throw error;
      const line = error.line === undefined ? {} : { line: error.line };
      this.problems.push({ file, ...line, message: `is not YAML: ${error.message}` });
      return undefined;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of validationIssues('body', markMissing(value, result.error.issues))) {
      const at = path.split('/').slice(1).map(unescapeSegment);
      this.problems.push(this.places.problem({ file, at }, at.length === 0 ? message : `${at.join('.')} ${message}`));
    }
    return undefined;
  }

  #variable(file: string, name: string): string {
    const value = this.#options.variable?.(name);
    if (value === undefined) this.problems.push({ file, message: `the variable ${name} is not set` });
    else if (value !== '') this.secrets.set(value, name);
    return value ?? '';
  }
}

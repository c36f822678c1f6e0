import type { z } from 'zod/mini';
import { markMissing, validationIssues } from '../../contract/validation-issues.ts';
import { conflictLine, conflictMessage } from '../../shared/conflict-marks.ts';
import { pointerTo, unescapeSegment } from '../../shared/json-pointer.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import type { Organization } from '../organization.ts';
import { aliasProblem } from './aliases.ts';
import { envText, mapEnvTexts } from './env-texts.ts';
import { levelsFile, readLevelRows } from './levels.ts';
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
import { checkKeys } from '../../contract/unknown-keys.ts';

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
  const levels = texts.get(levelsFile);
  if (levels !== undefined) organization.levels = readLevelRows(levels, reader.problems);
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
    return new Map(
      [...this.#matching(pattern)].map(([name, text, file]) => {
        this.#refuseEnv(file, text);
        return [name, text];
      }),
    );
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
      value = readYaml(text, undefined, { hasEnv: true }) ?? {};
    } catch (error) {
      if (!(error instanceof UnreadableYaml)) throw error;
      const { line, column } = error;
      const position = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
      this.problems.push({ file, ...position, message: `is not YAML: ${error.message}` });
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
      // A mistake gives one message.
      if (reported.some((each) => path === each || path.startsWith(`${each}/`))) continue;
      const at = path.split('/').slice(1).map(unescapeSegment);
      this.problems.push(this.places.problem({ file, at }, at.length === 0 ? message : `${at.join('.')} ${message}`));
    }
    return undefined;
  }

  /** The value with variables in it, and the paths where there can be none. */
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

  /** A specification is sent as it is: the tag would be published, and the variable's name taken for the text. */
  #refuseEnv(file: string, text: string): void {
    if (!text.includes('!env')) return;
    let value: unknown;
    try {
      value = readYaml(text, text.length, { hasEnv: true });
    } catch (error) {
      // Publishing it tells what is wrong with it.
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

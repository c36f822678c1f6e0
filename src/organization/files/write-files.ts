import { stringify } from 'yaml';
import { toJSONSchema, type z } from 'zod/mini';
import { definitionOf } from '../../contract/definition.ts';
import { type FilePart, fileParts, files, type Organization, pathOf } from '../parts.ts';
import { levelsCsv, membersCsv } from './csv.ts';

/** The YAML of a value. Equal values have equal texts; long texts stay on one line, and undefined members are omitted. */
export const writeYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, keepUndefined: false });

/** The files of an organization, by path from its folder, without the content of spaces. */
export function filesOf(organization: Organization): Map<string, string> {
  const { members, levels } = organization;
  const texts = new Map<string, string>();
  if (members) texts.set(files.members.file, membersCsv(members));
  if (levels) texts.set(files.levels.file, levelsCsv(levels));
  for (const part of fileParts) {
    const value = organization[part];
    if (value === undefined || Array.isArray(value)) continue;
    const objects: Iterable<[name: string, object: unknown]> = value instanceof Map ? value : [['', value]];
    for (const [name, object] of objects) {
      const path = pathOf(part, name);
      texts.set(path, typeof object === 'string' ? object : withSchema(path, part, writeYaml(object)));
    }
  }
  return texts;
}

const schemaPath = (part: FilePart) => `.docsctl/schemas/${files[part].schemaName ?? part}.json`;

/** Editors read the first line, and complete and check the file. */
function withSchema(path: string, part: FilePart, text: string): string {
  const up = '../'.repeat(path.split('/').length - 1) || './';
  return `# yaml-language-server: $schema=${up}${schemaPath(part)}\n${text}`;
}

/** The JSON Schemas of all files, by path. */
export const schemaFiles = (): Map<string, string> =>
  new Map(
    fileParts.flatMap((part) => {
      const { schema, schemaName: title = part } = files[part];
      if (!schema) return [];
      return [[schemaPath(part), `${JSON.stringify({ title, ...jsonSchemaOf(schema()) }, undefined, 2)}\n`] as const];
    }),
  );

const jsonSchemaOf = (schema: z.ZodMiniType) =>
  toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Objects of the contract ignore unknown members; in files, unknown members are mistakes.
    override: ({ zodSchema, jsonSchema }) => {
      if (definitionOf(zodSchema).type === 'object') jsonSchema.additionalProperties = false;
    },
  });

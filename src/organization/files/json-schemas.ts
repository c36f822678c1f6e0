import { toJSONSchema, type z } from 'zod/mini';
import { definitionOf } from '../../contract/definition.ts';
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

const schemas = {
  organization: OrganizationFile,
  team: TeamFile,
  'sso-provider': ProviderFile,
  collections: CollectionsFile,
  space: SpaceFile,
  site: SiteFile,
  translations: TranslationsFile,
  'invite-links': InviteLinksFile,
} satisfies Record<string, () => z.ZodMiniType>;

export type SchemaName = keyof typeof schemas;

/** Where a schema stands, from the organization's folder. */
export const schemaPath = (name: SchemaName): string => `.docsctl/schemas/${name}.json`;

/** The JSON Schemas of all files, by path. */
export function schemaFiles(): Map<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [
      schemaPath(name as SchemaName),
      `${JSON.stringify({ title: name, ...jsonSchemaOf(schema()) }, undefined, 2)}\n`,
    ]),
  );
}

const jsonSchemaOf = (schema: z.ZodMiniType) =>
  toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Objects of the contract ignore members that they do not have; in files, such members are mistakes.
    override: ({ zodSchema, jsonSchema }) => {
      if (definitionOf(zodSchema).type === 'object') jsonSchema.additionalProperties = false;
    },
  });

import { toJSONSchema, type z } from 'zod/mini';
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
      `${JSON.stringify({ title: name, ...toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) }, undefined, 2)}\n`,
    ]),
  );
}

import * as z from 'zod/mini';
import { validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { UsageError } from '../program/failure.ts';

const Settings = z.strictObject({
  profile: z.optional(z.string()),
  org: z.optional(z.string()),
  space: z.optional(z.string()),
  site: z.optional(z.string()),
  /** Folder of the pages, relative to the file. */
  root: z.optional(z.string()),
  openapi: z.optional(z.array(z.strictObject({ slug: z.optional(z.string()), path: z.string() }))),
  content: z.optional(
    z.array(z.strictObject({ space: z.optional(z.string()), path: z.string(), root: z.optional(z.string()) })),
  ),
});

/** What a project file may set. */
export type ProjectSettings = z.output<typeof Settings>;

/** @throws UsageError that lists every error of the file */
export function parseProject(file: string, text: string): ProjectSettings {
  let value: unknown;
  try {
    value = readYaml(text) ?? {};
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    const line = error.line === undefined ? '' : `, line ${error.line},`;
    throw new UsageError(
      `${file}${line} is not YAML: ${error.message}.`,
      'Repair it, or remove it.',
      'invalid-project-file',
    );
  }
  const result = Settings.safeParse(value);
  if (result.success) return result.data;
  const issues = validationIssues('body', markMissing(value, result.error.issues)).map(
    ({ path, message }) => `${path.slice(1).replaceAll('/', '.') || 'the file'} ${message}`,
  );
  throw new UsageError(
    `${file}: ${issues.join('; ')}.`,
    'It may hold profile, org, space, site, openapi: [{slug, path}] and content: [{space, path}].',
    'invalid-project-file',
  );
}

import * as z from 'zod/mini';
import { validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { UsageError } from '../program/failure.ts';
import type { Project } from './project.ts';

const schema = z.strictObject({
  profile: z.optional(z.string()),
  org: z.optional(z.string()),
  space: z.optional(z.string()),
  site: z.optional(z.string()),
  root: z.optional(z.string()),
  openapi: z.optional(z.array(z.strictObject({ slug: z.optional(z.string()), path: z.string() }))),
  content: z.optional(
    z.array(z.strictObject({ space: z.optional(z.string()), path: z.string(), root: z.optional(z.string()) })),
  ),
});

/** @throws UsageError with every fault of the file */
export function parseProject(file: string, text: string): Omit<Project, 'file'> {
  let value: unknown;
  try {
    value = readYaml(text) ?? {};
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    const line = error.line === undefined ? '' : `, line ${error.line},`;
    throw new UsageError(`${file}${line} is not YAML: ${error.message}.`, 'Mend it, or remove it.');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = validationIssues('body', markMissing(value, result.error.issues)).map(
    (fault) => `${fault.path.slice(1).replaceAll('/', '.') || 'the file'} ${fault.message}`,
  );
  throw new UsageError(
    `${file}: ${faults.join('; ')}.`,
    'It may hold profile, org, space, site, openapi: [{slug, path}] and content: [{space, path}].',
  );
}

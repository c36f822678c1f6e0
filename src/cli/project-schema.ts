import { parse } from 'yaml';
import * as z from 'zod/mini';
import { faultsOf, markMissing } from '../contract/faults.ts';
import { UsageError } from './failure.ts';
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
    value = parse(text) ?? {};
  } catch (error) {
    throw new UsageError(`${file} is not YAML: ${(error as Error).message}`, 'Mend it, or remove it.');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = faultsOf('body', markMissing(value, result.error.issues)).map(
    (fault) => `${fault.path.slice(1).replaceAll('/', '.') || 'the file'} ${fault.message}`,
  );
  throw new UsageError(
    `${file}: ${faults.join('; ')}.`,
    'It may hold profile, org, space, site, openapi: [{slug, path}] and content: [{space, path}].',
  );
}

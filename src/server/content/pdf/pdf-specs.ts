import type { DescribeBlock } from '../../../content/pdf/read-page.ts';
import { operationMarkdown, Reference, schemaMarkdown } from '../../../openapi/reference/index.ts';
import { parseDescription, ParseFailure } from '../../../openapi/parse/parse.ts';

/** How many specifications one page may show. */
const maxSpecs = 10;
const maxSchemas = 50;

/** What gives the short form of blocks in a text. @param textOf the description of a name; empty where there is none */
export async function blockDescriber(
  markdown: string,
  textOf: (slug: string) => Promise<string>,
): Promise<DescribeBlock | undefined> {
  if (!markdown.includes('{% openapi')) return undefined;
  const slugs = new Set([...markdown.matchAll(/\bspec="([a-z0-9-]{1,100})"/g)].map(([, slug = '']) => slug));
  const references = new Map<string, Reference>();
  for (const slug of [...slugs].slice(0, maxSpecs)) {
    const reference = referenceOf(await textOf(slug));
    if (reference) references.set(slug, reference);
  }
  return ({ name, attributes }) => {
    const reference = references.get(attributes['spec'] ?? '');
    return (
      reference &&
      (name === 'openapi-schemas' ? schemasIn(reference, attributes) : operationIn(reference, name, attributes))
    );
  };
}

function referenceOf(text: string): Reference | undefined {
  if (text === '') return undefined;
  try {
    return new Reference(parseDescription(text));
  } catch (error) {
    if (error instanceof ParseFailure) return undefined;
    throw error;
  }
}

type Attributes = Readonly<Record<string, string>>;

function operationIn(reference: Reference, name: string, attributes: Attributes): string | undefined {
  const kind = name === 'openapi-webhook' ? 'webhook' : 'operation';
  const path =
    (kind === 'webhook' ? (attributes['webhook'] ?? attributes['name']) : undefined) ?? attributes['path'] ?? '';
  const operation = reference.find(kind, path, attributes['method']);
  return operation && `### ${operation.title}\n\n${operationMarkdown(reference, operation, 4)}`;
}

function schemasIn(reference: Reference, attributes: Attributes): string | undefined {
  const names = (attributes['schemas'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const schemas =
    names.length === 0 ? [...reference.schemas.values()] : names.flatMap((name) => reference.schemas.get(name) ?? []);
  const shown = schemas.slice(0, maxSchemas);
  if (shown.length === 0 || shown.length < Math.min(names.length, maxSchemas)) return undefined;
  return shown.map((schema) => `### ${schema.name}\n\n${schemaMarkdown(reference, schema)}`).join('\n\n');
}

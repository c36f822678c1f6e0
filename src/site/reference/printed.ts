import { specsIn } from '../../content/blocks/specs.ts';
import type { DescribeBlock } from '../../content/pdf/read-page.ts';
import { operationMarkdown, type Reference, schemaMarkdown } from '../../openapi/reference/index.ts';
import { referenceMarkdown, type ReferenceRequest } from './mounted.ts';

/** A page of an API reference in a PDF. */
export interface PrintedReference {
  request: ReferenceRequest;
  /** As `ReferenceAddresses.page` takes it. */
  path: string;
}

/** The specifications that a PDF prints. */
export interface PrintedSpecs {
  /** @returns undefined if there is none, or it cannot be read */
  get(name: string): Promise<Reference | undefined>;
}

/** The short form of a page of an API reference, as Markdown. */
export async function textOfReference(specs: PrintedSpecs, { request, path }: PrintedReference): Promise<string> {
  const reference = await specs.get(request.spec);
  // What begins with three hyphens is no front matter here.
  return reference ? `\n${referenceMarkdown(reference, path, request)}` : '';
}

const maxSchemas = 50;

/** What gives the short form of blocks in a text. */
export async function blockDescriber(markdown: string, specs: PrintedSpecs): Promise<DescribeBlock | undefined> {
  const names = specsIn(markdown);
  if (names.length === 0) return undefined;
  const references = new Map<string, Reference>();
  for (const name of names) {
    const reference = await specs.get(name);
    if (reference) references.set(name, reference);
  }
  return ({ name, attributes }) => {
    const reference = references.get(attributes['spec'] ?? attributes['src'] ?? '');
    return (
      reference &&
      (name === 'openapi-schemas' ? schemasIn(reference, attributes) : operationIn(reference, name, attributes))
    );
  };
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

import { specsIn } from '../../../content/blocks/specs.ts';
import type { DescribeBlock } from '../../../content/pdf/read-page.ts';
import { operationMarkdown, Reference, schemaMarkdown } from '../../../openapi/reference/index.ts';
import { parseDescription, ParseFailure } from '../../../openapi/parse/parse.ts';
import { referenceMarkdown, type ReferenceRequest } from '../../../site/reference/mounted.ts';

/** A page of an API reference in a PDF. */
export interface PrintedReference {
  request: ReferenceRequest;
  /** As `ReferenceAddresses.page` takes it. */
  path: string;
}

/** Models of a large description take some hundred megabytes; one page after the other shows the same. */
const maxKept = 2;

/** The specifications that a PDF prints. */
export class SpecReader {
  readonly #textOf: (slug: string) => Promise<string>;
  readonly #kept = new Map<string, Reference | undefined>();

  /** @param textOf the description of a name; empty if there is none */
  constructor(textOf: (slug: string) => Promise<string>) {
    this.#textOf = textOf;
  }

  /** @returns undefined if there is none, or it cannot be read */
  async get(slug: string): Promise<Reference | undefined> {
    const reference = this.#kept.has(slug) ? this.#kept.get(slug) : referenceOf(await this.#textOf(slug));
    // Moves to the end: the first one is the least recently used.
    this.#kept.delete(slug);
    this.#kept.set(slug, reference);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return reference;
  }
}

/** The short form of a page of an API reference, as Markdown. */
export async function textOfReference(specs: SpecReader, { request, path }: PrintedReference): Promise<string> {
  const reference = await specs.get(request.spec);
  // What begins with three hyphens is no front matter here.
  return reference ? `\n${referenceMarkdown(reference, path, request)}` : '';
}

const maxSchemas = 50;

/** What gives the short form of blocks in a text. */
export async function blockDescriber(markdown: string, specs: SpecReader): Promise<DescribeBlock | undefined> {
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

import { Reference } from '../../../openapi/reference/index.ts';
import { parseDescription, ParseFailure } from '../../../openapi/parse/parse.ts';
import type { PrintedSpecs } from '../../../site/reference/printed.ts';

/** Models of a large description take some hundred megabytes; one page after the other shows the same. */
const maxKept = 2;

/** The specifications that a PDF prints. */
export class SpecReader implements PrintedSpecs {
  readonly #textOf: (slug: string) => Promise<string>;
  readonly #kept = new Map<string, Reference | undefined>();

  /** @param textOf the description of a name; empty if there is none */
  constructor(textOf: (slug: string) => Promise<string>) {
    this.#textOf = textOf;
  }

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

function referenceOf(text: string): Reference | undefined {
  if (text === '') return undefined;
  try {
    return new Reference(parseDescription(text));
  } catch (error) {
    if (error instanceof ParseFailure) return undefined;
    throw error;
  }
}

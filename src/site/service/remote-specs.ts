import type { Element } from 'hast';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Client } from '../../client/client.ts';
import type { OpenApiBlock } from '../../content/html/page-source.ts';
import { openapi } from '../../contract/openapi.ts';
import type { Reference } from '../../openapi/reference/index.ts';

/** The file ID of a description in a format. */
export const descriptionId = (spec: string, format: 'json' | 'yaml'): string => `openapi~${format}~${spec}`;

/** A specification as it is listed. */
interface ListedSpec {
  slug: string;
  sourceURL?: string | undefined;
  lastVersion?: string | undefined;
}

/** The specifications of an organization. Each is read once, on demand. */
export class RemoteSpecs {
  readonly #client: Client;
  readonly #orgId: string;
  #listed: Promise<ListedSpec[]> | undefined;
  readonly #references = new Map<string, Promise<Reference | undefined>>();
  /** The specifications read so far, by the names used in blocks. */
  readonly #read = new Map<string, Reference>();
  #draw: ((reference: Reference, block: OpenApiBlock) => Element | undefined) | undefined;

  constructor(client: Client, orgId: string) {
    this.#client = client;
    this.#orgId = orgId;
  }

  /** The latest versions of all specifications, which pages depend on. */
  async versions(): Promise<[slug: string, version: string | undefined][]> {
    return (await this.#list()).map(({ slug, lastVersion }) => [slug, lastVersion]);
  }

  /** @param name the slug of a specification, or the address that it is published from */
  async reference(name: string): Promise<Reference | undefined> {
    const all = await this.#list();
    const spec = all.find(({ slug }) => slug === name) ?? all.find(({ sourceURL }) => sourceURL === name);
    if (spec?.lastVersion === undefined) return undefined;
    const kept = this.#references.get(spec.slug) ?? this.#readSpec(spec.slug);
    this.#references.set(spec.slug, kept);
    // A failed request may succeed the next time.
    kept.catch(() => this.#references.delete(spec.slug));
    const reference = await kept;
    if (reference) this.#read.set(name, reference);
    return reference;
  }

  /** Reads the specifications for blocks with these names. */
  async load(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { drawReferenceBlock, loadHighlight } = await import('../reference/index.ts');
    const highlight = await loadHighlight();
    this.#draw = (reference, block) => drawReferenceBlock(reference, block, highlight);
    for (const name of names) await this.reference(name);
  }

  /** Draws a block of a specification that has been read. */
  draw(block: OpenApiBlock): Element | undefined {
    const reference = this.#read.get(block.spec ?? block.src ?? '');
    return reference && this.#draw?.(reference, block);
  }

  #list(): Promise<ListedSpec[]> {
    const listed = this.#listed ?? Array.fromAsync(this.#client.items(openapi.list, this.#params({})));
    this.#listed = listed;
    listed.catch(() => (this.#listed = undefined));
    return listed;
  }

  async #readSpec(specSlug: string): Promise<Reference | undefined> {
    try {
      const { filesystem } = await this.#client.call(openapi.latestContent, this.#params({ specSlug }));
      const [document] = Object.values(filesystem);
      const { Reference } = await import('../reference/index.ts');
      return new Reference({ document });
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    }
  }

  #params<Params extends object>(params: Params): { params: Params & { orgId: string } } {
    return { params: { orgId: this.#orgId, ...params } };
  }
}

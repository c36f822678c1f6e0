import type { Element } from 'hast';
import type { OpenApiBlock, RenderedPage } from '../../content/html/page-source.ts';
import { parseDescription } from '../../openapi/parse/parse.ts';
import { descriptionText } from '../../openapi/reference/index.ts';
import { LruCache } from '../../shared/lru-cache.ts';
import { drawReferenceBlock, loadHighlight, Reference } from '../../site/reference/index.ts';
import {
  type MountedPage,
  mountedPages,
  referenceMarkdown,
  type ReferenceRequest,
  wordsOfReference,
} from '../../site/reference/mounted.ts';
import { drawMountedPage } from '../../site/reference/rendered.ts';

/* What text threads do with the OpenAPI descriptions that published sites show. */

/** The latest version of a specification. */
export interface PublishedSpec {
  slug: string;
  version: string;
  text: string;
}

/** Parsed versions, which never change. A large one takes several hundred megabytes. */
const references = new LruCache<Reference>(4);

export function referenceOf({ version, text }: PublishedSpec): Reference {
  const reference = references.get(version) ?? new Reference(parseDescription(text));
  references.set(version, reference);
  return reference;
}

/** Returns a function that draws the blocks of these specifications. @param specs by the names used in the blocks */
export async function blockDrawer(
  specs: ReadonlyMap<string, PublishedSpec>,
): Promise<(block: OpenApiBlock) => Element | undefined> {
  const highlight = await loadHighlight();
  return (block) => {
    const spec = specs.get(block.spec ?? block.src ?? '');
    return spec && drawReferenceBlock(referenceOf(spec), block, highlight);
  };
}

export interface ListedReferencePage extends MountedPage {
  /** The text that search looks through, in lower case. */
  words: string;
}

interface ReferenceInput {
  spec: PublishedSpec;
  request: ReferenceRequest;
}

export function listReference({ spec, request }: ReferenceInput): ListedReferencePage[] {
  const reference = referenceOf(spec);
  return mountedPages(reference, request).map((page) => ({
    ...page,
    words: wordsOfReference(reference, page.path, request).slice(0, 20_000),
  }));
}

/** A page of a reference, with the addresses of all its pages. */
export interface ReferenceText extends ReferenceInput {
  title: string;
  path: string;
  addresses: ReadonlyMap<string, string>;
  /** The addresses of the description as files, if readers may download it. */
  description: Record<'json' | 'yaml', string> | undefined;
}

export async function renderReference(
  text: ReferenceText,
): Promise<Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid'>> {
  const { spec, addresses, description } = text;
  const { html, headings } = await drawMountedPage(referenceOf(spec), text, {
    description,
    page: (path, anchor) => {
      const address = addresses.get(path);
      return address === undefined || anchor === undefined ? address : `${address}#${encodeURIComponent(anchor)}`;
    },
  });
  return { html, headings, hasMermaid: false };
}

/** Pages of a reference as Markdown, without their titles. */
export function referenceMarkdowns({ spec, request, paths }: ReferenceInput & { paths: string[] }): string[] {
  const reference = referenceOf(spec);
  return paths.map((path) => referenceMarkdown(reference, path, request));
}

/** A description in the format that it was not published in. */
export const convertDescription = ({
  spec,
  format,
}: {
  spec: PublishedSpec;
  format: 'json' | 'yaml';
}): Promise<string> => descriptionText(referenceOf(spec).document, format);

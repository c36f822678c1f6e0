import { drawReferencePage } from '../../site/reference/index.ts';
import {
  type MountedPage,
  mountedPages,
  referenceMarkdown,
  type ReferenceRequest,
  wordsOfReference,
} from '../../site/reference/mounted.ts';
import { findReferencePage } from '../../site/reference/pages.ts';
import { type PublishedSpec, referenceOf } from './published-specs.ts';
import type { PublishedHtml } from './published-text.ts';

/* What text threads do for the references of published sites. */

export interface ListedReferencePage extends MountedPage {
  /** What a search finds it by, in lower case. */
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

/** A page of a reference, with the addresses of all of its pages. */
export interface ReferenceText extends ReferenceInput {
  title: string;
  path: string;
  addresses: ReadonlyMap<string, string>;
  /** Address of the description as a file, where readers may download it. */
  description: string | undefined;
}

export async function renderReference({
  spec,
  request,
  path,
  addresses,
  description,
}: ReferenceText): Promise<PublishedHtml> {
  const reference = referenceOf(spec);
  const page = findReferencePage(reference, path, request);
  if (!page) throw new Error(`The specification has no page ${path}.`);
  const { html, headings } = await drawReferencePage(reference, page, {
    hasPagePerOperation: request.hasPagePerOperation,
    description,
    page: (at, anchor) => {
      const address = addresses.get(at);
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

import type { RenderedPage } from '../../content/html/page-source.ts';
import { type DrawnPage, drawReferencePage, type Reference, type ReferenceAddresses } from './index.ts';
import type { ReferenceRequest } from './mounted.ts';
import { findReferencePage } from './pages.ts';

type SiteAddresses = Pick<ReferenceAddresses, 'page' | 'description'>;

/** Draws a page of a reference that is part of a site. */
export function drawMountedPage(
  reference: Reference,
  { request, path }: { request: ReferenceRequest; path: string },
  addresses: SiteAddresses,
): Promise<DrawnPage> {
  const page = findReferencePage(reference, path, request);
  if (!page) throw new Error(`The specification ${request.spec} has no page ${path}.`);
  const { hasPagePerOperation } = request;
  return drawReferencePage(reference, page, { hasPagePerOperation, ...addresses });
}

/** The same, in the form of other pages of the site. */
export async function renderMountedPage(...args: Parameters<typeof drawMountedPage>): Promise<RenderedPage> {
  const { html, headings, sections: read } = await drawMountedPage(...args);
  const sections = read();
  return {
    html,
    headings,
    sections,
    text: sections.map(({ heading, text }) => [heading?.text, text].filter(Boolean).join('\n')).join('\n'),
    problems: [],
    uses: { links: [], files: [], includes: [], variables: [], specs: [args[1].request.spec] },
    hasMermaid: false,
  };
}

import type { Element } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import type { OpenApiBlock, RenderedPage } from '../../content/html/page-source.ts';
import { drawReferenceBlock, loadHighlight } from '../reference/index.ts';
import { renderMountedPage } from '../reference/rendered.ts';
import type { FolderAddresses } from './root-addresses.ts';
import { type PageOfReference, pageInReference } from './reference-pages.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';
import type { FolderSpec, FolderSpecs } from './folder-specs.ts';

/** Draws a block of a description in the folder. */
export type DrawSpec = (spec: Pick<FolderSpec, 'file'> | undefined, block: OpenApiBlock) => Element | undefined;

/** Returns a function that draws operations and schemas. It returns undefined if the description has none of that name. */
export async function specDrawer(specs: FolderSpecs): Promise<DrawSpec> {
  const highlight = await loadHighlight();
  return (spec, block) => {
    if (!spec) return unknownSpec(block);
    const reference = specs.reference(spec.file);
    return reference && drawReferenceBlock(reference, block, highlight);
  };
}

/** A placeholder for a specification that is not in the folder. It may be published under this name. */
function unknownSpec({ spec, src, path, method, schemas }: OpenApiBlock): Element {
  const subject = path === undefined ? schemas.join(', ') : `${method?.toUpperCase() ?? ''} ${path}`.trim();
  const name = spec ?? src ?? '';
  return element('div', { className: ['openapi-missing'] }, [
    element('p', {}, [
      ...(subject === '' ? [] : [element('code', {}, [text(subject)]), text(' ')]),
      text(`${name} is no file of this folder: what it describes is shown where it is published.`),
    ]),
  ]);
}

/** Renders a page of the reference of a description. */
export function drawFolderReference(
  { specs }: SiteFolder,
  page: FolderPage,
  of: PageOfReference,
  addresses: FolderAddresses,
): Promise<RenderedPage> {
  const { file } = of.file;
  const reference = specs.reference(file);
  if (!reference) throw new Error(`${file} is not a description.`);
  return renderMountedPage(
    reference,
    { request: of, path: of.path },
    {
      description: of.hasDownload ? downloadsOf(file, addresses) : undefined,
      page: (path, anchor) => {
        const target = pageInReference(page.space, of, path);
        return target && addresses.page(target, anchor);
      },
    },
  );
}

/** The file as it is, and in the other format. */
function downloadsOf(file: string, addresses: FolderAddresses): Record<'json' | 'yaml', string> {
  const isJson = /\.json$/i.test(file);
  const own = addresses.file(file);
  const other = addresses.specification(file, isJson ? 'yaml' : 'json');
  return isJson ? { json: own, yaml: other } : { json: other, yaml: own };
}

import type { Element } from 'hast';
import { element, text } from '../../content/html/content.ts';
import type { OpenApiBlock } from '../../content/html/page-source.ts';
import { drawReferenceBlock, drawReferencePage, loadHighlight, type ReferenceAddresses } from '../reference/index.ts';
import { findReferencePage } from '../reference/pages.ts';
import { renderedReference } from '../reference/rendered.ts';
import type { RenderedPage } from '../../content/html/page-source.ts';
import type { FolderAddresses } from './root-addresses.ts';
import { type PageOfReference, pageInReference } from './reference-pages.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';
import type { FolderSpec, FolderSpecs } from './folder-specs.ts';

/** Draws the blocks of descriptions in a folder. */
export type DrawSpec = (spec: Pick<FolderSpec, 'file'> | undefined, block: OpenApiBlock) => Element | undefined;

/** What draws the operations and schemas of blocks; undefined where a description has none of these. */
export async function specDrawer(specs: FolderSpecs): Promise<DrawSpec> {
  const highlight = await loadHighlight();
  return (spec, block) => {
    if (!spec) return unknownSpec(block);
    const reference = specs.reference(spec.file);
    return reference && drawReferenceBlock(reference, block, highlight);
  };
}

/** Stands for a specification that is none of the folder: it may be published by its name. */
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

/** A page of the reference of a description. */
export async function drawFolderReference(
  site: SiteFolder,
  page: FolderPage,
  of: PageOfReference,
  addresses: FolderAddresses,
): Promise<RenderedPage> {
  const reference = site.specs.reference(of.file.file);
  const wanted = reference && findReferencePage(reference, of.path, of);
  if (!reference || !wanted) throw new Error(`${of.file.file} has no page ${of.path}.`);
  const inSite: ReferenceAddresses = {
    hasPagePerOperation: of.hasPagePerOperation,
    description: of.hasDownload ? addresses.file(of.file.file) : undefined,
    page: (path, anchor) => {
      const target = pageInReference(page.space, of, path);
      return target && addresses.page(target, anchor);
    },
  };
  return renderedReference(await drawReferencePage(reference, wanted, inSite), of.spec);
}

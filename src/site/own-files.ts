import type { AssetPlace } from './site-around.ts';
import { assetName } from './assets.ts';
import type { DiagramFiles } from './diagrams.ts';
import type { ExportForm, SiteSearch } from './model.ts';

/** In documents whose addresses begin at the root, everything except the content is below this path. */
export const ownPath = '/~docsctl/';

/** Placeholder for the version of the document that contains it. */
export const versionMark = '~docsctl-version~';

/** The file of the search index in an export. Its name has no hash, because the pages that it is built from name it. */
export const searchIndexFile = 'assets/search.json';
export const searchHref = `${ownPath}search.json`;

/** What an exported document may load and do. */
export const exportPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'";

/** The assets and the search of a site that a preview serves or, with a form, an export writes. */
export function ownFiles(
  form: ExportForm | undefined,
  diagrams: DiagramFiles | undefined,
): { assets: AssetPlace; search: SiteSearch } {
  const folder = `${ownPath}assets/`;
  if (form) {
    return {
      assets: { folder, diagrams, hasSystemFonts: form.hasSystemFonts, policy: diagrams && exportPolicy },
      search: { kind: 'index', href: searchHref },
    };
  }
  return {
    assets: { folder, diagrams, scripts: [`${folder}${assetName('live.js')}?version=${versionMark}`] },
    search: { kind: 'service', href: `${ownPath}search` },
  };
}

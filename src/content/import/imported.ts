import type { LeftOut } from '../../contract/instance.ts';
import { firstFree } from '../markdown/slug.ts';

/**
 * The result of an import. Links in the Markdown are `./<ref>.md` for pages and `./<ref>` for files of this import.
 */
export interface Imported {
  /** Parents before their subpages, with siblings in order. */
  pages: ImportedPage[];
  files: ImportedFile[];
  /** The number of pages and files in the source, which can be larger than that of the import if there are limits. */
  total: number;
  /** The files of an archive that are pages but were not imported. */
  notImported?: string[];
  /** Pages of a website that were not imported: their number by reason, and their `source`. */
  leftOut?: { counts: LeftOut; keys: ReadonlySet<string> };
}

export interface ImportedPage {
  ref: string;
  /** Identifies the page in a source with several pages, so that it is equal in two imports of the same source. */
  source?: string;
  title: string;
  slug: string;
  markdown: string;
  parent: string | null;
  description?: string;
}

export interface ImportedFile {
  ref: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/** Unique names for the pages and files of an import: short, and valid in links. */
export class Refs {
  readonly #taken = new Set<string>();

  page(slug: string): string {
    return this.#add(asciiOnly(slug) || 'page', '');
  }

  file(name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    return this.#add(asciiOnly(stem) || 'file', asciiOnly(extension.slice(1)) && `.${asciiOnly(extension.slice(1))}`);
  }

  #add(stem: string, extension: string): string {
    const short = stem.slice(0, 80);
    const nameOf = (count: number) => `${short}${count === 1 ? '' : `-${count}`}${extension}`;
    const ref = firstFree(this.#taken, short + extension, nameOf);
    this.#taken.add(ref);
    return ref;
  }
}

function asciiOnly(text: string): string {
  return text
    .slice(0, 1_000)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

import type { LeftOut } from '../../contract/instance.ts';
import { firstFree } from '../markdown/slug.ts';

/**
 * The result of an import. Links in the Markdown are `./<ref>.md` for pages and `./<ref>` for files of the same import.
 */
export interface Imported {
  /** Parents before their subpages, siblings in their order. */
  pages: ImportedPage[];
  files: ImportedFile[];
  /** How many pages and files of the source were seen: more than were imported where a limit was reached. */
  total: number;
  /** Pages of a website that were found, but not imported: how many for which reason, and their `source`. */
  leftOut?: { counts: LeftOut; keys: ReadonlySet<string> };
}

export interface ImportedPage {
  ref: string;
  /** What the page is at its source, where a source has several: equal in two imports of the same source. */
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

/** Unique names of pages and files within one import: short, and valid in a link. */
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

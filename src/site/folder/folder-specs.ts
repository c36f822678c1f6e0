import { slugOf } from '../../openapi/identity.ts';
import { parseDescription, ParseFailure } from '../../openapi/parse/parse.ts';
import { namesVersion } from '../../openapi/read.ts';
import { Reference } from '../../openapi/reference/index.ts';
import type { DiskFolder } from './disk-folder.ts';

/** A specification in a folder, with the state of its file. */
export interface FolderSpec {
  file: string;
  changedMs: number;
}

interface ReadSpec extends FolderSpec {
  /** Undefined if the file is not a description. */
  reference: Reference | undefined;
}

/** Descriptions are recognized by the start of the file. */
const headLength = 4096;

/** The descriptions in a folder. Each is parsed once, until its file changes. */
export class FolderSpecs {
  readonly #disk: DiskFolder;
  readonly #read = new Map<string, ReadSpec>();

  constructor(disk: DiskFolder) {
    this.#disk = disk;
  }

  /**
   * Finds the file of a specification by its file name, or else by its title.
   *
   * @param spec a name, or a path or address whose last part is the name
   */
  find(spec: string): FolderSpec | undefined {
    const name = spec.slice(spec.lastIndexOf('/') + 1).replace(/\.(?:json|ya?ml)$/i, '');
    const files = [...this.#disk.files].filter((file) => /\.(?:json|ya?ml)$/i.test(file) && this.#disk.shows(file));
    const named = files.filter((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.[a-z]+$/i, '') === name);
    const found = named
      .toSorted((one, other) => one.length - other.length)
      .find((file) => this.#spec(file)?.reference !== undefined);
    const titled = found ?? files.find((file) => slugOf(this.#spec(file)?.reference?.title ?? '') === name);
    const { changedMs } = (titled === undefined ? undefined : this.#spec(titled)) ?? {};
    return titled === undefined || changedMs === undefined ? undefined : { file: titled, changedMs };
  }

  /** The current description in a file; undefined if it is not one. */
  reference(file: string): Reference | undefined {
    return this.#spec(file)?.reference;
  }

  #spec(file: string): ReadSpec | undefined {
    const stat = this.#disk.stat(file);
    if (!stat) return undefined;
    const { changedMs } = stat;
    const kept = this.#read.get(file);
    if (kept?.changedMs === changedMs) return kept;
    const read = { file, changedMs, reference: this.#readFile(file) };
    this.#read.set(file, read);
    return read;
  }

  #readFile(file: string): Reference | undefined {
    const content = this.#disk.textOnce(file);
    if (content === undefined || !isDescription(content)) return undefined;
    try {
      const { document } = parseDescription(content);
      return new Reference({ document, reasonFor: () => 'is not in this file' });
    } catch (error) {
      if (error instanceof ParseFailure) return undefined;
      throw error;
    }
  }
}

/** In JSON, the version may be anywhere, but it usually comes first. */
const isDescription = (content: string): boolean =>
  namesVersion.test(content.slice(0, headLength)) || /^\s*\{[\s\S]{0,2000}"(?:openapi|swagger)"\s*:/.test(content);

import { slugOf } from '../../openapi/identity.ts';
import { parseDescription, ParseFailure } from '../../openapi/parse/parse.ts';
import { namesVersion } from '../../openapi/read.ts';
import { Reference } from '../../openapi/reference/index.ts';
import type { DiskFolder } from './disk-folder.ts';

/** Where a specification is in a folder, and which state of the file it is. */
export interface FolderSpec {
  file: string;
  changedMs: number;
}

interface ReadSpec extends FolderSpec {
  /** Undefined for a file that is no description. */
  reference: Reference | undefined;
}

/** Only the beginning of a file is looked at to see whether it is a description. */
const headLength = 4096;

/** The descriptions in a folder, which blocks of its pages show. Each is read once while it stays the same. */
export class FolderSpecs {
  readonly #disk: DiskFolder;
  readonly #read = new Map<string, ReadSpec>();

  constructor(disk: DiskFolder) {
    this.#disk = disk;
  }

  /**
   * The file of a specification: the one of its name, else the one whose title gives that name.
   *
   * @param spec a name; or a path or an address, of which the last part counts
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

  /** The description in a file as it is now; undefined where it is none. */
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

/** JSON may have its version anywhere, but most have it first. */
const isDescription = (content: string): boolean =>
  namesVersion.test(content.slice(0, headLength)) || /^\s*\{[\s\S]{0,2000}"(?:openapi|swagger)"\s*:/.test(content);

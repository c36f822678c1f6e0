import type { Element } from 'hast';
import { element, text } from '../../content/html/content.ts';
import type { OpenApiBlock } from '../../content/html/page-source.ts';
import { slugOf } from '../../openapi/identity.ts';
import { parseDescription, ParseFailure } from '../../openapi/parse/parse.ts';
import { namesVersion } from '../../openapi/read.ts';
import { drawReferenceBlock, Reference } from '../reference/index.ts';
import type { Highlight } from '../reference/tools.ts';
import type { DiskFolder } from './disk-folder.ts';

/** Where a specification is in a folder. */
export interface FolderSpec {
  file: string;
}

interface ReadSpec extends FolderSpec {
  /** Which state of the file was read. */
  changedMs: number;
  /** Undefined for a file that is no description. */
  reference: Reference | undefined;
}

/** Only the beginning of a file is looked at to see whether it is a description. */
const headLength = 4096;

/** The descriptions in a folder, which blocks of its pages show. Each is read once while it stays the same. */
export class FolderSpecs {
  readonly #disk: DiskFolder;
  readonly #read = new Map<string, ReadSpec>();
  readonly #highlight: Highlight;

  constructor(disk: DiskFolder, highlight: Highlight) {
    this.#disk = disk;
    this.#highlight = highlight;
  }

  /**
   * The file of a specification: the one of its name, else the one whose title gives that name.
   *
   * @param spec a name; or a path or an address, of which the last part counts
   */
  find(spec: string): FolderSpec | undefined {
    const name = spec.slice(spec.lastIndexOf('/') + 1).replace(/\.(?:json|ya?ml)$/i, '');
    const files = [...this.#disk.files].filter((file) => /\.(?:json|ya?ml)$/i.test(file));
    const named = files.filter((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.[a-z]+$/i, '') === name);
    const found = named
      .toSorted((one, other) => one.length - other.length)
      .find((file) => this.#spec(file)?.reference !== undefined);
    const titled = found ?? files.find((file) => slugOf(this.#spec(file)?.reference?.title ?? '') === name);
    return titled === undefined ? undefined : { file: titled };
  }

  /** The block's operation or schemas; undefined where the description has none of these. */
  draw({ file }: FolderSpec, block: OpenApiBlock): Element | undefined {
    const reference = this.#spec(file)?.reference;
    return reference && drawReferenceBlock(reference, block, this.#highlight);
  }

  #spec(file: string): ReadSpec | undefined {
    const stat = this.#disk.stat(file);
    if (!stat) return undefined;
    const { changedMs } = stat;
    const kept = this.#read.get(file);
    if (kept?.changedMs === changedMs) return kept;
    const read = { file, changedMs, reference: this.#reference(file) };
    this.#read.set(file, read);
    return read;
  }

  #reference(file: string): Reference | undefined {
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

/** Stands for a specification that is none of the folder: it may be published by its name. */
export function unknownSpec({ spec, src, path, method, schemas }: OpenApiBlock): Element {
  const subject = path === undefined ? schemas.join(', ') : `${method?.toUpperCase() ?? ''} ${path}`.trim();
  const name = spec ?? src ?? '';
  return element('div', { className: ['openapi-missing'] }, [
    element('p', {}, [
      ...(subject === '' ? [] : [element('code', {}, [text(subject)]), text(' ')]),
      text(`${name} is no file of this folder: what it describes is shown where it is published.`),
    ]),
  ]);
}

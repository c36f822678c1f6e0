import { closeSync, openSync, writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { readFrontMatter } from '../../../content/markdown/front-matter.ts';
import { namedFonts } from '../../../content/fonts/installed.ts';
import { type PdfOptions, type PdfPage, writePdf } from '../../../content/pdf/pdf.ts';
import type { PdfFinding } from '../../../content/pdf/findings.ts';
import { getFrom } from '../../../shared/get-from.ts';
import { isVariables } from '../../../content/blocks/variables.ts';
import { pathAddress } from '../../sites/published-text.ts';
import { type LinkedContent, ContentLinks } from '../../../content/markdown/content-links.ts';
import { blockDescriber, type PrintedReference, textOfReference } from '../../../site/reference/printed.ts';
import { SpecReader } from './spec-reader.ts';
import { type PdfSource, sourceOf } from './pdf-source.ts';

/** The pages of a PDF, with what their links can lead to. */
export interface PdfInput {
  pages: PdfPage[];
  /** Those of `pages` that are parts of API references. */
  references: ReadonlyMap<string, PrintedReference>;
  content: LinkedContent;
  title: string;
  author: string;
  date: Date;
  /** Address of the content in the application. */
  app: string;
  /** Address of the instance, where its files are. */
  base: string;
  /** Files of fonts. */
  fonts: readonly string[];
  /** Gives texts and pictures (`serveSource`). */
  source: MessagePort;
  /** Where to write the PDF. */
  file: string;
}

/** Writes a PDF to its file. Each page is a step. */
export async function layOutPdf(input: PdfInput, onStep: (step: string) => void): Promise<PdfFinding[]> {
  const { pages, content, app, base } = input;
  const links = new ContentLinks(content);
  const paths = new Map(content.pages.map(({ id, path }) => [id, path]));
  const ids = new Set(pages.map((page) => page.id));
  const source = sourceOf(input.source);
  const fileNamed = (url: string, page: string) => {
    const target = links.resolve(url, page);
    return target.kind === 'file' ? target.file : undefined;
  };
  const textOf = async (file: string | undefined) => {
    const bytes = file === undefined ? undefined : await source.file(file);
    return bytes && new TextDecoder().decode(bytes);
  };
  const variables = async () => {
    const file = content.files.find(({ name }) => isVariables(name))?.id;
    // The file is written like front matter.
    return readFrontMatter(`---\n${(await textOf(file)) ?? ''}\n---\n`).data;
  };
  const output = openSync(input.file, 'w', 0o600);
  const writer = new BlockWriter(output);
  try {
    const findings = await writePdf(
      pages,
      {
        title: input.title,
        author: input.author,
        date: input.date,
        fonts: { named: namedFonts(input.fonts) },
        onPage: ({ title }) => onStep(title),
        ...textsOf(input, source),
        include: (path, page) => textOf(fileNamed(path, page)),
        values: async () => ({ space: { vars: await variables() }, visitor: { claims: { unsigned: {} } } }),
        resolve(url, page) {
          const target = links.resolve(url, page);
          if (target.kind === 'anchor') return { page, anchor: target.anchor };
          return target.kind === 'page' && ids.has(target.page) ? target : undefined;
        },
        address(url, page) {
          const target = links.resolve(url, page);
          if (target.kind === 'external') return url;
          if (target.kind === 'page') return pathAddress(`${app}/`, getFrom(paths, target.page));
          return target.kind === 'file' ? `${base}/files/${target.file}` : undefined;
        },
        imageName: fileNamed,
        image: (file) => source.file(file),
      },
      (bytes) => writer.write(bytes),
    );
    writer.flush();
    return findings;
  } finally {
    closeSync(output);
    input.source.close();
  }
}

/** The texts of pages, with what they show of specifications. */
function textsOf({ references }: PdfInput, source: PdfSource): Pick<PdfOptions, 'text' | 'openapi'> {
  const specs = new SpecReader((slug) => source.spec(slug));
  return {
    text(page) {
      const reference = references.get(page);
      return reference ? textOfReference(specs, reference) : source.text(page);
    },
    openapi: async (markdown, page) => (references.has(page) ? undefined : blockDescriber(markdown, specs)),
  };
}

/** Writes pieces in blocks: a PDF consists of hundreds of thousands of them. */
class BlockWriter {
  readonly #file: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(file: number) {
    this.#file = file;
  }

  write(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#length += bytes.byteLength;
    if (this.#length >= blockLength) this.flush();
  }

  flush(): void {
    const block = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    for (let written = 0; written < block.length;) written += writeSync(this.#file, block, written);
  }
}

const blockLength = 256 * 1024;

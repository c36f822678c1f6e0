/** The types of structure elements in a tagged PDF (ISO 32000, 14.8.4). */
export type Tag =
  | ('Document' | 'Sect' | 'P' | 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'H6' | 'BlockQuote' | 'Note')
  | ('L' | 'LI' | 'Lbl' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Caption' | 'Formula' | 'Code' | 'Link')
  | ('TOC' | 'TOCI');

interface TagOptions {
  /** What a screen reader reads instead of an image. */
  alt?: string;
  title?: string;
  scope?: 'Column' | 'Row';
}

/** The structure of a document. Everything drawn belongs to the innermost open element, or is decoration. */
export class Tags {
  readonly #document: PDFKit.PDFDocument;
  readonly #open: PDFKit.PDFStructureElement[] = [];
  readonly #types: Tag[] = [];
  #marked: PDFKit.PDFStructureElement | 'artifact' | undefined;
  /** Keys of the parent tree below this one have their final form. */
  #settled = 0;

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document;
  }

  /** Everything that `draw` writes belongs to a new element. */
  within<Result>(tag: Tag, options: TagOptions, draw: (element: PDFKit.PDFStructureElement) => Result): Result {
    const element = this.begin(tag, options);
    const result = draw(element);
    this.end();
    return result;
  }

  begin(tag: Tag, options: TagOptions = {}): PDFKit.PDFStructureElement {
    const element = this.reserve(tag, options);
    this.resume(element, tag);
    return element;
  }

  /** Adds an element that is filled later. */
  reserve(tag: Tag, options: TagOptions = {}): PDFKit.PDFStructureElement {
    this.pause();
    const element = this.#document.struct(tag, options);
    const above = this.#open.at(-1);
    if (above) above.add(element);
    else this.#document.addStructure(element);
    return element;
  }

  resume(element: PDFKit.PDFStructureElement, tag: Tag): void {
    this.pause();
    this.#open.push(element);
    this.#types.push(tag);
  }

  end(): void {
    this.pause();
    this.#open.pop()?.end();
    this.#types.pop();
  }

  /** Marks what is drawn next as content of the innermost element. */
  content(): void {
    const element = this.#open.at(-1);
    if (!element || this.#marked === element) return;
    this.pause();
    element.add(this.#document.markStructureContent(this.#types.at(-1) ?? 'P'));
    this.#marked = element;
  }

  /** Marks what is drawn next as decoration, which screen readers skip. */
  artifact(type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (this.#marked === 'artifact') return;
    this.pause();
    this.#document.markContent('Artifact', { type });
    this.#marked = 'artifact';
  }

  /** Ends the marked content, for operators that must not be part of it and at the end of a sheet. */
  pause(): void {
    if (this.#marked === undefined) return;
    this.#document.endMarkedContent();
    this.#marked = undefined;
  }

  /**
   * The library keeps all elements until the end, because the parent tree refers to them. Their names take only a
   * twentieth of the memory.
   */
  settle(): void {
    const { _items: items } = this.#document.getStructParentTree();
    for (; this.#settled in items; this.#settled += 1) {
      const item = items[this.#settled];
      items[this.#settled] = new Written(Array.isArray(item) ? `[${item.join(' ')}]` : String(item));
    }
  }
}

/** Text that the library writes unchanged. */
class Written {
  readonly [Symbol.toStringTag] = 'Written';
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

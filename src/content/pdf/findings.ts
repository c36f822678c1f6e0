import { oneLine } from '../markdown/markdown.ts';
import { scriptOf } from '../fonts/scripts.ts';

/** Something that a PDF does not show as intended. */
export interface PdfFinding {
  kind: 'missing-font' | 'picture' | 'block' | 'formula';
  /** The script, the format of the image, the name of the block, or the beginning of the formula. */
  what: string;
  /** The Debian package with fonts for the script. */
  package?: string;
  /** Some of the characters. */
  sample?: string;
  /** Titles of the first pages, in order. */
  pages: string[];
  /** Number of pages. */
  count: number;
}

const sampleLength = 8;
const maxPages = 100;
const maxTitle = 100;
const maxFormula = 60;

interface Collected extends PdfFinding {
  seen: Set<string>;
  /** The last page. */
  last?: string;
}

/** Collects findings with the pages they occur on. */
export class Findings {
  /** The title of the current page. */
  page: string | undefined;
  readonly #findings = new Map<string, Collected>();

  /** Adds a character that is not in any font. */
  missing(cluster: string): void {
    const { name, package: fonts } = scriptOf(cluster);
    const finding = this.#add('missing-font', name);
    finding.package = fonts;
    if (finding.seen.size >= sampleLength || finding.seen.has(cluster)) return;
    finding.seen.add(cluster);
    finding.sample = [...finding.seen].join('');
  }

  /** Adds an image that cannot be drawn. */
  picture(what: string): void {
    this.#add('picture', what);
  }

  /** Adds a block that is shown as text. */
  block(name: string): void {
    this.#add('block', name);
  }

  /** Adds a formula that is shown as its source. */
  formula(tex: string): void {
    this.#add('formula', oneLine(tex).slice(0, maxFormula));
  }

  #add(kind: PdfFinding['kind'], what: string): Collected {
    const key = `${kind} ${what}`;
    const finding: Collected = this.#findings.get(key) ?? { kind, what, pages: [], count: 0, seen: new Set() };
    this.#findings.set(key, finding);
    if (this.page !== undefined && finding.last !== this.page) {
      finding.last = this.page;
      finding.count += 1;
      if (finding.pages.length < maxPages) finding.pages.push(this.page.slice(0, maxTitle));
    }
    return finding;
  }

  list(): PdfFinding[] {
    return [...this.#findings.values()].map(({ seen: _seen, last: _last, ...finding }) => finding);
  }
}

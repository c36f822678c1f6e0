import { ownText } from '../../shared/own-text.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { LinkedDocument, OutputLink } from './link-documents.ts';
import type { StaticPage, StaticSource } from './static-source.ts';

/** The rules for broken links in an export, with their descriptions. */
export const exportRules = {
  'dead-link': 'A link of an exported page to something that does not exist.',
  'dead-anchor': 'A link of an exported page to an anchor that the other page does not have.',
} as const satisfies Record<string, string>;

/** The place of a link: a page, or a file with a line. */
type Origin = { page: StaticPage } | { file: string; line?: number | undefined };

interface CheckedDocument {
  origin: Origin;
  dead: string[];
  anchors: { address: string; file: string; anchor: string }[];
}

/** Checks the links of an export. */
export class CheckedLinks {
  readonly #source: StaticSource;
  readonly #documents = new Map<string, CheckedDocument>();
  /** Links of redirects, the search index and the not-found page. */
  readonly #others: CheckedDocument[] = [];
  readonly #ids = new Map<string, ReadonlySet<string>>();

  constructor(source: StaticSource) {
    this.#source = source;
  }

  /** @param file the file of the document */
  add(page: StaticPage, file: string, { links, ids }: Pick<LinkedDocument, 'links' | 'ids'>): void {
    this.#ids.set(file, new Set(ids.map(ownText)));
    this.#documents.set(file, checked({ page }, links));
  }

  addOther(origin: Origin, links: readonly OutputLink[]): void {
    const others = checked(origin, links);
    if (others.dead.length + others.anchors.length > 0) this.#others.push(others);
  }

  /** @param others problems of the pages, which are not reported again */
  async problems(others: readonly FolderProblem[]): Promise<FolderProblem[]> {
    const problems: FolderProblem[] = [];
    const tellers = Map.groupBy(others, ({ file }) => file);
    for (const { origin, dead, anchors } of [...this.#documents.values(), ...this.#others]) {
      const { file: source } = 'page' in origin ? origin.page : origin;
      const isTold = (text: string) => tellers.get(source)?.some(({ message }) => message.includes(text)) === true;
      const add = async (rule: keyof typeof exportRules, text: string, message: string) => {
        if (isTold(text)) return;
        const line = 'page' in origin ? await this.#source.lineOf(origin.page, text) : origin.line;
        problems.push({ file: source, ...(line === undefined ? {} : { line }), rule, level: 'error', message });
      };
      for (const address of new Set(dead)) await add('dead-link', address, `${address} does not exist in the export.`);
      for (const { address, file, anchor } of anchors) {
        const ids = this.#ids.get(file);
        if (!ids || ids.has(anchor) || anchor === 'top') continue;
        await add('dead-anchor', `#${anchor}`, `${address}: ${file} has no anchor "${anchor}".`);
      }
    }
    return problems;
  }
}

const checked = (origin: Origin, links: readonly OutputLink[]): CheckedDocument => ({
  origin,
  dead: links.flatMap((link) => (link.file === undefined ? [ownText(link.address)] : [])),
  anchors: links.flatMap(({ address, file, anchor }) =>
    file === undefined || anchor === '' ? [] : [{ address: ownText(address), file, anchor: ownText(anchor) }],
  ),
});

import { ownText } from '../../shared/own-text.ts';
import type { FolderProblem } from '../folder/problem.ts';
import type { LinkedDocument } from './link-documents.ts';
import type { StaticPage, StaticSource } from './static-source.ts';

/** What `--check` finds besides the problems of the pages, by the name of the rule. */
export const exportRules = {
  'dead-link': 'A link of an exported page to nothing.',
  'dead-anchor': 'A link of an exported page to a place that the other page does not have.',
} as const satisfies Record<string, string>;

interface CheckedDocument {
  page: StaticPage;
  dead: string[];
  anchors: { address: string; file: string; anchor: string }[];
}

/** Follows the links of the documents of an export. */
export class CheckedLinks {
  readonly #source: StaticSource;
  readonly #documents = new Map<string, CheckedDocument>();
  readonly #ids = new Map<string, ReadonlySet<string>>();

  constructor(source: StaticSource) {
    this.#source = source;
  }

  /** @param file that the document is written to */
  add(page: StaticPage, file: string, { links, ids }: Pick<LinkedDocument, 'links' | 'ids'>): void {
    this.#ids.set(file, new Set(ids.map(ownText)));
    this.#documents.set(file, {
      page,
      dead: links.flatMap((link) => (link.file === undefined ? [ownText(link.address)] : [])),
      anchors: links.flatMap(({ address, file: target, anchor }) =>
        target === undefined || anchor === ''
          ? []
          : [{ address: ownText(address), file: target, anchor: ownText(anchor) }],
      ),
    });
  }

  /** @param others problems of the pages: what they tell already is not told twice */
  async problems(others: readonly FolderProblem[]): Promise<FolderProblem[]> {
    const problems: FolderProblem[] = [];
    const tellers = Map.groupBy(others, ({ file }) => file);
    for (const { page, dead, anchors } of this.#documents.values()) {
      const isTold = (text: string) => tellers.get(page.file)?.some(({ message }) => message.includes(text)) === true;
      const add = async (rule: keyof typeof exportRules, text: string, message: string) => {
        if (isTold(text)) return;
        const line = await this.#source.lineOf(page, text);
        problems.push({ file: page.file, line, rule, level: 'error', message });
      };
      for (const address of new Set(dead))
        await add('dead-link', address, `${address} leads to nothing in the export.`);
      for (const { address, file, anchor } of anchors) {
        const ids = this.#ids.get(file);
        if (!ids || ids.has(anchor) || anchor === 'top') continue;
        await add('dead-anchor', `#${anchor}`, `${address}: ${file} has no place "${anchor}".`);
      }
    }
    return problems;
  }
}

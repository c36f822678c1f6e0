import type { PageProblem } from '../html/page-source.ts';

/** What is found in pages, by the name of the rule. */
export const pageRules = {
  'unknown-block': 'A block that is not known; its tag is shown as text.',
  'unclosed-block': 'A block without its end tag.',
  'unopened-block': 'An end tag without its start tag.',
  'unreadable-tag': 'A tag whose arguments cannot be read.',
  'misplaced-block': 'A part of a block outside of it, such as a tab outside of tabs.',
  'missing-argument': 'A block without an argument that it needs.',
  'deep-nesting': 'Blocks in blocks that are nested too deeply to be shown.',
  'broken-link': 'A link to a page or a file that does not exist.',
  'missing-anchor': 'A link to a heading that does not exist.',
  'missing-file': 'An image or a file that does not exist.',
  'missing-include': 'A reusable text that does not exist.',
  'include-cycle': 'A reusable text that includes itself, or one in another more than 10 times.',
  'bad-expression': 'An expression or a condition that cannot be evaluated.',
  'missing-spec': 'An OpenAPI specification, an operation or a schema that does not exist.',
  'remote-image': 'An image of another host, which is shown as a link.',
  'unknown-icon': 'An icon that is not in the set of icons.',
  'bad-formula': 'A formula that cannot be read.',
  'bad-date': 'A date that is not written like 2026-01-31.',
  'unknown-tag': 'An HTML tag that does not exist; it is shown as text.',
  'unsafe-html': 'HTML that is left out because it could run code or load something.',
  'duplicate-anchor': 'Two headings of the page with the same anchor.',
} as const satisfies Record<string, string>;

export type PageRule = keyof typeof pageRules;

/** Collects problems; `include` is set while a reusable text is read. */
export class PageProblems {
  readonly list: PageProblem[] = [];
  include: string | undefined;

  add(rule: PageRule, line: number | undefined, message: string, column?: number): void {
    const { include } = this;
    // A text with the same mistake thousands of times needs no list of all.
    if (this.list.length >= 1_000) return;
    this.list.push({
      line: line ?? 1,
      ...(column === undefined ? {} : { column }),
      rule,
      message,
      ...(include === undefined ? {} : { include }),
    });
  }
}

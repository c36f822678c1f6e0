import type { PageProblem } from '../html/page-source.ts';
import { optionalRules, type PageRule } from './page-rules.ts';

/** Collects problems. `include` is set while a reusable text is read. */
export class PageProblems {
  readonly list: PageProblem[] = [];
  include: string | undefined;
  readonly #optional: ReadonlySet<PageRule>;

  /** @param optional the optional rules to check */
  constructor(optional: Iterable<PageRule> = []) {
    this.#optional = new Set(optional);
  }

  checks(rule: PageRule): boolean {
    return !optionalRules.has(rule) || this.#optional.has(rule);
  }

  add(rule: PageRule, place: { line?: number | undefined; column?: number } | undefined, message: string): void {
    const { include } = this;
    // The same mistake can occur thousands of times.
    if (this.list.length >= 1_000 || !this.checks(rule)) return;
    const { line = 1, column } = place ?? {};
    this.list.push({
      line,
      ...(column === undefined ? {} : { column }),
      rule,
      message,
      ...(include === undefined ? {} : { include }),
    });
  }
}

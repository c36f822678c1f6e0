import type { LinkFinding } from './findings.ts';
import type { LinkedPage, LinkedSpace, LinkedText, LinkedWorld } from './model.ts';

/** Which texts link to pages and include texts. */
export class PageUses {
  readonly #pages = new Map<LinkedPage, Set<LinkedSpace>>();
  readonly #includes = new Set<LinkedText>();
  readonly #links = new Map<LinkedPage, number>();
  readonly #files = new Map<LinkedSpace, Set<string>>();

  page(page: LinkedPage, from: LinkedText): void {
    if (from.page === page) return;
    if (from.kind !== 'contents') this.#links.set(page, this.linksTo(page) + 1);
    this.#pages.set(page, (this.#pages.get(page) ?? new Set()).add(from.space));
  }

  file(file: string, from: LinkedSpace): void {
    this.#files.set(from, (this.#files.get(from) ?? new Set()).add(file));
  }

  /** How many links of other pages lead to a page. */
  linksTo(page: LinkedPage): number {
    return this.#links.get(page) ?? 0;
  }

  /** The files that the texts of a space use. */
  filesOf(space: LinkedSpace): ReadonlySet<string> {
    return this.#files.get(space) ?? new Set();
  }

  include(text: LinkedText): void {
    this.#includes.add(text);
  }

  findings({ spaces, places }: LinkedWorld): LinkFinding[] {
    const isPublic = new Set(places.flatMap(({ space, isPublic: isForAll }) => (isForAll ? [space] : [])));
    return spaces.flatMap((space) => [
      ...this.#unusedIncludes(space),
      ...(isPublic.has(space) ? this.#privateLinks(space, isPublic) : []),
    ]);
  }

  #unusedIncludes({ texts }: LinkedSpace): LinkFinding[] {
    return texts.flatMap((text): LinkFinding[] => {
      if (text.kind !== 'include' || this.#includes.has(text)) return [];
      return [{ ...text.place, rule: 'unused-include', level: 'warning', message: 'No page includes this text.' }];
    });
  }

  #privateLinks({ texts }: LinkedSpace, isPublic: ReadonlySet<LinkedSpace>): LinkFinding[] {
    return texts.flatMap(({ page, place }): LinkFinding[] => {
      const from = page && this.#pages.get(page);
      if (!from || [...from].some((space) => isPublic.has(space))) return [];
      const names = [...from].map(({ name }) => `"${name}"`).join(', ');
      const message = `The page is public, but only pages of ${names} link to it, and readers of public sites cannot see those.`;
      return [{ ...place, rule: 'private-link', level: 'warning', message }];
    });
  }
}

import type { Choice, Find, FirstChoices } from './prompt.ts';

type Choices = Choice<string>[];

/** Gives the pages of a list; if the service can filter, only of what matches `term`. */
export type OpenPages = (term: string) => AsyncIterator<Choices>;

/** Finds choices in a list of the service. Pages are loaded only as far as the choices are needed. */
export function findIn(open: OpenPages, { serviceFilters }: { serviceFilters: boolean }): Find {
  const listsByTerm = new Map<string, LoadedChoices>();
  return (term, count) => {
    const search = term.trim();
    const key = serviceFilters ? search : '';
    const list = listsByTerm.get(key) ?? new LoadedChoices(open(key));
    listsByTerm.set(key, list);
    return list.take(count, serviceFilters ? () => true : matches(search));
  };
}

const matches = (search: string) => {
  const folded = search.toLowerCase();
  return ({ title, value }: Choice<string>) => `${title}\n${value}`.toLowerCase().includes(folded);
};

/** The part of a list that has been loaded so far. */
class LoadedChoices {
  readonly #pages: AsyncIterator<Choices>;
  readonly #loaded: Choices = [];
  #complete = false;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(pages: AsyncIterator<Choices>) {
    this.#pages = pages;
  }

  /** The first choices that match. Calls run one after another, because all of them load pages of the same list. */
  take(count: number, isMatch: (choice: Choice<string>) => boolean): Promise<FirstChoices> {
    const taken = this.#previous.then(async () => {
      const matching = this.#loaded.filter(isMatch);
      while (matching.length <= count && !this.#complete) {
        const { value, done } = await this.#pages.next();
        if (done) this.#complete = true;
        else {
          this.#loaded.push(...value);
          matching.push(...value.filter(isMatch));
        }
      }
      return { choices: matching.slice(0, count), complete: this.#complete && matching.length <= count };
    });
    this.#previous = taken.catch(() => {});
    return taken;
  }
}

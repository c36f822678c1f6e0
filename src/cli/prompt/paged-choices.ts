import type { Choice, Find, Found } from './prompt.ts';

type Choices = Choice<string>[];

/** Gives the pages of a list; of what fits `term` only, where the service can tell. */
export type OpenPages = (term: string) => AsyncIterator<Choices>;

/** Finds choices in a list of the service, page by page as far as they are asked for. */
export function findIn(open: OpenPages, { serviceFilters }: { serviceFilters: boolean }): Find {
  const shelves = new Map<string, LoadedChoices>();
  return (term, count) => {
    const wanted = term.trim();
    const key = serviceFilters ? wanted : '';
    const shelf = shelves.get(key) ?? new LoadedChoices(open(key));
    shelves.set(key, shelf);
    return shelf.take(count, serviceFilters ? () => true : fits(wanted));
  };
}

const fits = (term: string) => {
  const folded = term.toLowerCase();
  return ({ title, value }: Choice<string>) => `${title}\n${value}`.toLowerCase().includes(folded);
};

/** What was read of a list so far. */
class LoadedChoices {
  readonly #pages: AsyncIterator<Choices>;
  readonly #read: Choices = [];
  #complete = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pages: AsyncIterator<Choices>) {
    this.#pages = pages;
  }

  /** The first that fit; one after another, since all of them read on in the same list. */
  take(count: number, isFit: (choice: Choice<string>) => boolean): Promise<Found> {
    const taken = this.#turn.then(async () => {
      let found = this.#read.filter(isFit);
      while (found.length <= count && !this.#complete) {
        const { value, done } = await this.#pages.next();
        if (done) this.#complete = true;
        else {
          this.#read.push(...value);
          found = found.concat(value.filter(isFit));
        }
      }
      return { choices: found.slice(0, count), complete: this.#complete && found.length <= count };
    });
    this.#turn = taken.catch(() => {});
    return taken;
  }
}

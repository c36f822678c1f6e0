import MiniSearch from 'minisearch';
import { ownText } from '../../shared/own-text.ts';
import { type Entry, type IndexedPage, type SearchIndex, searchOptions } from '../search-index.ts';

const keptCharacters = 160;

/** Builds the search index without keeping the texts of pages. */
export class SearchIndexBuilder {
  readonly #engine = new MiniSearch<Entry>(searchOptions);
  readonly #pages: IndexedPage[] = [];

  add(page: IndexedPage): void {
    const { title, description = '', sections } = page;
    const pageNumber = this.#pages.length;
    this.#engine.add({
      id: `${pageNumber}`,
      title,
      heading: '',
      text: `${description} ${sections[0]?.id === undefined ? (sections[0]?.text ?? '') : ''}`,
    });
    for (const [number, { id, title: heading = '', text }] of sections.entries()) {
      if (id !== undefined) this.#engine.add({ id: `${pageNumber}#${number}`, title: '', heading, text });
    }
    this.#pages.push({ ...page, sections: sections.map(beginning) });
  }

  finish(): SearchIndex {
    return { pages: this.#pages, index: this.#engine.toJSON() };
  }
}

const beginning = (section: IndexedPage['sections'][number]) => ({
  ...section,
  text: ownText(
    section.text.length > keptCharacters
      ? `${section.text.slice(0, keptCharacters).replace(/\s\S*$/, '')}…`
      : section.text,
  ),
});

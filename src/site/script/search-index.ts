import MiniSearch from 'minisearch';
import type { SearchAnswer } from '../model.ts';
import { searchIn, type SearchIndex, searchOptions } from '../search-index.ts';

/** Opens the prebuilt index of an exported site. Addresses in it are relative to the index. */
export async function openIndex(href: string): Promise<{ search(query: string): Promise<SearchAnswer> }> {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(String(answer.status));
  const { pages, index }: SearchIndex = await answer.json();
  const engine = MiniSearch.loadJS(index, searchOptions);
  const absolute = (to: string) => new URL(to, href).href;
  return { search: async (query) => searchIn(engine, pages, query, absolute) };
}

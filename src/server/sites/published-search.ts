import type { SearchAnswer, SearchResult } from '../../site/model.ts';
import { visiblePagesOf } from './adaptive-pages.ts';
import { withoutTags } from '../../content/blocks/conditional-text.ts';
import { type Section, sectionsOf } from '../../store/documents.ts';
import { adaptivePages, searchPages } from '../../store/search.ts';
import { scorer, type SearchWord, wordsOf } from '../../store/search-words.ts';
import { folded, matchSections, type SectionMatch } from '../content/search/search-matches.ts';
import { openSpace, type PublishedEntry, type PublishedOutline } from './published-outline.ts';
import type { SiteVisit } from './published-visit.ts';

const maxResults = 12;
const maxSections = 3;
const maxQuery = 200;
/** Searching longer texts is too slow while the reader types. Their pages are found without sections. */
const maxCharacters = 200_000;

interface Hit extends Omit<SearchResult, 'sections'> {
  score: number;
  /** JSON of the sections of its text. */
  sections: string;
}

/** Searches all pages of a site that the visitor can find. The best are first. */
export async function searchSite(visit: SiteVisit, text: string): Promise<() => Promise<SearchAnswer>> {
  const words = wordsOf(text.slice(0, maxQuery));
  if (words.length === 0) return async () => ({ results: [] });
  const searches: SpaceSearch[] = [];
  for (const siteSpace of visit.parts.siteSpaces) {
    searches.push(await searchSpace(visit, siteSpace, words, folded(text.trim())));
  }
  const indexed: Hit[] = [];
  for (const { document, ...hit } of bestOf(searches.flatMap((search) => search.indexed))) {
    indexed.push({ ...hit, sections: await sectionsOf(visit.db, document) });
  }
  return async () => {
    const hits = [...indexed];
    for (const search of searches) hits.push(...(await search.adaptive()));
    const best = bestOf(hits);
    let characters = 0;
    const pages = best.map(({ sections }) => {
      characters += sections.length;
      return characters > maxCharacters ? '[]' : readableJson(sections);
    });
    const matches = matchSections({ pages, words });
    return { results: best.map((result, index) => answerOf(result, matches[index] ?? [])) };
  };
}

const bestOf = <T extends { score: number }>(hits: readonly T[]): T[] =>
  hits.toSorted((a, b) => b.score - a.score).slice(0, maxResults);

/** Removes the tags of blocks. */
function readableJson(json: string): string {
  if (!json.includes('{%')) return json;
  const sections: Section[] = JSON.parse(json);
  return JSON.stringify(sections.map((section) => ({ ...section, text: withoutTags(section.text) })));
}

function answerOf({ title, href, emoji, icon, trail, description }: Hit, matches: SectionMatch[]): SearchResult {
  const sections = matches.slice(0, maxSections).map(({ anchor, title: heading, body }) => ({
    title: heading,
    href: `${href}#${encodeURIComponent(anchor)}`,
    text: body,
  }));
  return { title, href, emoji, icon, trail, description, sections };
}

interface SpaceSearch {
  indexed: (Omit<Hit, 'sections'> & { document: string | null })[];
  /** Reads the pages whose text depends on the visitor. Call it outside the transaction. */
  adaptive(): Promise<Hit[]>;
}

async function searchSpace(
  visit: SiteVisit,
  siteSpace: SiteVisit['parts']['siteSpaces'][number],
  words: SearchWord[],
  query: string,
): Promise<SpaceSearch> {
  const { db, parts } = visit;
  const space = await openSpace(visit, siteSpace);
  const { content, outline, contents, hrefOf } = space;
  const section = parts.sections.find(({ id }) => id === siteSpace.section);
  const place = section?.title ?? (parts.siteSpaces.length > 1 ? content.space.title : undefined);
  const canBeFound = (entry: PublishedEntry) =>
    entry.type === 'document' && !contents.isMarked(entry, 'hidden') && !contents.isMarked(entry, 'noIndex');
  const present = (entry: PublishedEntry, score: number) => {
    const { title, emoji, icon, description } = entry;
    const trail = contents.ancestorsOf(entry).map((above) => above.title);
    return {
      title,
      href: hrefOf(entry),
      emoji,
      icon,
      trail: place === undefined ? trail : [place, ...trail],
      description,
      score: score + (folded(title) === query ? 1000 : 0),
    };
  };
  const adaptive = await adaptivePages(db, siteSpace.space);
  // The index also contains the words of hidden text, so pages with such text are excluded.
  const hits = await searchPages(db, words, { space: siteSpace.space, isForAll: true });
  const adapting = contents.pages.filter((entry) => adaptive.has(entry.key) && canBeFound(entry));
  const readTexts = await visiblePagesOf(visit, space, adapting);
  return {
    indexed: [...hits, ...referenceHits(outline, words)].flatMap(({ page, score }) => {
      const entry = contents.find(page);
      return entry && canBeFound(entry) ? [{ ...present(entry, score), document: entry.row.document }] : [];
    }),
    async adaptive() {
      const texts = await readTexts();
      const scoreOf = scorer(words);
      return adapting.flatMap((entry, index) => {
        const text = texts[index];
        const score = text && scoreOf(text);
        return score === undefined ? [] : [{ ...present(entry, score), sections: text?.sections ?? '[]' }];
      });
    },
  };
}

/** Pages of references whose titles, addresses or fields contain all words. */
function referenceHits({ references }: PublishedOutline, words: readonly SearchWord[]) {
  return [...references].flatMap(([page, { page: listed }]) => {
    const title = folded(listed.title);
    const all = `${title} ${folded(listed.words)}`;
    if (!words.every(({ text }) => all.includes(folded(text)))) return [];
    return [{ page, score: words.length * (words.every(({ text }) => title.includes(folded(text))) ? 2 : 1) }];
  });
}

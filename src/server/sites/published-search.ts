import type { SearchAnswer, SearchResult } from '../../site/model.ts';
import { visiblePagesOf } from './adaptive-pages.ts';
import { isMarked } from './listed-pages.ts';
import { withoutTags } from '../../content/blocks/conditional-text.ts';
import type { PageRow } from '../../store/content.ts';
import { type Section, sectionsOf } from '../../store/documents.ts';
import { adaptivePages, searchPages } from '../../store/search.ts';
import { scorer, type SearchWord, wordsOf } from '../../store/search-words.ts';
import { folded, matchSections, type SectionMatch } from '../content/search/search-matches.ts';
import { type PublishedOutline, publishedOutline } from './published-outline.ts';
import { ancestorsOf } from './published-site.ts';
import { pathAddress } from './published-text.ts';
import { addressOf, publishedContent, type SiteVisit } from './published-visit.ts';

const maxResults = 12;
const maxSections = 3;
const maxQuery = 200;
/** Longer texts take too long to look through while somebody types; their pages are found without sections. */
const maxCharacters = 200_000;

interface Found extends Omit<SearchResult, 'sections'> {
  score: number;
  /** JSON of the sections of its text. */
  sections: string;
}

/** Searches all pages of a site that the visitor can find, best first. */
export async function searchSite(visit: SiteVisit, text: string): Promise<() => Promise<SearchAnswer>> {
  const words = wordsOf(text.slice(0, maxQuery));
  if (words.length === 0) return async () => ({ results: [] });
  const searches: SpaceSearch[] = [];
  for (const siteSpace of visit.parts.siteSpaces) {
    searches.push(await searchSpace(visit, siteSpace, words, folded(text.trim())));
  }
  const indexed: Found[] = [];
  for (const { document, ...hit } of bestOf(searches.flatMap((search) => search.indexed))) {
    indexed.push({ ...hit, sections: await sectionsOf(visit.db, document) });
  }
  return async () => {
    const found = [...indexed];
    for (const search of searches) found.push(...(await search.adaptive()));
    const best = bestOf(found);
    let characters = 0;
    const pages = best.map(({ sections }) => {
      characters += sections.length;
      return characters > maxCharacters ? '[]' : readableJson(sections);
    });
    const matches = matchSections({ pages, words });
    return { results: best.map((result, index) => answerOf(result, matches[index] ?? [])) };
  };
}

const bestOf = <T extends { score: number }>(found: readonly T[]): T[] =>
  found.toSorted((a, b) => b.score - a.score).slice(0, maxResults);

/** The tags of blocks are no text. */
function readableJson(json: string): string {
  if (!json.includes('{%')) return json;
  const sections: Section[] = JSON.parse(json);
  return JSON.stringify(sections.map((section) => ({ ...section, text: withoutTags(section.text) })));
}

function answerOf({ title, href, emoji, icon, trail, description }: Found, matches: SectionMatch[]): SearchResult {
  const sections = matches.slice(0, maxSections).map(({ anchor, title: heading, body }) => ({
    title: heading,
    href: `${href}#${encodeURIComponent(anchor)}`,
    text: body,
  }));
  return { title, href, emoji, icon, trail, description, sections };
}

interface SpaceSearch {
  indexed: (Omit<Found, 'sections'> & { document: string | null })[];
  /** Reads the pages whose text depends on the visitor, outside of the transaction. */
  adaptive(): Promise<Found[]>;
}

async function searchSpace(
  visit: SiteVisit,
  siteSpace: SiteVisit['parts']['siteSpaces'][number],
  words: SearchWord[],
  query: string,
): Promise<SpaceSearch> {
  const { db, parts, root } = visit;
  const content = await publishedContent(visit, siteSpace);
  const outline = await publishedOutline(visit, content.snapshot);
  const section = parts.sections.find(({ id }) => id === siteSpace.section);
  const place = section?.title ?? (parts.siteSpaces.length > 1 ? content.space.title : undefined);
  const home = root + addressOf(parts, siteSpace);
  const present = (row: PageRow, score: number) => {
    const trail = ancestorsOf(outline, row).map(({ title }) => title);
    return {
      title: row.title,
      href: pathAddress(home, outline.pathOf(row.page)),
      emoji: row.emoji ?? undefined,
      icon: row.icon ?? undefined,
      trail: place === undefined ? trail : [place, ...trail],
      description: row.description ?? undefined,
      score: score + (folded(row.title) === query ? 1000 : 0),
    };
  };
  const adaptive = await adaptivePages(db, siteSpace.space);
  // The index has the words of hidden text, too.
  const hits = await searchPages(db, words, { space: siteSpace.space, isForAll: true });
  const rows = outline.rows.filter((row) => adaptive.has(row.page) && canBeFound(outline, row));
  const readTexts = await visiblePagesOf(visit, { outline, content }, rows);
  return {
    indexed: [...hits, ...referenceHits(outline, words)].flatMap(({ page, score }) => {
      const row = outline.find(page);
      return row && canBeFound(outline, row) ? [{ ...present(row, score), document: row.document }] : [];
    }),
    async adaptive() {
      const texts = await readTexts();
      const scoreOf = scorer(words);
      return rows.flatMap((row, index) => {
        const text = texts[index];
        const score = text && scoreOf(text);
        return score === undefined ? [] : [{ ...present(row, score), sections: text?.sections ?? '[]' }];
      });
    },
  };
}

const canBeFound = (outline: PublishedOutline, row: PageRow): boolean =>
  row.type === 'document' && !isMarked('hidden', outline, row) && !isMarked('no_index', outline, row);

/** Pages of references whose titles, addresses or fields have all words. */
function referenceHits({ references }: PublishedOutline, words: readonly SearchWord[]) {
  return [...references].flatMap(([page, { page: listed }]) => {
    const title = folded(listed.title);
    const all = `${title} ${folded(listed.words)}`;
    if (!words.every(({ text }) => all.includes(folded(text)))) return [];
    return [{ page, score: words.length * (words.every(({ text }) => title.includes(folded(text))) ? 2 : 1) }];
  });
}

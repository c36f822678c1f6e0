import type { SearchAnswer, SearchResult } from '../../site/model.ts';
import { sectionsOf } from '../../store/documents.ts';
import { searchPages, type SearchWord, wordsOf } from '../../store/search.ts';
import { outlineAt } from '../content/find-content.ts';
import { folded, matchSections } from '../content/search/search-matches.ts';
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
  document: string | null;
}

/** Searches all pages of a site that the visitor can find, best first. */
export async function searchSite(visit: SiteVisit, text: string): Promise<SearchAnswer> {
  const words = wordsOf(text.slice(0, maxQuery));
  if (words.length === 0) return { results: [] };
  const found: Found[] = [];
  for (const siteSpace of visit.parts.siteSpaces) {
    found.push(...(await searchSpace(visit, siteSpace, words, folded(text.trim()))));
  }
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, maxResults);
  const texts: string[] = [];
  let characters = 0;
  for (const { document } of best) {
    const sections = await sectionsOf(visit.db, document);
    characters += sections.length;
    texts.push(characters > maxCharacters ? '[]' : sections);
  }
  const matches = matchSections({ pages: texts, words });
  return {
    results: best.map((result, index) => ({
      title: result.title,
      href: result.href,
      emoji: result.emoji,
      icon: result.icon,
      trail: result.trail,
      description: result.description,
      sections: (matches[index] ?? []).slice(0, maxSections).map(({ anchor, title, body }) => ({
        title,
        href: `${result.href}#${encodeURIComponent(anchor)}`,
        text: body,
      })),
    })),
  };
}

async function searchSpace(
  visit: SiteVisit,
  siteSpace: SiteVisit['parts']['siteSpaces'][number],
  words: SearchWord[],
  query: string,
): Promise<Found[]> {
  const { db, parts, root } = visit;
  const hits = await searchPages(db, words, { space: siteSpace.space });
  if (hits.length === 0) return [];
  const { snapshot, space } = await publishedContent(visit, siteSpace);
  const outline = await outlineAt(db, snapshot);
  const section = parts.sections.find(({ id }) => id === siteSpace.section);
  const place = section?.title ?? (parts.siteSpaces.length > 1 ? space.title : undefined);
  const home = root + addressOf(parts, siteSpace);
  return hits.flatMap(({ page, score }) => {
    const row = outline.find(page);
    if (row?.type !== 'document' || row.hidden === 1 || row.no_index === 1) return [];
    const trail = ancestorsOf(outline, row).map(({ title }) => title);
    return {
      title: row.title,
      href: pathAddress(home, outline.pathOf(page)),
      emoji: row.emoji ?? undefined,
      icon: row.icon ?? undefined,
      trail: place === undefined ? trail : [place, ...trail],
      description: row.description ?? undefined,
      score: score + (folded(row.title) === query ? 1000 : 0),
      document: row.document,
    };
  });
}

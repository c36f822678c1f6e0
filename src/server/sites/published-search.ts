import type { SearchAnswer, SearchResult } from '../../site/model.ts';
import { isMarked } from './listed-pages.ts';
import { mayHaveConditions, withoutTags } from '../../content/blocks/conditional-text.ts';
import { markdownOf, type Section, sectionsOf } from '../../store/documents.ts';
import { searchPages, type SearchWord, wordsOf } from '../../store/search.ts';
import { folded, matchSections, type SectionMatch } from '../content/search/search-matches.ts';
import { type PublishedOutline, publishedOutline } from './published-outline.ts';
import { valuesFor } from './published-page.ts';
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
  /** Title of its space. */
  space: string;
}

/** Searches all pages of a site that the visitor can find, best first. */
export async function searchSite(visit: SiteVisit, text: string): Promise<() => Promise<SearchAnswer>> {
  const words = wordsOf(text.slice(0, maxQuery));
  if (words.length === 0) return async () => ({ results: [] });
  const found: Found[] = [];
  for (const siteSpace of visit.parts.siteSpaces) {
    found.push(...(await searchSpace(visit, siteSpace, words, folded(text.trim()))));
  }
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, maxResults);
  const pages: FoundText[] = [];
  let characters = 0;
  for (const { document } of best) {
    const markdown = await markdownOf(visit.db, document);
    const sections = await sectionsOf(visit.db, document);
    characters += sections.length;
    if (mayHaveConditions(markdown)) pages.push({ markdown, sections: '[]' });
    else pages.push({ sections: characters > maxCharacters ? '[]' : readableJson(sections) });
  }
  return async () => {
    const sections = await readableBy(visit, best, pages);
    const matches = matchSections({ pages: sections, words });
    const isFor = (index: number) => pages[index]?.markdown === undefined || has(best[index], sections[index], words);
    return { results: best.flatMap((result, index) => (isFor(index) ? [answerOf(result, matches[index] ?? [])] : [])) };
  };
}

interface FoundText {
  /** JSON. */
  sections: string;
  /** Where parts of it may not be for the reader. */
  markdown?: string;
}

/** The sections of pages, those of conditions as the visitor may see them. */
async function readableBy(visit: SiteVisit, found: readonly Found[], pages: readonly FoundText[]): Promise<string[]> {
  const { instance, site } = visit;
  const sections = pages.map((page) => page.sections);
  for (const [index, { markdown }] of pages.entries()) {
    const title = found[index]?.space;
    if (markdown === undefined || title === undefined || markdown.length > maxCharacters) continue;
    const texts = { markdowns: [markdown], values: valuesFor(visit, title) };
    const options = { caller: `site ${site.id}`, what: `The page "${found[index]?.title}"` };
    const [readable = '[]'] = await instance.texts.run('readableSections', texts, options);
    sections[index] = readableJson(readable);
  }
  return sections;
}

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

/** Whether a page has one of the words in what the visitor may see of it. */
function has(page: Found | undefined, sections: string | undefined, words: SearchWord[]): boolean {
  const text = folded(`${page?.title} ${page?.description ?? ''} ${sections ?? ''}`);
  return words.some((word) => text.includes(folded(word.text)));
}

async function searchSpace(
  visit: SiteVisit,
  siteSpace: SiteVisit['parts']['siteSpaces'][number],
  words: SearchWord[],
  query: string,
): Promise<Found[]> {
  const { db, parts, root } = visit;
  const hits = await searchPages(db, words, { space: siteSpace.space });
  const { snapshot, space } = await publishedContent(visit, siteSpace);
  const outline = await publishedOutline(visit, snapshot);
  const all = [...hits, ...referenceHits(outline, words)];
  const section = parts.sections.find(({ id }) => id === siteSpace.section);
  const place = section?.title ?? (parts.siteSpaces.length > 1 ? space.title : undefined);
  const home = root + addressOf(parts, siteSpace);
  return all.flatMap(({ page, score }) => {
    const row = outline.find(page);
    if (row?.type !== 'document' || isMarked('hidden', outline, row) || isMarked('no_index', outline, row)) return [];
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
      space: space.title,
    };
  });
}

/** Pages of references whose titles, addresses or fields have all words. */
function referenceHits({ references }: PublishedOutline, words: readonly SearchWord[]) {
  return [...references].flatMap(([page, { page: listed }]) => {
    const title = folded(listed.title);
    const all = `${title} ${folded(listed.words)}`;
    if (!words.every(({ text }) => all.includes(folded(text)))) return [];
    return [{ page, score: words.length * (words.every(({ text }) => title.includes(folded(text))) ? 2 : 1) }];
  });
}

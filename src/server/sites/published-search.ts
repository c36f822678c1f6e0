import type { SearchAnswer, SearchResult } from '../../site/model.ts';
import { visiblePagesOf } from './adaptive-pages.ts';
import { withoutTags } from '../../content/blocks/conditional-text.ts';
import { parseQuery } from '../../shared/search/query.ts';
import { rankPages } from '../../shared/search/rank-pages.ts';
import { CombinedSource, type SearchSource, searchedText, TextSource } from '../../shared/search/source.ts';
import { type Section, sectionsOf } from '../../store/documents.ts';
import { adaptivePages } from '../../store/search.ts';
import { DatabaseSource } from '../content/search/database-source.ts';
import { matchSections, type SectionMatch } from '../content/search/search-matches.ts';
import type { InstanceRequest } from '../engine/request.ts';
import { openSpace, type PublishedEntry, type PublishedOutline } from './published-outline.ts';
import type { SiteVisit } from './published-visit.ts';

const maxResults = 12;
const maxSections = 3;
const maxQuery = 200;
/** Searching longer texts is too slow while the reader types. Their pages are found without sections. */
const maxCharacters = 200_000;

interface FoundPage {
  page: Omit<SearchResult, 'sections'>;
  /** JSON of the sections of its text. */
  sections(): Promise<string> | string;
}

/** Searches all pages of a site that the visitor can find. The best are first. @throws NotPrepared */
export async function searchSite(visit: SiteVisit, request: InstanceRequest, text: string): Promise<SearchAnswer> {
  const query = text.slice(0, maxQuery);
  if (parseQuery(query).terms.length === 0) return { results: [] };
  const spaces: SearchedSpace[] = [];
  for (const siteSpace of visit.parts.siteSpaces) spaces.push(await searchedSpace(visit, request, siteSpace));
  const ranking = await rankPages(new CombinedSource(spaces.flatMap(({ sources }) => sources)), query);
  const places = new Map(spaces.flatMap(({ keys }) => keys).map((key, index) => [key, index]));
  const best = ranking.pages
    .toSorted((a, b) => b.score - a.score || (places.get(a.page) ?? 0) - (places.get(b.page) ?? 0))
    .slice(0, maxResults);
  const results: FoundPage[] = best.map(({ page }) => getFound(spaces, page));
  const pages: string[] = [];
  let characters = 0;
  for (const result of results) {
    const sections = await result.sections();
    characters += sections.length;
    pages.push(characters > maxCharacters ? '[]' : readableJson(sections));
  }
  const matches = matchSections({ pages, words: ranking.words });
  return {
    suggestion: ranking.suggestion,
    results: results.map(({ page }, index) => answerOf(page, matches[index] ?? [])),
  };
}

function getFound(spaces: readonly SearchedSpace[], key: string): FoundPage {
  for (const space of spaces) {
    const page = space.find(key);
    if (page) return page;
  }
  throw new Error(`The page ${key} is in no space.`);
}

/** Removes the tags of blocks. */
function readableJson(json: string): string {
  if (!json.includes('{%')) return json;
  const sections: Section[] = JSON.parse(json);
  return JSON.stringify(sections.map((section) => ({ ...section, text: withoutTags(section.text) })));
}

function answerOf(page: FoundPage['page'], matches: SectionMatch[]): SearchResult {
  const sections = matches.slice(0, maxSections).map(({ anchor, title, body }) => ({
    title,
    href: `${page.href}#${encodeURIComponent(anchor)}`,
    text: body,
  }));
  return { ...page, sections };
}

interface SearchedSpace {
  sources: SearchSource[];
  /** The keys of its pages, in page order. */
  keys: string[];
  find(key: string): FoundPage | undefined;
}

async function searchedSpace(
  visit: SiteVisit,
  request: InstanceRequest,
  siteSpace: SiteVisit['parts']['siteSpaces'][number],
): Promise<SearchedSpace> {
  const { db, parts } = visit;
  const space = await openSpace(visit, siteSpace);
  const { content, outline, contents, hrefOf } = space;
  const section = parts.sections.find(({ id }) => id === siteSpace.section);
  const place = section?.title ?? (parts.siteSpaces.length > 1 ? content.space.title : undefined);
  const canBeFound = (entry: PublishedEntry) =>
    entry.type === 'document' && !contents.isMarked(entry, 'hidden') && !contents.isMarked(entry, 'noIndex');
  const keyOf = (page: string) => `${siteSpace.space}/${page}`;
  const entries = new Map(contents.pages.filter(canBeFound).map((entry) => [keyOf(entry.key), entry]));
  const adaptive = await adaptivePages(db, siteSpace.space);
  const adapting = [...entries.values()].filter((entry) => adaptive.has(entry.key));
  const texts = await visiblePagesOf(visit, space, { entries: adapting, request });
  const textOf = new Map(adapting.map((entry, index) => [keyOf(entry.key), texts[index]]));
  return {
    sources: [
      // The index also contains the words of hidden text, so pages with such text are excluded.
      new DatabaseSource(db, {
        scope: { space: siteSpace.space, isForAll: true },
        visible: (hits) => hits.filter(({ page }) => entries.has(keyOf(page))),
      }),
      new TextSource(new Map([...textOf].flatMap(([key, text]) => (text ? [[key, text] as const] : [])))),
      referenceSource(outline, keyOf, entries),
    ],
    keys: [...entries.keys()],
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const { title, emoji, icon, description } = entry;
      const above = contents.ancestorsOf(entry).map((ancestor) => ancestor.title);
      const trail = place === undefined ? above : [place, ...above];
      return {
        page: { title, href: hrefOf(entry), emoji, icon, trail, description },
        sections: () => (textOf.has(key) ? (textOf.get(key)?.sections ?? '[]') : sectionsOf(db, entry.row.document)),
      };
    },
  };
}

/** Pages of references, by their titles, addresses and fields. */
function referenceSource(
  { references }: PublishedOutline,
  keyOf: (page: string) => string,
  entries: ReadonlyMap<string, PublishedEntry>,
): TextSource {
  const pages = [...references].flatMap(([page, { page: listed }]) =>
    entries.has(keyOf(page))
      ? [[keyOf(page), searchedText({ title: listed.title, headings: '', text: listed.words })] as const]
      : [],
  );
  return new TextSource(new Map(pages));
}

import type { ItemOf } from '../contract/endpoint.ts';
import { search } from '../contract/search.ts';
import type { PageRow } from '../store/content.ts';
import { type Section, sectionsOf } from '../store/documents.ts';
import { type ScoredHit, searchPages, type SearchWord, wordsOf } from '../store/search.ts';
import { placedCollections, placedSpaces, spacesById } from '../store/spaces.ts';
import { snapshotOf } from '../store/snapshots.ts';
import type { Db } from '../store/store.ts';
import type { Row } from '../store/tables.ts';
import { asking } from './contentPlaces.ts';
import { implement } from './implement.ts';
import { levelsIn } from './levels.ts';
import type { Outline } from './outline.ts';
import { pageAddress } from './pages.ts';
import { compareKeys, type Key, pagedArray } from './paging.ts';
import { appOf, outlineAt } from './reading.ts';
import { inTreeOrder } from './spaces.ts';

type Result = ItemOf<typeof search.space>;

const maxSections = 5;
const maxBody = 200;
/** Pages told of each space where all spaces are searched. */
const maxPagesOfSpace = 50;

interface Found {
  row: PageRow;
  key: Key;
}

/** The pages that were hit, best first, then in page order. */
function ranked(hits: ScoredHit[], outline: Outline, query: string): Found[] {
  const whole = folded(query.trim());
  return hits
    .flatMap(({ page, score }) => {
      const row = outline.find(page);
      if (!row) return [];
      // A page that is called just so is what was meant.
      const best = folded(row.title) === whole ? 1000 : 0;
      return { row, key: [-(score + best), outline.orderOf(page)] };
    })
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

async function presentHit(db: Db, row: PageRow, outline: Outline, app: string, words: SearchWord[]): Promise<Result> {
  const path = outline.pathOf(row.page);
  const address = pageAddress(app, path);
  const sections = matching(await sectionsOf(db, row.document), words).map(({ anchor, title, body }) => ({
    id: anchor,
    title,
    path: `${path}#${anchor}`,
    body,
    urls: { app: `${address}#${encodeURIComponent(anchor)}` },
  }));
  return { id: row.page, title: row.title, path, sections, urls: { app: address } };
}

/** The headings that have most of the words in them or below them. */
function matching(sections: Section[], words: SearchWord[]) {
  const scored = sections.flatMap((section) => {
    if (section.title === '') return [];
    const text = section.text.replaceAll(/\s+/g, ' ');
    const title = foldedWithPlaces(section.title);
    const body = foldedWithPlaces(text);
    const places = words.map((word) => ({ inTitle: placeOf(title, word), inText: placeOf(body, word) }));
    const score = places.reduce((sum, at) => sum + (at.inTitle >= 0 ? 2 : 0) + (at.inText >= 0 ? 1 : 0), 0);
    if (score === 0) return [];
    const first = Math.min(...places.map(({ inText }) => (inText < 0 ? Infinity : inText)));
    return {
      anchor: section.anchor,
      title: section.title,
      body: excerpt(text, Number.isFinite(first) ? first : 0),
      score,
    };
  });
  return scored.toSorted((a, b) => b.score - a.score).slice(0, maxSections);
}

/** Lower case, without accents: the form in which texts and words are compared. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}+/gu, '')
    .toLowerCase();

interface Folded {
  text: string;
  /** Where each of its characters comes from. */
  places: number[];
}

function foldedWithPlaces(text: string): Folded {
  let made = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const as = folded(character);
    made += as;
    for (let i = 0; i < as.length; i++) places.push(at);
    at += character.length;
  }
  return { text: made, places };
}

const letter = /[\p{L}\p{N}\p{Co}]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Where a word first stands in a text, as a word of its own or, unfinished, the beginning of one; -1 when nowhere. */
function placeOf({ text, places }: Folded, word: SearchWord): number {
  const wanted = folded(word.text);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + wanted.length] ?? ' ';
    const begins = !letter.test(before) || unspaced.test(wanted[0]!);
    const ends = word.prefix || !letter.test(after) || unspaced.test(wanted.at(-1)!);
    if (begins && ends) return places[at]!;
  }
  return -1;
}

/** Up to 200 characters of a text, with what is at `place` near their beginning. */
function excerpt(text: string, place: number): string {
  if (text.length <= maxBody) return text;
  const lead = Math.max(0, place - 60);
  const start = lead === 0 ? 0 : Math.min(text.indexOf(' ', lead) + 1 || lead, place);
  const head = start > 0 ? '…' : '';
  const rest = text.slice(start);
  if (head.length + rest.length <= maxBody) return head + rest;
  const cut = rest.slice(0, maxBody - head.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}${cut}…`;
}

async function outlineOf(db: Db, space: Row<'space'>): Promise<Outline> {
  return outlineAt(db, await snapshotOf(db, space.revision));
}

export const handlers = implement(search, {
  async space({ db, at: { space }, query, page, base }) {
    const words = wordsOf(query.query);
    const hits = await searchPages(db, words, { space: space.id });
    if (hits.length === 0) return { items: [], count: 0 };
    const outline = await outlineOf(db, space);
    const app = appOf(base, space);
    return pagedArray(page, ranked(hits, outline, query.query), {
      key: (found) => found.key,
      present: (some) => Promise.all(some.map(({ row }) => presentHit(db, row, outline, app, words))),
    });
  },

  async organization({ db, at: { org }, query, page, base, caller }) {
    const words = wordsOf(query.query);
    const hits = Map.groupBy(await searchPages(db, words, { organization: org.id }), (hit) => hit.space);
    const levels = await levelsIn(db, asking(org, caller.id));
    const seen = (await placedSpaces(db, org.id)).filter((row) => hits.has(row.id) && levels('space', row) !== null);
    const spaces = inTreeOrder(seen, await placedCollections(db, org.id))
      .map(({ id, key }): { id: string; key: Key } => ({
        id,
        key: [-Math.max(...hits.get(id)!.map((hit) => hit.score)), ...key],
      }))
      .toSorted((a, b) => compareKeys(a.key, b.key));
    return pagedArray(page, spaces, {
      key: (space) => space.key,
      present: async (some) => {
        const rows = await spacesById(
          db,
          some.map(({ id }) => id),
        );
        return Promise.all(
          rows.map(async (space) => {
            const outline = await outlineOf(db, space);
            const best = ranked(hits.get(space.id)!, outline, query.query).slice(0, maxPagesOfSpace);
            const app = appOf(base, space);
            const pages = await Promise.all(best.map(({ row }) => presentHit(db, row, outline, app, words)));
            return { id: space.id, title: space.title, pages };
          }),
        );
      },
    });
  },
});

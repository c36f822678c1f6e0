import { sql } from 'kysely';
import { query } from './query.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

/** A heading with the text up to the next one; the first has neither if the text begins without a heading. */
export interface Section {
  anchor: string;
  title: string;
  text: string;
}

export type LinkRow = Row<'document_link'>;

/** A text with what was extracted when it was stored. Texts are never changed. */
export interface Text {
  markdown: string;
  /** JSON of `Section[]`. */
  sections: string;
}

export interface NewDocument extends Text {
  id: string;
  /** JSON of the members `url`, `kind`, `node` and `ending` of its rows. */
  links: string;
}

const insert = query<{ id: string; markdown: string; sections: string }>((db, p) =>
  db.insertInto('document').values({ id: p.id, markdown: p.markdown, sections: p.sections }),
);

const insertLinks = query<{ document: string; links: string }>(
  ({ dialect: { jsonEach, member } }, p) =>
    sql`insert into document_link (document, position, url, kind, node, ending)
      select ${p.document}, key, ${member('url')}, ${member('kind')}, ${member('node')}, ${member('ending')}
      from ${jsonEach(p.links)} as link`,
);

/** Stores a text. */
export async function insertDocument(db: Db, { id, markdown, sections, links }: NewDocument): Promise<void> {
  await insert.run(db, { id, markdown, sections });
  if (links !== '[]') await insertLinks.run(db, { document: id, links });
}

const markdown = query<{ id: string }, { markdown: string }>((db, p) =>
  db.selectFrom('document').select('markdown').where('id', '=', p.id),
);

/** The Markdown of a page; an empty page has no document. */
export const markdownOf = async (db: Db, document: string | null): Promise<string> =>
  document === null ? '' : (await markdown.one(db, { id: document })).markdown;

const sections = query<{ id: string }, { sections: string }>((db, p) =>
  db.selectFrom('document').select('sections').where('id', '=', p.id),
);

/** JSON of the sections of a page's text. */
export async function sectionsOf(db: Db, document: string | null): Promise<string> {
  return document === null ? '[]' : (await sections.one(db, { id: document })).sections;
}

const text = query<{ id: string }, Text>((db, p) =>
  db.selectFrom('document').select(['markdown', 'sections']).where('id', '=', p.id),
);

export const textOf = async (db: Db, document: string | null): Promise<Text> =>
  document === null ? { markdown: '', sections: '[]' } : text.one(db, { id: document });

const links = query<{ documents: string }, LinkRow>((db, p) =>
  db
    .selectFrom('document_link')
    .selectAll()
    .where('document', 'in', jsonList(db, p.documents))
    .orderBy('document')
    .orderBy('position'),
);

/** The links of each document that has any, in the order of its text. */
export async function linksOf(db: Db, documents: string[]): Promise<Map<string, LinkRow[]>> {
  if (documents.length === 0) return new Map();
  return Map.groupBy(await links.all(db, { documents: JSON.stringify(documents) }), (link) => link.document);
}

const byEnding = query<{ endings: string }, { document: string }>((db, p) =>
  db.selectFrom('document_link').select('document').distinct().where('ending', 'in', jsonList(db, p.endings)),
);

/** Documents with a link that ends with one of these. Its target depends on the revision. */
export const documentsLinking = async (db: Db, endings: string[]): Promise<Set<string>> =>
  new Set((await byEnding.all(db, { endings: JSON.stringify(endings) })).map((row) => row.document));

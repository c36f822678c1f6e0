import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

/** A heading with the text up to the next one; the first has neither where the text begins without a heading. */
export interface Section {
  anchor: string;
  title: string;
  text: string;
}

export type LinkRow = Row<'document_link'>;

/** A text with what was read from it once and for all. */
export interface NewDocument {
  id: string;
  markdown: string;
  sections: Section[];
  links: Pick<LinkRow, 'url' | 'kind' | 'node' | 'ending'>[];
}

const insert = query<{ id: string; markdown: string; sections: string }>((db, p) =>
  db.insertInto('document').values({ id: p.id, markdown: p.markdown, sections: p.sections }),
);

const insertLink = query<LinkRow>((db, p) =>
  db.insertInto('document_link').values({
    document: p.document,
    position: p.position,
    url: p.url,
    kind: p.kind,
    node: p.node,
    ending: p.ending,
  }),
);

/** Keeps a text for good. */
export async function insertDocument(db: Db, { id, markdown, sections, links }: NewDocument): Promise<void> {
  await insert.run(db, { id, markdown, sections: JSON.stringify(sections) });
  for (const [position, link] of links.entries()) await insertLink.run(db, { ...link, document: id, position });
}

const text = query<{ id: string }, { markdown: string }>((db, p) =>
  db.selectFrom('document').select('markdown').where('id', '=', p.id),
);

/** The Markdown of a page; an empty page has no document. */
export const markdownOf = async (db: Db, document: string | null): Promise<string> =>
  document === null ? '' : (await text.first(db, { id: document }))!.markdown;

const sections = query<{ id: string }, { sections: string }>((db, p) =>
  db.selectFrom('document').select('sections').where('id', '=', p.id),
);

export const sectionsOf = async (db: Db, document: string | null): Promise<Section[]> =>
  document === null ? [] : (JSON.parse((await sections.first(db, { id: document }))!.sections) as Section[]);

const among = (p: { ids: unknown }) => (eb: any) =>
  eb.selectFrom(eb.fn('json_each', [p.ids]).as('wanted')).select('value');

const links = query<{ ids: string }, LinkRow>((db, p) =>
  db.selectFrom('document_link').selectAll().where('document', 'in', among(p)).orderBy('document').orderBy('position'),
);

/** The links of each document, in the order of its text. */
export async function linksOf(db: Db, documents: string[]): Promise<Map<string, LinkRow[]>> {
  const found = new Map<string, LinkRow[]>();
  if (documents.length === 0) return found;
  for (const row of await links.all(db, { ids: JSON.stringify(documents) })) {
    const of = found.get(row.document);
    if (of) of.push(row);
    else found.set(row.document, [row]);
  }
  return found;
}

const linking = query<{ ids: string }, { document: string }>((db, p) =>
  db.selectFrom('document_link').select('document').distinct().where('ending', 'in', among(p)),
);

/** Documents with a link that ends with one of these; which page or file it leads to depends on the revision. */
export const documentsLinking = async (db: Db, endings: string[]): Promise<Set<string>> =>
  new Set((await linking.all(db, { ids: JSON.stringify(endings) })).map((row) => row.document));

import { listByCreated } from './list-by-created.ts';
import { filterQuery, query } from './query.ts';
import { rowsById } from './rows.ts';
import { countRows } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type SpecRow = Row<'openapi_spec'>;

// Without the text, which can be megabytes: only its processing reads it.
const summary = [
  'id',
  'organization',
  'slug',
  'source_url',
  'processing_state',
  'last_version',
  'last_processed_at',
  'last_process_error_code',
  'created_at',
  'updated_at',
] as const;
export type SpecSummary = Pick<SpecRow, (typeof summary)[number]>;

const list = filterQuery<{ organization: string; after: string | undefined; limit: number }, SpecSummary>(
  (db, p, has) =>
    db
      .selectFrom('openapi_spec')
      .select(summary)
      .where('organization', '=', p.organization)
      .$if(has('after'), (q) => q.where('slug', '>', p.after))
      .orderBy('slug')
      .limit(p.limit),
);
/** By slug, beyond the slug `after`. */
export const listSpecs = (db: Db, organization: string, after: string | undefined, limit: number) =>
  list.all(db, { organization, limit, after });

const specCount = query<{ organization: string }, { count: number }>((db, p) =>
  db.selectFrom('openapi_spec').select(countRows).where('organization', '=', p.organization),
);
export const countSpecs = async (db: Db, organization: string) => (await specCount.one(db, { organization })).count;

const bySlug = query<{ organization: string; slug: string }, SpecSummary>((db, p) =>
  db.selectFrom('openapi_spec').select(summary).where('organization', '=', p.organization).where('slug', '=', p.slug),
);
export const findSpecBySlug = (db: Db, organization: string, slug: string) => bySlug.first(db, { organization, slug });

const bySource = query<{ organization: string; url: string }, SpecSummary>((db, p) =>
  db
    .selectFrom('openapi_spec')
    .select(summary)
    .where('organization', '=', p.organization)
    .where('source_url', '=', p.url)
    .orderBy('slug')
    .limit(1),
);
/** The specification that is read from an address; of several, the first by slug. */
export const findSpecBySource = (db: Db, organization: string, url: string) =>
  bySource.first(db, { organization, url });

const sourceOf = query<{ id: string }, Pick<SpecRow, 'source_text' | 'source_url'>>((db, p) =>
  db.selectFrom('openapi_spec').select(['source_text', 'source_url']).where('id', '=', p.id),
);
/** What is to be processed. */
export const findSource = (db: Db, id: string) => sourceOf.one(db, { id });

export type Source = { url: string } | { text: string };
const columnsOf = (source: Source) =>
  'url' in source ? { source_url: source.url, source_text: null } : { source_url: null, source_text: source.text };

const rows = rowsById('openapi_spec', summary);
export const { find: findSpec, delete: deleteSpec } = rows;

export const insertSpec = (
  db: Db,
  { organization, slug, source, now }: { organization: string; slug: string; source: Source; now: string },
): Promise<SpecSummary> =>
  rows.insert(db, {
    organization,
    slug,
    ...columnsOf(source),
    processing_state: 'pending',
    created_at: now,
    updated_at: now,
  });

/** Sets another source, which is then to be processed. */
export const changeSource = (db: Db, id: string, source: Source, now: string): Promise<SpecSummary> =>
  rows.change(db, id, { ...columnsOf(source), processing_state: 'pending', updated_at: now });

export const markProgress = (db: Db, id: string) => rows.change(db, id, { processing_state: 'progress' });

/**
 * Ends the processing of a source with a new version or an error. The text of the latest version makes no new one.
 *
 * @returns false if the source was replaced in the meantime; then nothing is written
 */
export async function completeSpec(
  db: Db,
  spec: SpecSummary,
  outcome: { text: string } | { error: NonNullable<SpecRow['last_process_error_code']> },
  now: string,
): Promise<boolean> {
  // A new source sets the state back to pending.
  const current = await findSpec(db, spec.id);
  if (current?.processing_state !== 'progress') return false;
  await rows.change(db, spec.id, {
    processing_state: 'complete',
    last_processed_at: now,
    updated_at: now,
    source_text: null,
    ...('error' in outcome
      ? { last_process_error_code: outcome.error }
      : { last_process_error_code: null, last_version: await addVersion(db, current, outcome.text, now) }),
  });
  return true;
}

/** @returns the ID of the latest version, which is a new one if the text has changed */
async function addVersion(db: Db, { id: spec, last_version: last }: SpecSummary, text: string, now: string) {
  if (last !== null && (await sameText.first(db, { id: last, text }))) return last;
  return (await versionRows.insert(db, { spec, text, created_at: now })).id;
}

const versionRows = rowsById('openapi_version', ['id']);

// In the database: to read the last text only to compare it would hold both.
const sameText = query<{ id: string; text: string }, { id: string }>((db, p) =>
  db.selectFrom('openapi_version').select('id').where('id', '=', p.id).where('text', '=', p.text),
);

export async function unfinishedSpecs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('openapi_spec').select('id').where('processing_state', '<>', 'complete').execute();
  return rows.map((row) => row.id);
}

export const versionsByCreated = listByCreated('openapi_version', 'spec', 'newest first', {
  columns: ['id', 'spec', 'created_at'],
});

const version = query<{ spec: string; id: string }, Row<'openapi_version'>>((db, p) =>
  db.selectFrom('openapi_version').selectAll().where('spec', '=', p.spec).where('id', '=', p.id),
);
export const findVersion = (db: Db, spec: string, id: string) => version.first(db, { spec, id });

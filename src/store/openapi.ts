import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import { countRows, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type SpecRow = Row<'openapi_spec'>;
type VersionSummary = Omit<Row<'openapi_version'>, 'text'>;

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

const list = queryFor<{ after: boolean }, { organization: string; after?: string; limit: number }, SpecSummary>(
  (variant, db, p) =>
    db
      .selectFrom('openapi_spec')
      .select(summary)
      .where('organization', '=', p.organization)
      .$if(variant.after, (q) => q.where('slug', '>', p.after))
      .orderBy('slug')
      .limit(p.limit),
);
/** By slug, beyond the slug `after`. */
export const listSpecs = (db: Db, organization: string, after: string | undefined, limit: number) =>
  list({ after: after !== undefined }).all(db, { organization, limit, after });

const specCount = query<{ organization: string }, { count: number }>((db, p) =>
  db.selectFrom('openapi_spec').select(countRows).where('organization', '=', p.organization),
);
export const countSpecs = async (db: Db, organization: string) => (await specCount.one(db, { organization })).count;

const byId = query<{ id: string }, SpecSummary>((db, p) =>
  db.selectFrom('openapi_spec').select(summary).where('id', '=', p.id),
);
export const findSpec = (db: Db, id: string) => byId.first(db, { id });

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

export async function insertSpec(
  db: Db,
  { organization, slug, source, now }: { organization: string; slug: string; source: Source; now: string },
): Promise<SpecSummary> {
  const id = newId();
  await db
    .insertInto('openapi_spec')
    .values({
      id,
      organization,
      slug,
      ...columnsOf(source),
      processing_state: 'pending',
      last_version: null,
      last_processed_at: null,
      last_process_error_code: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return byId.one(db, { id });
}

/** Sets another source, which is then to be processed. */
export async function resourceSpec(db: Db, id: string, source: Source, now: string): Promise<SpecSummary> {
  await db
    .updateTable('openapi_spec')
    .set({ ...columnsOf(source), processing_state: 'pending', updated_at: now })
    .where('id', '=', id)
    .execute();
  return byId.one(db, { id });
}

export async function deleteSpec(db: Db, id: string) {
  await db.deleteFrom('openapi_spec').where('id', '=', id).execute();
}

export async function markProgress(db: Db, id: string) {
  await db.updateTable('openapi_spec').set({ processing_state: 'progress' }).where('id', '=', id).execute();
}

/**
 * Ends the processing of a source with a new version or an error. The text of the latest version makes no new one.
 *
 * @returns false where the source was replaced in the meantime; then nothing is written
 */
export async function completeSpec(
  db: Db,
  spec: SpecSummary,
  outcome: { text: string } | { error: NonNullable<SpecRow['last_process_error_code']> },
  now: string,
): Promise<boolean> {
  const done = { processing_state: 'complete' as const, last_processed_at: now, updated_at: now, source_text: null };
  // A new source sets the state back to pending.
  const current = await findSpec(db, spec.id);
  if (current?.processing_state !== 'progress') return false;
  if ('error' in outcome) {
    await db
      .updateTable('openapi_spec')
      .set({ ...done, last_process_error_code: outcome.error })
      .where('id', '=', spec.id)
      .execute();
    return true;
  }
  const { last_version: last } = current;
  const isUnchanged = last !== null && (await sameText.first(db, { id: last, text: outcome.text })) !== undefined;
  const id = isUnchanged ? last : newId();
  if (!isUnchanged) {
    await db.insertInto('openapi_version').values({ id, spec: spec.id, text: outcome.text, created_at: now }).execute();
  }
  await db
    .updateTable('openapi_spec')
    .set({ ...done, last_version: id, last_process_error_code: null })
    .where('id', '=', spec.id)
    .execute();
  return true;
}

// In the database: to read the last text only to compare it would hold both.
const sameText = query<{ id: string; text: string }, { id: string }>((db, p) =>
  db.selectFrom('openapi_version').select('id').where('id', '=', p.id).where('text', '=', p.text),
);

export async function unfinishedSpecs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('openapi_spec').select('id').where('processing_state', '<>', 'complete').execute();
  return rows.map((row) => row.id);
}

const versions = queryFor<{ after: boolean }, PageParams & { spec: string }, VersionSummary>((variant, db, p) =>
  db
    .selectFrom('openapi_version')
    .select(['id', 'spec', 'created_at'])
    .where('spec', '=', p.spec)
    .$if(variant.after, (q) => q.where(keyset(['created_at', 'id'], 'desc', p)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);
/** Versions after a key of `created_at` and `id`, newest first. */
export const listVersions = (db: Db, spec: string, after: PageKey | undefined, limit: number) =>
  versions({ after: after !== undefined }).all(db, { spec, ...pageParams(after, limit) });

const versionCount = query<{ spec: string }, { count: number }>((db, p) =>
  db.selectFrom('openapi_version').select(countRows).where('spec', '=', p.spec),
);
export const countVersions = async (db: Db, spec: string) => (await versionCount.one(db, { spec })).count;

const version = query<{ spec: string; id: string }, Row<'openapi_version'>>((db, p) =>
  db.selectFrom('openapi_version').selectAll().where('spec', '=', p.spec).where('id', '=', p.id),
);
export const findVersion = (db: Db, spec: string, id: string) => version.first(db, { spec, id });

import type { AnswerOf } from '../../contract/endpoint.ts';
import { openapi, slugPattern } from '../../contract/openapi.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import * as store from '../../store/openapi.ts';
import type { Db } from '../../store/store.ts';
import { organizationAllows } from '../engine/access.ts';
import type { Context, OrgAt } from '../engine/context.ts';
import { Conflict, DomainError, Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import type { Instance } from '../engine/instance.ts';
import { jsonValue } from '../engine/json-text.ts';
import { optional } from '../organizations/orgs.ts';
import { paged } from '../engine/paging.ts';

type Spec = AnswerOf<typeof openapi.view>;
type Version = AnswerOf<typeof openapi.version>;

const fetchLimit = { maxBytes: 50 * 1024 * 1024, timeoutMs: 10_000 };

export const presentSpec = (base: string, org: OrgAt, row: store.SpecSummary): Spec => ({
  object: 'openapi-spec',
  id: row.id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  slug: row.slug,
  ...optional('sourceURL', row.source_url),
  processingState: row.processing_state as Spec['processingState'],
  ...optional('lastVersion', row.last_version),
  ...optional('lastProcessedAt', row.last_processed_at),
  ...optional('lastProcessErrorCode', row.last_process_error_code as Spec['lastProcessErrorCode'] | null),
  permissions: { view: true, edit: organizationAllows(org, 'createContent') },
  urls: { location: locationOf(base, row), app: `${base}/o/${row.organization}/openapi/${row.slug}` },
});

const locationOf = (base: string, row: Pick<store.SpecSummary, 'organization' | 'slug'>) =>
  `${base}/v1/orgs/${row.organization}/openapi/${row.slug}`;

const presentVersion = (base: string, spec: store.SpecSummary, row: { id: string; created_at: string }): Version => {
  const location = `${locationOf(base, spec)}/versions/${row.id}`;
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: row.created_at,
    url: `${location}/content`,
    urls: { location },
  };
};

/** @param id a version's id, or `latest` */
async function versionOf(db: Db, spec: store.SpecRow, id: string) {
  const wanted = id === 'latest' ? spec.last_version : id;
  const row = wanted === null ? undefined : await store.findVersion(db, spec.id, wanted);
  if (!row) throw new NotFound('version of this OpenAPI specification', id);
  return row;
}

async function contentOf({ db, base, texts }: Viewing, spec: store.SpecRow, id: string) {
  const row = await versionOf(db, spec, id);
  const name = /^\s*\{/.test(row.text) ? 'openapi.json' : 'openapi.yaml';
  const asked = { what: 'The specification', key: row.id };
  const read = await texts.run('readDescription', { text: row.text }, asked);
  // It was read when it came.
  if ('problem' in read) throw new Error(read.problem);
  return { filesystem: { [name]: jsonValue(read.json) }, url: presentVersion(base, spec, row).url };
}

type Viewing = Pick<Context, 'db' | 'base' | 'texts'>;

export const handlers = implement(openapi, {
  list: ({ db, at: { org }, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listSpecs(db, org.id, after?.[0], limit),
      keyTypes: ['string'],
      key: (row) => [row.slug],
      count: () => store.countSpecs(db, org.id),
      present: (rows) => rows.map((row) => presentSpec(base, org, row)),
    }),

  async create({ db, at: { org }, body, base, now, instance }) {
    try {
      const row = await store.insertSpec(db, { organization: org.id, slug: body.slug, source: body.source, now });
      processSoon(instance, row.id);
      return presentSpec(base, org, row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict(
        'already-exists',
        `There is an OpenAPI specification "${body.slug}" already. Update it with PUT, or choose another slug.`,
      );
    }
  },

  view: async ({ at: { org, spec }, base }) => presentSpec(base, org, spec),

  async put({ db, at: { org, spec }, params, body, base, now, instance, reply }) {
    // The path's object is missing when this call makes it.
    const before = spec as typeof spec | undefined;
    if (!before) reply.status = 201;
    const row = before
      ? await store.resourceSpec(db, before.id, body.source, now)
      : await store.insertSpec(db, {
          organization: org.id,
          slug: checkedSlug(params.specSlug),
          source: body.source,
          now,
        });
    processSoon(instance, row.id);
    return presentSpec(base, org, row);
  },

  async delete({ db, at: { spec } }) {
    await store.deleteSpec(db, spec.id);
  },

  versions: ({ db, at: { spec }, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listVersions(db, spec.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countVersions(db, spec.id),
      present: (rows) => rows.map((row) => presentVersion(base, spec, row)),
    }),

  latestVersion: async ({ db, at: { spec }, base }) => presentVersion(base, spec, await versionOf(db, spec, 'latest')),
  version: async ({ db, at: { spec }, params, base }) =>
    presentVersion(base, spec, await versionOf(db, spec, params.versionId)),
  latestContent: (context) => contentOf(context, context.at.spec, 'latest'),
  versionContent: (context) => contentOf(context, context.at.spec, context.params.versionId),
});

function checkedSlug(slug: string): string {
  if (slug.length <= 100 && slugPattern.test(slug)) return slug;
  throw new Invalid([
    {
      in: 'path',
      path: 'specSlug',
      rule: slug.length > 100 ? 'maxLength' : 'pattern',
      message: 'must be lower-case letters, digits and single dashes, at most 100 characters',
    },
  ]);
}

/** Starts processing after the commit; what a crash leaves unfinished is taken up at the next start. */
export function processSoon(instance: Instance, spec: string) {
  instance.background.start(`openapi:${spec}`, () => process(instance, spec));
}

export async function takeUpUnfinished(instance: Instance) {
  for (const id of await instance.store.read(store.unfinishedSpecs)) processSoon(instance, id);
}

async function process(instance: Instance, id: string): Promise<void> {
  const spec = await instance.store.write(async (db) => {
    const row = await store.findSpec(db, id);
    if (!row || row.processing_state === 'complete') return undefined;
    await store.markProgress(db, id);
    return row;
  });
  if (!spec) return;
  const outcome = await read(instance, spec);
  const now = new Date(instance.now()).toISOString();
  const done = await instance.store.write((db) => store.completeSpec(db, spec, outcome, now));
  if (!done) processSoon(instance, id);
}

type Outcome = { text: string } | { error: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' };

async function read(instance: Instance, spec: store.SpecRow): Promise<Outcome> {
  let text = spec.source_text;
  if (text === null) {
    const { ImportFailure } = await import('../../content/import/failure.ts');
    const { fetchText } = await import('../../content/import/fetcher.ts');
    try {
      text = await fetchText(spec.source_url!, { ...fetchLimit, allowPrivate: instance.allowPrivateImports });
    } catch (error) {
      return { error: error instanceof ImportFailure && error.code === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
    }
  }
  try {
    const judged = await instance.texts.run(
      'readDescription',
      { text, onlyCheck: true },
      { caller: spec.organization, what: 'The specification' },
    );
    return 'problem' in judged ? { error: 'PARSE_ERROR' } : { text };
  } catch (error) {
    // The service is stopping: it is taken up at the next start.
    if (error instanceof DomainError && error.reason === 'unavailable') throw error;
    return { error: 'PARSE_ERROR' };
  }
}

import { createHash } from 'node:crypto';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { openapi, slugForm } from '../../contract/openapi.ts';
import * as store from '../../store/openapi.ts';
import type { Db } from '../../store/store.ts';
import { organizationAllows } from '../engine/access.ts';
import type { Context, LoadedOrg } from '../engine/context.ts';
import { DomainError, Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import type { Instance } from '../engine/instance.ts';
import { jsonValue } from '../engine/json-text.ts';
import { paged, pagedByCreated } from '../engine/paging.ts';
import { writeUnique } from '../engine/write-unique.ts';

type Spec = AnswerOf<typeof openapi.view>;
type Version = AnswerOf<typeof openapi.version>;

const fetchLimit = { maxBytes: 50 * 1024 * 1024, timeoutMs: 10_000 };

export const presentSpec = (base: string, org: LoadedOrg, row: store.SpecSummary): Spec => ({
  object: 'openapi-spec',
  id: row.id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  slug: row.slug,
  sourceURL: row.source_url ?? undefined,
  processingState: row.processing_state,
  lastVersion: row.last_version ?? undefined,
  lastProcessedAt: row.last_processed_at ?? undefined,
  lastProcessErrorCode: row.last_process_error_code ?? undefined,
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

/** @param id of a version, or `latest` */
async function getVersion(db: Db, spec: store.SpecSummary, id: string) {
  const versionId = id === 'latest' ? spec.last_version : id;
  const row = versionId === null ? undefined : await store.findVersion(db, spec.id, versionId);
  if (!row) throw new NotFound('version of this OpenAPI specification', id);
  return row;
}

async function contentOf({ db, base, texts }: Viewing, spec: store.SpecSummary, id: string) {
  const row = await getVersion(db, spec, id);
  const name = /^\s*\{/.test(row.text) ? 'openapi.json' : 'openapi.yaml';
  const description = await texts.run(
    'readDescription',
    { text: row.text },
    { what: 'The specification', key: row.id },
  );
  // Only valid descriptions become versions.
  if ('problem' in description) throw new Error(description.problem);
  return { filesystem: { [name]: jsonValue(description.json) }, url: presentVersion(base, spec, row).url };
}

type Viewing = Pick<Context, 'db' | 'base' | 'texts'>;

export const handlers = implement(openapi, {
  list: ({ db, objects: { org }, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listSpecs(db, org.id, after?.[0], limit),
      keyTypes: ['string'],
      key: (row) => [row.slug],
      count: () => store.countSpecs(db, org.id),
      present: (rows) => rows.map((row) => presentSpec(base, org, row)),
    }),

  async create({ db, objects: { org }, body, base, now, instance, afterCommit }) {
    const row = await writeUnique(
      `An OpenAPI specification "${body.slug}" exists already. Update it with PUT, or choose another slug.`,
      () => store.insertSpec(db, { organization: org.id, slug: body.slug, source: body.source, now }),
    );
    afterCommit(() => startProcessing(instance, row.id));
    return presentSpec(base, org, row);
  },

  async view({ objects: { org, spec }, base, reply }) {
    reply.etag = tagOf(spec);
    return presentSpec(base, org, spec);
  },

  async put({ db, objects: { org, spec }, params, body, base, now, instance, afterCommit, request, reply }) {
    // Undefined if this request creates the specification.
    const existing: typeof spec | undefined = spec;
    refuseOutdated(request.headers['if-match'], existing);
    if (!existing) reply.status = 201;
    const row = existing
      ? await store.changeSource(db, existing.id, body.source, now)
      : await store.insertSpec(db, {
          organization: org.id,
          slug: validSlug(params.specSlug),
          source: body.source,
          now,
        });
    afterCommit(() => startProcessing(instance, row.id));
    reply.etag = tagOf(row);
    return presentSpec(base, org, row);
  },

  delete: ({ db, objects: { spec } }) => store.deleteSpec(db, spec.id),

  versions: ({ db, objects: { spec }, page, base }) =>
    pagedByCreated({ db, page }, store.versionsByCreated, spec.id, (rows) =>
      rows.map((row) => presentVersion(base, spec, row)),
    ),

  latestVersion: async ({ db, objects: { spec }, base }) =>
    presentVersion(base, spec, await getVersion(db, spec, 'latest')),
  version: async ({ db, objects: { spec }, params, base }) =>
    presentVersion(base, spec, await getVersion(db, spec, params.versionId)),
  latestContent: (context) => contentOf(context, context.objects.spec, 'latest'),
  versionContent: (context) => contentOf(context, context.objects.spec, context.params.versionId),
});

/** Changes with every publication and when its processing ends. */
const tagOf = ({ id, updated_at, processing_state, last_version }: store.SpecSummary): string =>
  `"${createHash('sha256')
    .update(JSON.stringify([id, updated_at, processing_state, last_version]))
    .digest('base64url')
    .slice(0, 22)}"`;

/** @throws DomainError if the specification is not in a state that `If-Match` names */
function refuseOutdated(condition: string | string[] | undefined, spec: store.SpecSummary | undefined): void {
  if (condition === undefined) return;
  const tags = new Set(
    String(condition)
      .split(',')
      .map((tag) => tag.trim()),
  );
  if (spec && (tags.has('*') || tags.has(tagOf(spec)))) return;
  throw new DomainError('precondition-failed', 'The OpenAPI specification has changed since it was read.');
}

/** @throws Invalid */
function validSlug(slug: string): string {
  if (slug.length <= 100 && slugForm.pattern.test(slug)) return slug;
  throw new Invalid([
    {
      in: 'path',
      path: 'specSlug',
      rule: slug.length > 100 ? 'maxLength' : 'pattern',
      message: 'must be lower-case letters, digits and single dashes, at most 100 characters',
    },
  ]);
}

/** Starts processing. After a crash it starts again with the instance. */
export function startProcessing(instance: Instance, spec: string) {
  instance.background.start(`openapi:${spec}`, () => process(instance, spec));
}

export async function resumeProcessing(instance: Instance) {
  for (const id of await instance.store.read(store.unfinishedSpecs)) startProcessing(instance, id);
}

/** Another process may have started it too: it is done once. */
const process = (instance: Instance, id: string): Promise<void> =>
  instance.store.exclusively(`openapi ${id}`, () => processNow(instance, id));

async function processNow(instance: Instance, id: string): Promise<void> {
  const place = { kind: 'job', id: `openapi ${id}` } as const;
  const spec = await instance.store.write(async (db) => {
    const row = await store.findSpec(db, id);
    if (!row || row.processing_state === 'complete') return undefined;
    await store.markProgress(db, id);
    return row;
  }, place);
  if (!spec) return;
  const outcome = await readSpec(instance, spec);
  const now = new Date(instance.now()).toISOString();
  const isCompleted = await instance.store.write((db) => store.completeSpec(db, spec, outcome, now), place);
  if (!isCompleted) startProcessing(instance, id);
}

type Outcome = { text: string } | { error: NonNullable<Spec['lastProcessErrorCode']> };

async function readSource(instance: Instance, { id }: store.SpecSummary): Promise<Outcome> {
  const { source_text: text, source_url: url } = await instance.store.read((db) => store.findSource(db, id));
  if (text !== null) return { text };
  if (url === null) throw new Error('This OpenAPI specification has no source.');
  const { ImportFailure } = await import('../../content/import/failure.ts');
  const { fetchText } = await import('../../content/import/fetcher.ts');
  try {
    return { text: await fetchText(url, { ...fetchLimit, allowPrivate: instance.allowPrivateSources }) };
  } catch (error) {
    return { error: error instanceof ImportFailure && error.code === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
  }
}

async function readSpec(instance: Instance, spec: store.SpecSummary): Promise<Outcome> {
  const source = await readSource(instance, spec);
  if ('error' in source) return source;
  const { text } = source;
  try {
    const result = await instance.texts.run(
      'readDescription',
      { text, onlyCheck: true },
      { caller: spec.organization, what: 'The specification' },
    );
    return 'problem' in result ? { error: 'PARSE_ERROR' } : { text };
  } catch (error) {
    // The service is stopping: processing starts again with the next start.
    if (error instanceof DomainError && error.reason === 'unavailable') throw error;
    return { error: 'PARSE_ERROR' };
  }
}

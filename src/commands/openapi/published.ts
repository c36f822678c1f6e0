import type { Client } from '../../client/client.ts';
import { HttpError, undefinedIfMissing } from '../../client/errors/http-error.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { digestOf } from '../shared/description-tasks.ts';
import { bodyOf, type Candidate, isSentAsAddress } from './publish-sources.ts';

export type Spec = AnswerOf<typeof openapi.view>;
export type SpecParams = Candidate['params'];

/** What the service has published for a slug. */
export interface LastPublished {
  spec: Spec;
  /** The document of its latest version as JSON, if one has been processed. */
  json: string | undefined;
  /** Names its state for a conditional request, if the service supports them. */
  etag: string | undefined;
}

/** The specification and the document of its latest version; undefined if there is none. */
export async function lastPublished(client: Client, params: SpecParams): Promise<LastPublished | undefined> {
  let etag: string | undefined;
  try {
    const onHeaders = (headers: Readonly<Record<string, string>>) => void (etag = headers.etag);
    const spec = await client.call(openapi.view, { params, onHeaders });
    const { lastVersion } = spec;
    return { spec, etag, json: lastVersion === undefined ? undefined : await documentOf(client, params, lastVersion) };
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/** The document of a version as JSON. */
export async function documentOf(client: Client, params: SpecParams, versionId: string): Promise<string | undefined> {
  const { filesystem } = await client.call(openapi.versionContent, { params: { ...params, versionId } });
  return JSON.stringify(Object.values(filesystem)[0]);
}

/** Whether this is published already. */
export function isSame({ spec, json }: LastPublished, candidate: Candidate): boolean {
  const { source, description } = candidate;
  if (json === undefined || spec.processingState !== 'complete') return false;
  if (spec.lastProcessErrorCode !== undefined) return false;
  if (spec.sourceURL !== (isSentAsAddress(candidate) ? source : undefined)) return false;
  return digestOf(json) === description.digest;
}

/**
 * Sends a description if the service still has what it had before.
 *
 * @returns undefined if somebody published in between; then nothing was sent
 */
export async function sendIfCurrent(
  client: Client,
  candidate: Candidate,
  before: LastPublished | undefined,
): Promise<Spec | undefined> {
  const { params } = candidate;
  const body = bodyOf(candidate);
  try {
    if (!before) {
      const { orgId, specSlug: slug } = params;
      // Unlike PUT, it fails if the slug exists.
      return await client.call(openapi.create, { params: { orgId }, body: { slug, ...body } });
    }
    // Without conditional requests, this leaves little time for others. A check follows when the service is done.
    if (before.etag === undefined && !isSameState(before.spec, await client.call(openapi.view, { params }))) return;
    const condition = before.etag !== undefined && { headers: { 'if-match': before.etag } };
    return await client.call(openapi.put, { params, body, ...condition });
  } catch (error) {
    if (error instanceof HttpError && (before ? error.status === 412 : error.reason === 'already-exists')) return;
    throw error;
  }
}

/** Whether nobody published in between. */
export const isSameState = (before: Spec, now: Spec): boolean =>
  before.lastVersion === now.lastVersion &&
  before.updatedAt === now.updatedAt &&
  before.processingState === now.processingState;

/** What became of a description that was sent without a condition. */
export type Outcome =
  | { result: 'current' }
  /** Another publication took its place before it was processed, so that no version has it. */
  | { result: 'lost' }
  /** It replaced this version, which was published after the comparison. */
  | { result: 'replaced'; version: string; json: string | undefined };

/** Finds the version of a description that was sent, and which one it replaced. */
export async function outcomeOf(
  client: Client,
  { params, description }: Candidate,
  before: LastPublished | undefined,
): Promise<Outcome> {
  const isOwn = (json: string | undefined) => json !== undefined && digestOf(json) === description.digest;
  const newer: { id: string; json: string | undefined }[] = [];
  for await (const { id } of client.items(openapi.versions, { params })) {
    if (id === before?.spec.lastVersion) break;
    newer.push({ id, json: await documentOf(client, params, id) });
  }
  const own = newer.findIndex(({ json }) => isOwn(json));
  // The same document as before makes no new version.
  if (own < 0) return { result: newer.length === 0 && isOwn(before?.json) ? 'current' : 'lost' };
  const replaced = newer[own + 1];
  return replaced ? { result: 'replaced', version: replaced.id, json: replaced.json } : { result: 'current' };
}

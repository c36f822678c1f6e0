import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import { openapi, slugForm } from '../../contract/openapi.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import type { SideRequest } from '../shared/description-tasks.ts';
import { requestFor } from './read-source.ts';
import type { ReadFlags } from './flags.ts';

type SourceInvocation = Invocation<{}, ReadFlags & { org?: string | undefined }>;

/** The description that an argument names. */
export interface Side {
  request: SideRequest;
  /** Deletes temporary files. */
  remove?: () => void;
}

/**
 * Finds what an argument of `openapi diff` names: a file, an address, standard input, `git:REF:path`, a published
 * specification or one of its versions.
 *
 * @throws UsageError if it does not exist
 */
export async function findSource(invocation: SourceInvocation, source: string): Promise<Side> {
  if (source.startsWith('git:')) return findCommit(invocation, source);
  const isPlain = source === '-' || isAddress(source) || existsSync(source);
  const published = isPlain ? undefined : publishedIn(source);
  if (!published) return { request: await requestFor(invocation, source, '<old>') };
  const text = await publishedText(invocation, published, source);
  return { request: { ...publishedReach, from: { text }, named: { name: source } } };
}

/** Published descriptions refer to no files. */
export const publishedReach = { directory: process.cwd(), referenceRoots: [], referenceHosts: [] };

/** A slug, or a slug and a version after @. */
function publishedIn(source: string): { slug: string; version: string | undefined } | undefined {
  const [slug = '', version, ...others] = source.split('@');
  if (others.length > 0 || version === '' || !slugForm.pattern.test(slug)) return undefined;
  return { slug, version: version === 'latest' ? undefined : version };
}

async function findCommit(invocation: SourceInvocation, source: string): Promise<Side> {
  const { filesOfCommit } = await import('../../openapi/files-of-commit.ts');
  const { folder, path, remove } = await filesOfCommit(source);
  const request = await requestFor(invocation, join(folder, path), '<old>');
  const prefix = source.slice(0, source.indexOf(':', 'git:'.length) + 1);
  return { request: { ...request, directory: folder, named: { prefix } }, remove };
}

async function publishedText(
  invocation: SourceInvocation,
  { slug, version }: { slug: string; version: string | undefined },
  source: string,
): Promise<string> {
  const spec = { orgId: await scopeOf(invocation, 'org'), specSlug: slug };
  const client = await invocation.client();
  const { filesystem } =
    version === undefined
      ? await client.call(openapi.latestContent, { params: spec })
      : await client.call(openapi.versionContent, { params: { ...spec, versionId: version } });
  const [document, ...others] = Object.values(filesystem);
  if (document === undefined || others.length > 0) {
    const count = document === undefined ? 'no document' : `${others.length + 1} documents`;
    throw checkFailed(`${source} has ${count}, but only a single document can be compared.`);
  }
  return JSON.stringify(document);
}

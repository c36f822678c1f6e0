import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { openapi, slugForm } from '../../contract/openapi.ts';
import type { OpenRequest, SideRequest } from './description-tasks.ts';
import { isAddress } from './is-address.ts';
import { type ReadFlags, referenceRootsOf } from './read-source.ts';

export type SourceInvocation = Invocation<{}, ReadFlags & { org?: string | undefined }>;

/** What an argument names. */
export interface Side {
  request: SideRequest;
  /** To be called when it was read. */
  remove?: () => void;
}

/**
 * Finds what an argument of `openapi diff` names: a file, an address, standard input, `git:REF:path`, a published
 * specification or one of its versions.
 *
 * @throws UsageError for what does not exist
 */
export async function findSource(invocation: SourceInvocation, source: string): Promise<Side> {
  const { flags } = invocation;
  const reach = {
    directory: process.cwd(),
    referenceRoots: referenceRootsOf(flags.refRoot ?? []),
    referenceHosts: flags.refHost ?? [],
  };
  if (source === '-') return { request: { ...reach, from: { text: fileText('-', '<old>') } } };
  if (isAddress(source)) {
    return { request: { ...reach, from: { url: source, text: await textAt(invocation, source) } } };
  }
  if (source.startsWith('git:')) return findCommit(source, reach);
  const published = existsSync(source) ? undefined : publishedIn(source);
  if (!published) return { request: { ...reach, from: { path: source } } };
  const text = await publishedText(invocation, published, source);
  return { request: { ...publishedReach, from: { text }, named: { name: source } } };
}

/** What the service holds refers to no files. */
export const publishedReach = { directory: process.cwd(), referenceRoots: [], referenceHosts: [] };

/** A slug, or a slug and a version after @. */
function publishedIn(source: string): { slug: string; version: string | undefined } | undefined {
  const [slug = '', version, ...others] = source.split('@');
  if (others.length > 0 || version === '' || !slugForm.pattern.test(slug)) return undefined;
  return { slug, version: version === 'latest' ? undefined : version };
}

async function textAt({ session }: SourceInvocation, source: string): Promise<string> {
  const { origin, pathname, search } = new URL(source);
  const client = await session.clientFor(origin, undefined);
  try {
    const { text } = await client.request('GET', pathname + search, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
    });
    return text;
  } finally {
    await client.close();
  }
}

async function findCommit(source: string, reach: Omit<OpenRequest, 'from'>): Promise<Side> {
  const { filesOfCommit } = await import('./diff-git.ts');
  const { folder, path, remove } = await filesOfCommit(source);
  const prefix = source.slice(0, source.indexOf(':', 'git:'.length) + 1);
  return { request: { ...reach, directory: folder, from: { path: join(folder, path) }, named: { prefix } }, remove };
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
    throw new CommandError(`${source} has ${count}, and one can be compared.`, { exitCode: exit.checkFailed });
  }
  return JSON.stringify(document);
}

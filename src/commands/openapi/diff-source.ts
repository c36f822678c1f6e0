import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { openapi, slugForm } from '../../contract/openapi.ts';
import {
  openDescription,
  publishedDescription,
  type DescriptionSource,
  type Download,
  type OpenedDescription,
  UnreadableFile,
} from '../../openapi/index.ts';
import { isAddress } from './is-address.ts';
import { type ReadFlags, referenceRootsOf } from './read-source.ts';

export type SourceInvocation = Invocation<{}, ReadFlags & { org?: string | undefined }>;

/** Where references may lead. */
interface Reach {
  roots: readonly string[];
  download: Download;
}

/**
 * Opens what an argument of `openapi diff` names: a file, an address, standard input, `git:REF:path`, a published
 * specification or one of its versions.
 *
 * @throws UsageError for what cannot be read
 */
export async function openSource(invocation: SourceInvocation, source: string): Promise<OpenedDescription> {
  const reach = reachOf(invocation, source);
  if (source === '-') return opened({ text: fileText('-', '<old>') }, reach);
  if (isAddress(source)) return opened({ url: source, text: await textAt(invocation, source) }, reach);
  if (source.startsWith('git:')) return openCommit(source, reach);
  const published = existsSync(source) ? undefined : publishedIn(source);
  return published ? openPublished(invocation, published, source) : opened({ path: source }, reach);
}

function reachOf({ flags }: SourceInvocation, source: string): Reach {
  const own = isAddress(source) ? [new URL(source).host] : [];
  const hosts = new Set([...(flags.refHost ?? []), ...own]);
  return {
    roots: referenceRootsOf(flags.refRoot ?? []),
    // Most descriptions refer to no addresses.
    download: async (address) => (await import('./description-tasks.ts')).downloadFrom(hosts)(address),
  };
}

/** A slug, or a slug and a version after @. */
function publishedIn(source: string): { slug: string; version: string | undefined } | undefined {
  const [slug = '', version, ...others] = source.split('@');
  if (others.length > 0 || version === '' || !slugForm.pattern.test(slug)) return undefined;
  return { slug, version: version === 'latest' ? undefined : version };
}

async function opened(
  from: DescriptionSource,
  { roots, download }: Reach,
  directory = process.cwd(),
): Promise<OpenedDescription> {
  try {
    return await openDescription(from, directory, roots, download);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(
      `${error.message.replace(/\.$/, '')}.`,
      'Name a file, an address that begins with http:// or https://, git:REF:path, the slug of a published specification, slug@version, or - for standard input.',
    );
  }
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

async function openCommit(source: string, reach: Reach): Promise<OpenedDescription> {
  const { filesOfCommit } = await import('./diff-git.ts');
  const { folder, path, remove } = await filesOfCommit(source);
  try {
    const description = await opened({ path: join(folder, path) }, reach, folder);
    const prefix = source.slice(0, source.indexOf(':', 'git:'.length) + 1);
    const named = <Place extends { file: string }>(place: Place) => ({ ...place, file: prefix + place.file });
    return {
      ...description,
      problems: description.problems.map(named),
      placesOf: (refs) => new Map([...description.placesOf(refs)].map(([ref, place]) => [ref, named(place)])),
    };
  } finally {
    remove();
  }
}

async function openPublished(
  invocation: SourceInvocation,
  { slug, version }: { slug: string; version: string | undefined },
  source: string,
): Promise<OpenedDescription> {
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
  return publishedDescription(document, source);
}

import { existsSync, statSync } from 'node:fs';
import { scopeOf } from '../../cli/command/invocation.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { portOf, previewPort } from '../shared/listening.ts';
import { downloaderOf } from '../shared/download.ts';
import { type OpenedSource, serveUntilStopped } from '../shared/serve-preview.ts';
import type { PreviewInvocation } from './preview-invocation.ts';

/** Serves a preview until a signal stops it. */
export async function runPreview(invocation: PreviewInvocation): Promise<void> {
  const port = portOf(invocation.flags.port ?? previewPort);
  await serveUntilStopped(invocation, await openSource(invocation), port);
}

async function openSource(invocation: PreviewInvocation): Promise<OpenedSource> {
  const { args, flags } = invocation;
  const { source } = args;
  const isService = flags.site !== undefined || flags.cr !== undefined || flags.space !== undefined;
  if (source === undefined && isService) return openRemote(invocation);
  if (source === undefined) {
    const { oneFolder } = await import('../../cli/settings/docs-folders.ts');
    return openFolder(invocation, await oneFolder(invocation, 'show'));
  }
  if (/^https?:\/\//i.test(source)) return openDescription(invocation, source);
  const stats = existsSync(source) ? statSync(source) : undefined;
  if (stats?.isDirectory()) {
    const flag = (['cr', 'site', 'space'] as const).find((name) => flags[name] !== undefined);
    if (flag === undefined) return openFolder(invocation, source);
    throw new UsageError(`--${flag} is for spaces, and ${source} is a folder.`, 'Pass the ID of the space instead.');
  }
  if (stats && /\.(?:md|markdown|mdx)$/i.test(source)) {
    throw new UsageError(`${source} is a page.`, 'Pass the folder that contains it.');
  }
  if (stats) return openDescription(invocation, source);
  if (/[/\\.]/.test(source)) {
    throw new UsageError(
      `There is no file or folder ${source}.`,
      'Check the path, or pass the ID or title of a space.',
    );
  }
  return openRemote(invocation);
}

async function openRemote(invocation: PreviewInvocation): Promise<OpenedSource> {
  const { args, flags } = invocation;
  const { openSite, openSpace } = await import('../../site/service/open-remote.ts');
  const download = downloaderOf(invocation);
  const port = { client: await invocation.client(), download };
  const { cr: request } = flags;
  const opened =
    flags.site === undefined
      ? await openSpace(port, { spaceId: args.source ?? (await scopeOf(invocation, 'space')), request })
      : await openSite(port, {
          orgId: await scopeOf(invocation, 'org'),
          siteId: await scopeOf(invocation, 'site'),
          space: args.source ?? flags.space,
          request,
        });
  return { ...opened, close: () => download.close() };
}

async function openDescription(invocation: PreviewInvocation, source: string): Promise<OpenedSource> {
  const flag = (['cr', 'site', 'space'] as const).find((name) => invocation.flags[name] !== undefined);
  if (flag !== undefined) {
    throw new UsageError(`--${flag} is for spaces, and ${source} is an OpenAPI description.`, `Leave out --${flag}.`);
  }
  return (await import('./open-description.ts')).openDescriptionFile(invocation, source);
}

async function openFolder(invocation: PreviewInvocation, folder: string): Promise<OpenedSource> {
  return (await import('./open-folder.ts')).openFolder(invocation, folder);
}

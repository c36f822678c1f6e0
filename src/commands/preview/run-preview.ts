import { existsSync, statSync } from 'node:fs';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { codeOf } from '../../shared/error-text.ts';
import { openInBrowser } from '../shared/browser.ts';
import { defaultPort } from '../shared/default-port.ts';
import { type OpenedSource, type PreviewInvocation, printError } from './opened-source.ts';
import { type RunningPreview, servePreview } from './preview-server.ts';
import type { PreviewSource } from './source.ts';

/** Shows a folder, a space or a site until a signal ends it. */
export async function runPreview(invocation: PreviewInvocation): Promise<void> {
  const port = portOf(invocation.flags.port ?? defaultPort);
  await serveUntilStopped(invocation, await openSource(invocation), port);
}

type ServingInvocation = Pick<PreviewInvocation, 'io' | 'session' | 'signal'> & {
  flags: { open?: boolean | undefined };
};

/** Serves what was opened until a signal ends it. */
export async function serveUntilStopped(
  invocation: ServingInvocation,
  opened: OpenedSource,
  port: number,
): Promise<void> {
  const { flags, io, session, signal } = invocation;
  if (session.globals.dryRun) {
    await opened.close?.();
    return io.note(`Would show ${opened.name} at http://127.0.0.1:${port}.`);
  }
  const running = await listen(opened.source, port, (error) => void printError(invocation, error));
  try {
    const url = opened.path === undefined ? running.url : `${running.url}/${opened.path}`;
    const json = session.globals.json || session.globals.output === 'json';
    if (json) await io.out.write(`${JSON.stringify({ url })}\n`);
    else await io.err.write(visibleLines(`docsctl shows ${opened.name} at ${url}\n`));
    opened.start?.();
    if (flags.open) await open(invocation, url);
    // A signal may have come meanwhile.
    if (!signal.aborted) {
      await new Promise<void>((resolveStop) => signal.addEventListener('abort', () => resolveStop(), { once: true }));
    }
  } finally {
    await Promise.all([running.stop(), opened.close?.()]);
  }
}

async function openSource(invocation: PreviewInvocation): Promise<OpenedSource> {
  const { args, flags } = invocation;
  const { source } = args;
  const isService = flags.site !== undefined || flags.cr !== undefined || flags.space !== undefined;
  if (source === undefined && isService) return openRemote(invocation);
  if (source === undefined) {
    const { oneFolder } = await import('../../sync/local-folder.ts');
    return openFolder(invocation, await oneFolder(invocation, 'show'));
  }
  if (/^https?:\/\//i.test(source)) return openDescription(invocation, source);
  const stats = existsSync(source) ? statSync(source) : undefined;
  if (stats?.isDirectory()) {
    const flag = (['cr', 'site', 'space'] as const).find((name) => flags[name] !== undefined);
    if (flag === undefined) return openFolder(invocation, source);
    throw new UsageError(`--${flag} is for spaces, and ${source} is a folder.`, 'Name the space by its id instead.');
  }
  if (stats && /\.(?:md|markdown|mdx)$/i.test(source)) {
    throw new UsageError(`${source} is a page.`, 'Name the folder that it is in.');
  }
  if (stats) return openDescription(invocation, source);
  if (/[/\\.]/.test(source)) {
    throw new UsageError(
      `There is no file or folder ${source}.`,
      'Check the path, or name a space by its id or title.',
    );
  }
  return openRemote(invocation);
}

async function openRemote(invocation: PreviewInvocation): Promise<OpenedSource> {
  return (await import('./open-remote.ts')).openRemote(invocation);
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

/** @throws UsageError */
export function portOf(port: string): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    throw new UsageError(`--port must be from 0 to 65535, not "${port}".`);
  }
  return Number(port);
}

async function listen(source: PreviewSource, port: number, onError: (error: unknown) => void): Promise<RunningPreview> {
  try {
    return await servePreview(source, { port, onError });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') {
      throw new CommandError(`Port ${port} is used by another program.`, {
        hint: 'Choose another with --port, or --port 0 for any free one.',
      });
    }
    if (code !== 'EACCES') throw error;
    throw new CommandError(`Port ${port} cannot be used: permission denied.`, {
      hint: 'Choose one above 1023 with --port.',
    });
  }
}

async function open({ io, session }: ServingInvocation, url: string): Promise<void> {
  const problem = await openInBrowser(url, session.env);
  if (problem !== undefined) await io.note(`The browser could not be started: ${problem}. Open ${url} yourself.`);
}

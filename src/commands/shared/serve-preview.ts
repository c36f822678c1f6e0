import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { messageOf } from '../../shared/error-text.ts';
import { servePreview } from '../../site/preview/preview-server.ts';
import type { PreviewSource } from '../../site/preview/source.ts';
import { openInBrowser } from './browser.ts';
import { listenFailure, printsJson, untilStopped } from './listening.ts';

/** What a preview shows. */
export interface OpenedSource {
  source: PreviewSource;
  /** Its name in messages. */
  name: string;
  /** The address of the first page to open, without slashes at its ends. */
  path?: string;
  /** Starts work that the first page does not depend on. */
  start?(): void;
  close?(): Promise<void>;
}

type ServingInvocation = Pick<Invocation<{}, {}>, 'io' | 'session' | 'signal'> & {
  flags: { open?: boolean | undefined };
};

/** Serves a preview until a signal stops it. */
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
  const onError = (error: unknown) => void printError(invocation, error);
  const running = await servePreview(opened.source, { port, onError }).catch((error: unknown) => {
    throw listenFailure(error, '127.0.0.1', port);
  });
  try {
    const url = opened.path === undefined ? running.url : `${running.url}/${opened.path}`;
    if (printsJson(invocation)) await io.out.write(`${JSON.stringify({ url })}\n`);
    else await io.err.write(visibleLines(`docsctl shows ${opened.name} at ${url}\n`));
    opened.start?.();
    if (flags.open) await open(invocation, url);
    await untilStopped(signal);
  } finally {
    await Promise.all([running.stop(), opened.close?.()]);
  }
}

async function open({ io, session }: ServingInvocation, url: string): Promise<void> {
  const problem = await openInBrowser(url, session.env);
  if (problem !== undefined) await io.note(`The browser could not be started: ${problem}. Open ${url} manually.`);
}

export async function printError({ io }: Pick<ServingInvocation, 'io'>, error: unknown): Promise<void> {
  await io.err.write(visibleLines(`error: ${messageOf(error)}\n`));
}

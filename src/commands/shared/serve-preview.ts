import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { type RunningPreview, servePreview } from '../../site/preview/preview-server.ts';
import type { PreviewSource } from '../../site/preview/source.ts';
import { openInBrowser } from './browser.ts';

/** A source that may hold on to something while it is shown. */
export interface OpenedSource {
  source: PreviewSource;
  /** What is shown, for people. */
  name: string;
  /** The address of the page to begin with, without slashes at its ends; the first page where absent. */
  path?: string;
  /** Begins what needs not be there for the first page. */
  start?(): void;
  close?(): Promise<void>;
}

type ServingInvocation = Pick<Invocation<{}, {}>, 'io' | 'session' | 'signal'> & {
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

export async function printError({ io }: Pick<ServingInvocation, 'io'>, error: unknown): Promise<void> {
  await io.err.write(visibleLines(`error: ${messageOf(error)}\n`));
}

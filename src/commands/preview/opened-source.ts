import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { messageOf } from '../../shared/error-text.ts';
import type { PreviewSource } from '../../site/preview/source.ts';

export type PreviewInvocation = Invocation<
  { source?: string | undefined },
  {
    cr?: string | undefined;
    port?: string | undefined;
    open?: boolean | undefined;
    tryIt?: boolean | undefined;
    space?: string | undefined;
    site?: string | undefined;
  }
>;

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

export async function printError({ io }: Pick<PreviewInvocation, 'io'>, error: unknown): Promise<void> {
  await io.err.write(visibleLines(`error: ${messageOf(error)}\n`));
}

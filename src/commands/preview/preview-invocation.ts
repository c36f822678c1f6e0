import type { Invocation } from '../../cli/command/command.ts';

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

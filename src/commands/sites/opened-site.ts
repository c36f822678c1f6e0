import type { Invocation } from '../../cli/command/command.ts';
import type { StaticSource } from '../../site/static/static-source.ts';

export type ExportInvocation = Invocation<
  { source?: string | undefined },
  {
    out?: string | undefined;
    baseUrl?: string | undefined;
    check?: boolean | undefined;
    overwrite?: boolean | undefined;
    ci?: boolean | undefined;
    org?: string | undefined;
    site?: string | undefined;
  }
>;

/** A site to export, and what its files are not able to keep. */
export interface OpenedSite {
  source: StaticSource;
  /** The folder that problems are named from; undefined: pages of a service. */
  folder?: string;
  /** What is lost in the files. */
  warnings: string[];
  close?(): Promise<void>;
}

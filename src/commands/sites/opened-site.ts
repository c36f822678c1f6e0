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

/** An opened site or folder. */
export interface OpenedSite {
  source: StaticSource;
  /** The folder that paths in problems are relative to; undefined for sites of a service. */
  folder?: string;
  /** Restrictions and pictures that the files lose. */
  warnings: string[];
  close?(): Promise<void>;
}

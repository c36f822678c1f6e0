import type { Store } from '../../store/store.ts';
import type { ImportStates } from '../content/changes/import-states.ts';
import type { PageCache } from '../sites/page-cache.ts';
import type { Texts } from '../text/texts.ts';
import type { Background } from './background.ts';
import type { InstanceRequest, InstanceResponse } from './request.ts';

export interface InstanceLog {
  /** An internal error of the service, with its stack. */
  error(requestId: string, error: unknown): void;
}

/** Limits of what is fetched from an address. */
export interface ImportLimits {
  /** Pages of a website. */
  pages: number;
  /** Links away from the first page of a website. */
  depth: number;
  /** Bytes of a document or an archive. */
  bytes: number;
  /** Bytes of one file that a change names by its address. */
  fileBytes: number;
  /** For the whole import. */
  timeoutMs: number;
}

/** A local instance of the service. HTTP and the embedded client both call `handle`. */
export interface Instance {
  handle(request: InstanceRequest): Promise<InstanceResponse>;
  /** The response to a request that is refused for its address or token, whatever its body; undefined if it is not. */
  refuseEarly(request: InstanceRequest): Promise<InstanceResponse | undefined>;
  /** Largest body that an address takes, in bytes. */
  bodyLimit(method: string, path: string): Promise<number>;
  readonly store: Store;
  readonly background: Background;
  readonly log: InstanceLog;
  /** Whether imports that start in a private network may reach it. */
  readonly allowPrivateImports: boolean;
  /** Whether files and descriptions of APIs may be fetched from private networks. */
  readonly allowPrivateSources: boolean;
  readonly importLimits: ImportLimits;
  readonly imports: ImportStates;
  readonly texts: Texts;
  readonly pageCache: PageCache;
  /** Files of fonts that PDFs are drawn with before those of the machine. */
  readonly fonts: readonly string[];
  /** Changes once the system has chosen a port. */
  base: string;
  /** Whether browsers can sign in to the application. */
  hasApp: boolean;
  now(): number;
  /** Waits for background work, then closes the file. */
  close(): Promise<void>;
}

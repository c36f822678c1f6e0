import { pending, purgeSpaces, retainedSince } from '../store/retention.ts';
import { openStore, type Store } from '../store/store.ts';
import { type Background, createBackground } from './engine/background.ts';
import { handle, refuseEarly } from './engine/handle.ts';
import { type InstanceRequest, type InstanceResponse, newRequestId } from './engine/request.ts';
import { bootstrap, type BootstrapOptions } from './organizations/bootstrap.ts';
import { KeptPages } from './sites/kept-pages.ts';
import type { TextLimits } from './text/pool.ts';
import { createTexts, type Texts } from './text/texts.ts';

export interface InstanceLog {
  /** A fault of the service itself, with its stack. */
  fault(requestId: string, error: unknown): void;
}

export interface InstanceOptions {
  /** Path of the database, or `:memory:`. Made where it is not there. */
  file: string;
  /** Address under which callers reach the instance: it stands in every `urls`. */
  base?: string;
  /** Milliseconds since 1970; tests set the time with it. */
  now?: () => number;
  log?: InstanceLog;
  /** Imports and specification sources may be on private and loopback addresses. */
  allowPrivateImports?: boolean;
  /** Bounds of imports, where the defaults do not do. */
  importLimits?: Partial<ImportLimits>;
  /** Bounds of the work on one text, where the defaults do not do. */
  textLimits?: Partial<TextLimits>;
  /** What a new file begins with, where the defaults do not do. */
  founding?: BootstrapOptions;
}

/** Bounds of what is brought in from an address (open parts, 7, "Content"). */
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

const importLimits: ImportLimits = {
  pages: 500,
  depth: 10,
  bytes: 100 * 1024 * 1024,
  fileBytes: 25 * 1024 * 1024,
  timeoutMs: 300_000,
};

/** A local instance of the service. `handle` is the whole of it: HTTP is one way to reach it, a function call the other. */
export interface Instance {
  handle(request: InstanceRequest): Promise<InstanceResponse>;
  /** The answer to a request that is refused for its address or token, whatever its body. */
  refuseEarly(request: InstanceRequest): Promise<InstanceResponse | undefined>;
  readonly store: Store;
  readonly background: Background;
  readonly log: InstanceLog;
  readonly allowPrivateImports: boolean;
  readonly importLimits: ImportLimits;
  readonly texts: Texts;
  readonly keptPages: KeptPages;
  /** Set anew when a port was picked by the system. */
  base: string;
  now(): number;
  /** Finishes background work that is under way, then closes the file. */
  close(): Promise<void>;
}

export const embeddedBase = 'http://localhost:4000';

/** @throws UnusableFile */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const store = openStore(options.file);
  const instance: Instance = {
    store,
    background: createBackground(),
    log: options.log ?? { fault: (_, error) => console.error(error) },
    allowPrivateImports: options.allowPrivateImports ?? false,
    importLimits: { ...importLimits, ...options.importLimits },
    texts: createTexts(options.textLimits),
    keptPages: new KeptPages(),
    base: options.base ?? embeddedBase,
    now: options.now ?? Date.now,
    handle: (request) => handle(instance, request, newRequestId()),
    refuseEarly: (request) => refuseEarly(instance, request, newRequestId()),
    async close() {
      // First, as work in the background may wait for a text: it is taken up at the next start.
      await instance.texts.close();
      await instance.background.drain();
      await store.close();
    },
  };
  if (store.fresh) await bootstrap(instance, options.founding);
  else await catchUp(instance);
  return instance;
}

/** What time and crashes left to do: spaces beyond their retention go, unfinished processing is taken up. */
export async function catchUp(instance: Instance): Promise<void> {
  const before = retainedSince(instance.now());
  const due = await instance.store.read((db) => pending(db, before));
  if (due.expired) await instance.store.write((db) => purgeSpaces(db, before));
  if (due.unfinished) (await import('./openapi/openapi.ts')).resumeProcessing(instance);
}

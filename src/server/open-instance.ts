import { pending, purgeSpaces, retainedSince } from '../store/retention.ts';
import { openStore } from '../store/store.ts';
import { createBackground } from './engine/background.ts';
import { bodyLimitOf, handle, refuseEarly, type Routing } from './engine/handle.ts';
import type { ImportLimits, Instance, InstanceLog } from './engine/instance.ts';
import { newRequestId } from './engine/request.ts';
import { findRoute } from './handlers.ts';
import { bootstrap, type BootstrapOptions } from './organizations/bootstrap.ts';
import { KeptPages } from './sites/kept-pages.ts';
import type { TextLimits } from './text/pool.ts';
import { createTexts } from './text/texts.ts';

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

const importLimits: ImportLimits = {
  pages: 500,
  depth: 10,
  bytes: 100 * 1024 * 1024,
  fileBytes: 25 * 1024 * 1024,
  timeoutMs: 300_000,
};

const routing: Routing = {
  findRoute,
  publicRoute: async (instance, request) =>
    (await import('./http/public-routes.ts')).answerPublicRoute(instance, request),
};

export const embeddedBase = 'http://localhost:4000';

/** @throws UnusableFile */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const store = openStore(options.file);
  const instance: Instance = {
    store,
    background: createBackground(),
    log: options.log ?? { error: (_, error) => console.error(error) },
    allowPrivateImports: options.allowPrivateImports ?? false,
    importLimits: { ...importLimits, ...options.importLimits },
    texts: createTexts(options.textLimits),
    keptPages: new KeptPages(),
    base: options.base ?? embeddedBase,
    now: options.now ?? Date.now,
    handle: (request) => handle(instance, routing, request, newRequestId()),
    refuseEarly: (request) => refuseEarly(instance, routing, request, newRequestId()),
    bodyLimit: (method, path) => bodyLimitOf(routing, method, path),
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

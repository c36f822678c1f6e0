import { pending, purgeSpaces, retainedSince } from '../store/retention.ts';
import { indexOutdated } from '../store/search.ts';
import { openStore } from '../store/open-store.ts';
import { ImportStates } from './content/changes/import-states.ts';
import { createBackground } from './engine/background.ts';
import { bodyLimitOf, handle, refuseEarly, type Routing } from './engine/handle.ts';
import type { ImportLimits, Instance, InstanceLog } from './engine/instance.ts';
import { newRequestId } from './engine/request.ts';
import { findRoute } from './handlers.ts';
import { bootstrap, type BootstrapOptions } from './organizations/bootstrap.ts';
import { PageCache } from './sites/page-cache.ts';
import type { TaskLimits } from '../threads/worker.ts';
import { createTexts } from './text/texts.ts';

export interface InstanceOptions {
  /** Path of the database, or `:memory:`. It is created if it does not exist. */
  file: string;
  /** Address under which callers reach the instance, for all `urls`. */
  base?: string;
  /** Milliseconds since 1970; tests set the time with it. */
  now?: () => number;
  log?: InstanceLog;
  /** Whether imports may be on private and loopback addresses. */
  allowPrivateImports?: boolean;
  /** Whether files of changes and sources of specifications may be, too. */
  allowPrivateSources?: boolean;
  /** Limits of imports that differ from the defaults. */
  importLimits?: Partial<ImportLimits>;
  /** Limits of the work on one text that differ from the defaults. */
  textLimits?: Partial<TaskLimits>;
  /** Files of fonts that PDFs are drawn with before those of the machine. */
  fonts?: readonly string[];
  /** First contents of a new file that differ from the defaults. */
  bootstrap?: BootstrapOptions;
}

const importLimits: ImportLimits = {
  pages: 500,
  depth: 10,
  bytes: 100 * 1024 * 1024,
  fileBytes: 25 * 1024 * 1024,
  timeoutMs: 840_000,
};

const routing: Routing = {
  findRoute,
  publicRoute: async (instance, request) =>
    (await import('./http/public-routes.ts')).answerPublicRoute(instance, request),
};

const embeddedBase = 'http://localhost:4000';

/** @throws UnusableFile */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const store = await openStore(options.file);
  const instance: Instance = {
    store,
    background: createBackground(),
    log: options.log ?? { error: (_, error) => console.error(error) },
    allowPrivateImports: options.allowPrivateImports ?? false,
    allowPrivateSources: options.allowPrivateSources ?? false,
    importLimits: { ...importLimits, ...options.importLimits },
    imports: new ImportStates(),
    texts: createTexts(options.textLimits),
    pageCache: new PageCache(),
    fonts: options.fonts ?? [],
    base: options.base ?? embeddedBase,
    hasApp: true,
    now: options.now ?? Date.now,
    handle: (request) => handle(instance, routing, request, newRequestId()),
    refuseEarly: (request) => refuseEarly(instance, routing, request, newRequestId()),
    bodyLimit: (method, path) => bodyLimitOf(routing, method, path),
    async close() {
      // First, because background work may wait for a text; it continues at the next start.
      await instance.texts.close();
      await instance.background.drain();
      await store.close();
    },
  };
  if (store.fresh) await bootstrap(instance, options.bootstrap);
  else await catchUp(instance);
  return instance;
}

/** Deletes spaces after their retention, updates the search index of an earlier version, and continues processing that a crash interrupted. */
export async function catchUp(instance: Instance): Promise<void> {
  const before = retainedSince(instance.now());
  const due = await instance.store.read((db) => pending(db, before));
  if (due.expired) await instance.store.write((db) => purgeSpaces(db, before));
  // In parts, so that other requests of a shared database do not wait long.
  for (let isMore = due.outdated; isMore;) isMore = await instance.store.write((db) => indexOutdated(db, 100));
  if (due.unfinished) await (await import('./openapi/openapi.ts')).resumeProcessing(instance);
}

import type { Imported } from '../../../content/import/imported.ts';
import type { content, importSources } from '../../../contract/content.ts';
import type { AnswerOf, BodyOf } from '../../../contract/endpoint.ts';
import { type ImportOptions, type ImportState, importHeader, readImportHeader } from '../../../contract/instance.ts';
import { getFrom } from '../../../shared/get-from.ts';
import { allFiles } from '../../../store/files.ts';
import { newId } from '../../../store/ids.ts';
import type { Context, Objects } from '../../engine/context.ts';
import { DomainError, Invalid, Unavailable } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import type { ContentOf, ContentParams, Where } from '../find-content.ts';
import { type NewFile, assertWritable, commitRevision, readFile } from './commit-revision.ts';
import { Draft } from './draft.ts';
import { type ImportedPage, addressOf, draftImport, earlierPages } from './import-pages.ts';
import { type TextWork, readTexts } from './new-texts.ts';

type Source = (typeof importSources)[number];
type ImportContext = Where<keyof Objects> &
  Pick<Context, 'caller' | 'now' | 'instance' | 'reply' | 'request'> & {
    params: ContentParams;
    body: BodyOf<typeof content.import>;
  };

type Answer = AnswerOf<typeof content.import>;

/** Sources that can be `data:` addresses. */
const inlineSources = new Set<Source>([
  'markdown',
  'html',
  'zip',
  'notion',
  'confluence',
  'google-docs',
  'github-wiki',
]);

interface Prepared {
  options: ImportOptions | undefined;
  state: ImportState;
  pages: ImportedPage[];
  files: (NewFile & { isPresent: boolean })[];
  /** Keys of pages that were found but not imported. */
  leftOut: ReadonlySet<string>;
  /** Pages and files that the source has, also those that were skipped. */
  totalResources: number;
}

/** An import into a content: everything is fetched and read before the transaction. */
export const importHandlers = (contentOf: ContentOf) => ({
  async prepare(context: ImportContext): Promise<Prepared> {
    const options = optionsOf(context);
    const { instance, caller, request } = context;
    const content = await instance.store.read((db) => contentOf({ ...context, db }));
    assertWritable(content);
    const state = instance.imports.begin(options?.id, instance.importLimits);
    const run: ImportRun = { instance, caller: caller.id, signal: request.signal, state };
    try {
      return await withImportErrors(request.signal, async () => {
        const work = importWork(run);
        const imported = await fetchSource(run, context.body, work);
        state.step = 'reading';
        if (imported.leftOut) state.leftOut = imported.leftOut.counts;
        state.notImported = [...(imported.notImported ?? []), ...(imported.leftOut?.keys ?? [])].slice(0, 100);
        const present = options?.replace ? await presentIn(context, contentOf) : undefined;
        const resources = await readImported(imported, work, present);
        return { ...resources, options, state, leftOut: imported.leftOut?.keys ?? new Set() };
      });
    } catch (error) {
      instance.imports.end(options?.id, state, 'failed');
      throw error;
    }
  },

  async handle(context: ImportContext, prepared: Prepared): Promise<Answer> {
    const { instance, reply, request } = context;
    const { options, state, pages, files, totalResources } = prepared;
    try {
      // Its last chance: after the commit it is done.
      assertAwaited(request.signal);
      state.step = 'saving';
      const { location, revision } = await commitImport(context, await contentOf(context), prepared);
      reply.location = location;
      instance.imports.end(options?.id, state, 'done');
      const importedResources = pages.length + files.length;
      return { revision, importedResources, totalResources: Math.max(totalResources, importedResources) };
    } catch (error) {
      instance.imports.end(options?.id, state, 'failed');
      throw error;
    }
  },
});

/** @throws Invalid */
function optionsOf({ body: { url, source }, request: { headers } }: ImportContext): ImportOptions | undefined {
  if (/^data:/i.test(url) && !inlineSources.has(source))
    throw new Invalid('/url', `must be an http or https address for ${source}`, 'format');
  const header = headers[importHeader];
  if (header === undefined) return undefined;
  const options = readImportHeader(header);
  if (!options) {
    const message = 'must be an id of 16 to 64 characters, then "; replace" and "; overwrite" where they are meant';
    throw new Invalid([{ in: 'header', path: importHeader, rule: 'format', message }]);
  }
  if (options.replace && addressOf(source, url) === null)
    throw new Invalid('/url', 'must be an http or https address to replace an earlier import', 'format');
  return options;
}

async function commitImport(
  { db, caller, now, body }: ImportContext,
  content: Awaited<ReturnType<ContentOf>>,
  { options, state, pages, files, leftOut }: Prepared,
) {
  assertWritable(content);
  const draft = new Draft(db, content.snapshot);
  const { replace = false, overwrite = false } = options ?? {};
  const address = addressOf(body.source, body.url) ?? '';
  const replaced = await draftImport(db, content.snapshot, draft, { address, pages, leftOut, replace, overwrite, now });
  if (replaced) state.replaced = replaced;
  const documents = pages.map(({ document }) => document);
  const newFiles = files.filter(({ isPresent }) => !isPresent);
  const changed = await commitRevision(db, content, draft, { documents, files: newFiles }, { author: caller.id, now });
  return { revision: changed.snapshot.revision, location: content.location };
}

/** What a replacing import finds: ids of pages by their keys, and of files by name and bytes. */
interface Present {
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

const fileKey = ({ name, blob }: Pick<NewFile, 'name' | 'blob'>) => `${blob} ${name}`;

function presentIn(context: ImportContext, contentOf: ContentOf): Promise<Present> {
  const { source, url } = context.body;
  return context.instance.store.read(async (db) => {
    const { snapshot } = await contentOf({ ...context, db });
    const pages = await earlierPages(db, snapshot, addressOf(source, url) ?? '');
    return {
      pages: new Map([...pages].map(([key, { row }]) => [key, row.page])),
      files: new Map((await allFiles(db, snapshot)).map((file) => [fileKey(file), file.file])),
    };
  });
}

/** Gives everything ids, links the texts by them, and reads the texts. */
async function readImported(imported: Imported, work: TextWork, present: Present | undefined) {
  const keyOf = ({ ref, source }: Imported['pages'][number]) => source ?? ref;
  const pageIds = new Map(imported.pages.map((page) => [page.ref, present?.pages.get(keyOf(page)) ?? newId()]));
  const files: (NewFile & { isPresent: boolean })[] = [];
  const fileIds = new Map<string, string>();
  for (const file of imported.files) {
    const read = await readFile({ ...file, id: newId() }, work);
    const id = present?.files.get(fileKey(read));
    fileIds.set(file.ref, id ?? read.file);
    files.push({ ...read, file: id ?? read.file, isPresent: id !== undefined });
  }
  const texts = imported.pages.map(({ markdown, title }) => ({ text: { markdown }, path: `the page "${title}"` }));
  const documents = await readTexts(texts, { pages: pageIds, files: fileIds }, work);
  const pages = imported.pages.map((page, index): ImportedPage => {
    const { ref, parent, title, slug, description } = page;
    return {
      id: getFrom(pageIds, ref),
      key: keyOf(page),
      parent: parent === null ? null : getFrom(pageIds, parent),
      title,
      slug,
      description: description ?? null,
      document: documents[index] ?? null,
    };
  });
  return { pages, files, totalResources: imported.total };
}

interface SourceAddress {
  source: string;
  url: string;
}

/** What an import needs beside its source. */
interface ImportRun {
  instance: Instance;
  caller: string;
  /** Aborted when the client no longer waits: then nothing may be written. */
  signal: AbortSignal | undefined;
  state: ImportState;
}

/** Fetching ends early enough that what was fetched can still be read within the limit of the whole import. */
const fetchingShare = 2 / 3;

/** The work of one import, with one time limit for all of it. */
function importWork({ instance: { texts, importLimits }, caller, signal }: ImportRun): TextWork {
  const end = performance.now() + importLimits.timeoutMs;
  return (name, input, what) => {
    if (signal?.aborted) return Promise.reject(notAwaited());
    return performance.now() > end
      ? Promise.reject(importFailed(`It took more than ${importLimits.timeoutMs / 1000} s.`))
      : texts.run(name, input, { caller, what });
  };
}

/** @throws Unavailable if the client no longer waits for the import */
function assertAwaited(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw notAwaited();
}

const notAwaited = () => new Unavailable('The client no longer waits for the import. Nothing was imported.');

/** @throws DomainError with a message for the caller */
async function fetchSource(run: ImportRun, { source, url }: SourceAddress, work: TextWork): Promise<Imported> {
  const { instance, signal, state } = run;
  const { pages, depth, bytes, timeoutMs } = instance.importLimits;
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  const { allowWhereFirst } = await import('../../../content/import/fetcher.ts');
  const { importFrom } = await import('../../../content/import/sources.ts');
  return importFrom(source, url, {
    // Once for all addresses of an import: a public page must not lead to a private network.
    allowPrivate: instance.allowPrivateImports && !/^data:/i.test(url) && allowWhereFirst(),
    maxBytes: bytes,
    timeoutMs: timeoutMs * fetchingShare,
    ...(signal && { signal }),
    website: {
      maxPages: pages,
      maxDepth: depth,
      timeoutMs: timeoutMs * fetchingShare,
      onProgress: (progress) => Object.assign(state, progress),
    },
    work: (name, input) =>
      work(name, input, 'The document at the address').catch((error: unknown) => {
        // For an importer this is an unreadable page, which is skipped if there are others.
        throw isTooComplex(error) ? new ImportFailure('unreadable', error.message) : error;
      }),
  });
}

async function withImportErrors<T>(signal: AbortSignal | undefined, importing: () => Promise<T>): Promise<T> {
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  try {
    return await importing();
  } catch (error) {
    assertAwaited(signal);
    if (isTooComplex(error)) throw importFailed(error.message);
    if (!(error instanceof ImportFailure)) throw error;
    if (error.code === 'unsupported') throw new DomainError('unsupported-source', error.message);
    throw importFailed(error.message);
  }
}

const isTooComplex = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === 'too-complex';

const importFailed = (message: string) => new DomainError('import-failed', `Nothing was imported. ${message}`);

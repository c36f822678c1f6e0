import type { content, importSources } from '../../../contract/content.ts';
import type { AnswerOf, BodyOf } from '../../../contract/endpoint.ts';
import type { Imported } from '../../../content/import/imported.ts';
import { getFrom } from '../../../shared/get-from.ts';
import { newId } from '../../../store/ids.ts';
import type { Context, Objects } from '../../engine/context.ts';
import { Draft } from './draft.ts';
import { DomainError, Invalid } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import { type NewText, readTexts, type TextWork } from './new-texts.ts';
import type { ContentOf, ContentParams, Where } from '../find-content.ts';
import { type NewFile, readFile, assertWritable, commitRevision } from './commit-revision.ts';

type Source = (typeof importSources)[number];
type ImportContext = Where<keyof Objects> &
  Pick<Context, 'caller' | 'now' | 'instance' | 'reply'> & {
    params: ContentParams;
    body: BodyOf<typeof content.import>;
  };

type Answer = AnswerOf<typeof content.import>;

/** Sources that can be `data:` addresses (open parts, 7, "Content"). */
const inlineSources = new Set<Source>(['markdown', 'html', 'zip']);

interface ImportedPage {
  id: string;
  parent: string | null;
  title: string;
  slug: string;
  description: string | null;
  document: NewText | null;
}

interface Prepared {
  pages: ImportedPage[];
  files: NewFile[];
  /** Pages and files that the source has, also those that were left out. */
  totalResources: number;
}

/** An import into a content: everything is fetched and read before the transaction. */
export const importHandlers = (contentOf: ContentOf) => ({
  async prepare(context: ImportContext): Promise<Prepared> {
    const { url, source } = context.body;
    if (/^data:/i.test(url) && !inlineSources.has(source)) {
      throw new Invalid('/url', `must be an http or https address for ${source}`, 'format');
    }
    assertWritable(await context.instance.store.read((db) => contentOf({ ...context, db })));
    const { instance, caller } = context;
    const work = importWork(instance, caller.id);
    return withImportErrors(async () => readImported(await fetchSource(instance, source, url, work), work));
  },

  async handle(context: ImportContext, { pages, files, totalResources }: Prepared): Promise<Answer> {
    const { db, caller, now, reply } = context;
    const content = await contentOf(context);
    assertWritable(content);
    const draft = new Draft(db, content.snapshot);
    for (const page of pages) await addPage(draft, page, now);
    await draft.separateSlugs();
    const documents = pages.map(({ document }) => document);
    const changed = await commitRevision(db, content, draft, { documents, files }, { author: caller.id, now });
    reply.location = content.location;
    const importedResources = pages.length + files.length;
    return {
      revision: changed.snapshot.revision,
      importedResources,
      totalResources: Math.max(totalResources, importedResources),
    };
  },
});

async function addPage(draft: Draft, { id, document, ...page }: ImportedPage, now: string): Promise<void> {
  draft.add(id, {
    ...page,
    position: await draft.positionUnder(page.parent, id),
    type: 'document',
    emoji: null,
    icon: null,
    document: document?.id ?? null,
    hidden: 0,
    no_index: 0,
    no_robots_index: 0,
    extra: null,
    created_at: now,
    updated_at: now,
  });
}

/** The work of one import, with one time limit for all of it. */
function importWork({ texts, importLimits }: Instance, caller: string): TextWork {
  const end = performance.now() + importLimits.timeoutMs;
  return (name, input, what) =>
    performance.now() > end
      ? Promise.reject(importFailed(`It took more than ${importLimits.timeoutMs / 1000} s.`))
      : texts.run(name, input, { caller, what });
}

async function fetchSource(instance: Instance, source: Source, url: string, work: TextWork): Promise<Imported> {
  const { pages, depth, bytes, timeoutMs } = instance.importLimits;
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  const { importFrom } = await import('../../../content/import/sources.ts');
  return importFrom(source, url, {
    allowPrivate: instance.allowPrivateImports,
    maxBytes: bytes,
    timeoutMs,
    website: { maxPages: pages, maxDepth: depth, timeoutMs },
    work: (name, input) =>
      work(name, input, 'The document at the address').catch((error: unknown) => {
        // For an importer this is an unreadable page, which is left out where there are others.
        throw isTooComplex(error) ? new ImportFailure('unreadable', error.message) : error;
      }),
  });
}

async function withImportErrors<T>(importing: () => Promise<T>): Promise<T> {
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  try {
    return await importing();
  } catch (error) {
    if (isTooComplex(error)) throw importFailed(error.message);
    if (!(error instanceof ImportFailure)) throw error;
    if (error.code === 'unsupported') throw new DomainError('unsupported-source', error.message);
    throw importFailed(error.message);
  }
}

const isTooComplex = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === 'too-complex';

const importFailed = (message: string) => new DomainError('import-failed', `Nothing was imported. ${message}`);

/** Gives everything ids, links the texts by them, and reads the texts. */
async function readImported(imported: Imported, work: TextWork): Promise<Prepared> {
  const pageIds = new Map(imported.pages.map(({ ref }) => [ref, newId()]));
  const fileIds = new Map(imported.files.map(({ ref }) => [ref, newId()]));
  const texts = imported.pages.map(({ markdown, title }) => ({ text: { markdown }, path: `the page "${title}"` }));
  const documents = await readTexts(texts, { pages: pageIds, files: fileIds }, work);
  const pages = imported.pages.map(({ ref, parent, title, slug, description }, index) => ({
    id: getFrom(pageIds, ref),
    parent: parent === null ? null : getFrom(pageIds, parent),
    title,
    slug,
    description: description ?? null,
    document: documents[index] ?? null,
  }));
  const files: NewFile[] = [];
  for (const file of imported.files) files.push(await readFile({ ...file, id: getFrom(fileIds, file.ref) }, work));
  return { pages, files, totalResources: imported.total };
}

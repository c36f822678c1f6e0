import type { content, importSources } from '../../contract/content.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import type { Imported } from '../../content/import/imported.ts';
import { newId } from '../../store/ids.ts';
import type { Context, Objects } from '../engine/context.ts';
import { Draft } from './draft.ts';
import { DomainError, Invalid } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { type NewText, readTexts, type TextWork } from './new-texts.ts';
import type { ContentOf, Where } from './find-content.ts';
import { type NewFile, readFile, assertWritable, commitRevision } from './commit-revision.ts';

type Source = (typeof importSources)[number];
type Importing = Where<keyof Objects> &
  Pick<Context, 'params' | 'caller' | 'now' | 'instance' | 'reply'> & { body: BodyOf<typeof content.import> };

type Answer = AnswerOf<typeof content.import>;

/** Sources that take `data:` addresses (open parts, 7, "Content"). */
const inline = new Set<Source>(['markdown', 'html', 'zip']);

interface Brought {
  imported: Imported;
  /** Ids of pages and files by their refs. */
  pages: Map<string, string>;
  documents: Map<string, NewText | null>;
  files: NewFile[];
}

/** An import into a content: everything is fetched and read before the transaction. */
export const importHandlers = (contentOf: ContentOf) => ({
  async prepare(context: Importing): Promise<Brought> {
    const { url, source } = context.body;
    if (/^data:/i.test(url) && !inline.has(source)) {
      throw new Invalid('/url', `must be an http or https address for ${source}`, 'format');
    }
    assertWritable(await context.instance.store.read((db) => contentOf({ ...context, db })));
    const { instance, caller } = context;
    const work = importWork(instance, caller.id);
    return orImportFailed(async () => bring(await fetchSource(instance, source, url, work), work));
  },

  async handle(context: Importing, brought: Brought): Promise<Answer> {
    const { db, caller, now, reply } = context;
    const content = await contentOf(context);
    assertWritable(content);
    const draft = new Draft(db, content.at);
    for (const page of brought.imported.pages) {
      const id = brought.pages.get(page.ref)!;
      const parent = page.parent === null ? null : brought.pages.get(page.parent)!;
      draft.add(id, {
        parent,
        position: await draft.placeUnder(parent, id),
        type: 'document',
        title: page.title,
        slug: page.slug,
        emoji: null,
        icon: null,
        description: page.description ?? null,
        document: brought.documents.get(page.ref)?.id ?? null,
        hidden: 0,
        no_index: 0,
        no_robots_index: 0,
        extra: null,
        created_at: now,
        updated_at: now,
      });
    }
    await draft.separateSlugs();
    const { documents, files, imported } = brought;
    const changed = await commitRevision(
      db,
      content,
      draft,
      { documents: documents.values(), files },
      { author: caller.id, now },
    );
    reply.location = content.location;
    const importedResources = imported.pages.length + files.length;
    return {
      revision: changed.at.revision,
      importedResources,
      totalResources: Math.max(imported.total, importedResources),
    };
  },
});

/** Work for one import, which has a limit of time as a whole. */
function importWork({ texts, importLimits }: Instance, caller: string): TextWork {
  const end = performance.now() + importLimits.timeoutMs;
  return (name, input, what) =>
    performance.now() > end
      ? Promise.reject(importFailed(`It took more than ${importLimits.timeoutMs / 1000} s.`))
      : texts.run(name, input, { caller, what });
}

async function fetchSource(instance: Instance, source: Source, url: string, work: TextWork): Promise<Imported> {
  const { pages, depth, bytes, timeoutMs } = instance.importLimits;
  const { ImportFailure } = await import('../../content/import/failure.ts');
  const { importFrom } = await import('../../content/import/sources.ts');
  return importFrom(source, url, {
    allowPrivate: instance.allowPrivateImports,
    maxBytes: bytes,
    timeoutMs,
    website: { maxPages: pages, maxDepth: depth, timeoutMs },
    work: (name, input) =>
      work(name, input, 'What the address answered').catch((error: unknown) => {
        // To an importer it is a page that cannot be read, which is left out where there are others.
        throw isTooComplex(error) ? new ImportFailure('unreadable', error.message) : error;
      }),
  });
}

async function orImportFailed<T>(importing: () => Promise<T>): Promise<T> {
  const { ImportFailure } = await import('../../content/import/failure.ts');
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

/** Names what came in, points its links at it, and reads its texts. */
async function bring(imported: Imported, work: TextWork): Promise<Brought> {
  const pages = new Map(imported.pages.map(({ ref }) => [ref, newId()]));
  const ids = new Map(imported.files.map(({ ref }) => [ref, newId()]));
  const given = imported.pages.map(({ markdown, title }) => ({ text: { markdown }, path: `the page "${title}"` }));
  const read = await readTexts(given, { pages, files: ids }, work);
  const documents = new Map(imported.pages.map(({ ref }, at) => [ref, read[at]!]));
  const files: NewFile[] = [];
  for (const file of imported.files) files.push(await readFile({ ...file, id: ids.get(file.ref)! }, work));
  return { imported, pages, documents, files };
}

import type { content, importSources } from '../contract/content.ts';
import type { AnswerOf, BodyOf } from '../contract/endpoint.ts';
import type { Imported } from '../content/import/imported.ts';
import { newId } from '../store/ids.ts';
import { linked } from './contentChanges.ts';
import type { Context, Objects } from './context.ts';
import { type ReadDocument, readDocument } from './documents.ts';
import { Draft } from './drafting.ts';
import { DomainError, Invalid } from './faults.ts';
import type { Instance } from './instance.ts';
import type { ContentOf, Where } from './reading.ts';
import { type NewFile, readFile, refuseUnwritable, revise } from './revising.ts';

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
  documents: Map<string, ReadDocument>;
  files: NewFile[];
}

/** An import into a content: everything is fetched and read before the transaction. */
export const importing = (contentOf: ContentOf) => ({
  async prepare(context: Importing): Promise<Brought> {
    const { url, source } = context.body;
    if (/^data:/i.test(url) && !inline.has(source)) {
      throw new Invalid('/url', `must be an http or https address for ${source}`, 'format');
    }
    refuseUnwritable(await context.instance.store.read((db) => contentOf({ ...context, db })));
    return bring(await fetchSource(context.instance, source, url));
  },

  async handle(context: Importing, brought: Brought): Promise<Answer> {
    const { db, caller, now, reply } = context;
    const content = await contentOf(context);
    refuseUnwritable(content);
    const draft = new Draft(db, content.at);
    for (const page of brought.imported.pages) {
      const id = brought.pages.get(page.ref)!;
      const parent = page.parent === null ? null : brought.pages.get(page.parent)!;
      await draft.put(id, {
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
    const changed = await revise(
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
      totalResources: Math.max(imported.found, importedResources),
    };
  },
});

async function fetchSource(instance: Instance, source: Source, url: string): Promise<Imported> {
  const { pages, depth, bytes, timeoutMs } = instance.importLimits;
  const { ImportFailure } = await import('../content/import/fetcher.ts');
  const { importFrom } = await import('../content/import/sources.ts');
  try {
    return await importFrom(source, url, {
      allowPrivate: instance.allowPrivateImports,
      maxBytes: bytes,
      timeoutMs,
      website: { maxPages: pages, maxDepth: depth, timeoutMs },
    });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    if (error.code === 'unsupported') throw new DomainError('unsupported-source', error.message);
    throw new DomainError('import-failed', `Nothing was imported. ${error.message}`);
  }
}

/** Names what came in, points its links at it, and reads its texts. */
async function bring(imported: Imported): Promise<Brought> {
  const pages = new Map(imported.pages.map(({ ref }) => [ref, newId()]));
  const ids = new Map(imported.files.map(({ ref }) => [ref, newId()]));
  const documents = new Map<string, ReadDocument>();
  for (const { ref, markdown } of imported.pages) {
    if (markdown !== '') documents.set(ref, await readDocument(await linked(markdown, pages, ids)));
    // Reading takes time by the length of the text; others get their turn in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const files: NewFile[] = [];
  for (const file of imported.files) files.push(await readFile({ ...file, id: ids.get(file.ref)! }));
  return { imported, pages, documents, files };
}

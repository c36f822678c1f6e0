import type { content } from '../../../contract/content.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../../contract/endpoint.ts';
import { draftChanges } from './draft-changes.ts';
import { type InsertedFile, readChanges, type ReadChanges } from './read-changes.ts';
import type { Context, Objects } from '../../engine/context.ts';
import type { Draft } from './draft.ts';
import { DomainError } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import type { TextWork } from './new-texts.ts';
import { presentFile } from '../pages/pages.ts';
import type { Content, Where } from '../find-content.ts';
import { type NewFile, readFile, assertWritable, commitRevision } from './commit-revision.ts';

interface ChangeContext<O extends keyof Objects>
  extends Where<O>, Pick<Context, 'caller' | 'now' | 'instance' | 'texts'> {
  body: BodyOf<typeof content.change>;
  query: QueryOf<typeof content.change>;
}

type Outcome = Pick<Extract<AnswerOf<typeof content.change>, { changes: unknown }>, 'changes' | 'insertedFiles'>;

interface Prepared {
  changes: ReadChanges;
  files: NewFile[];
}

/**
 * Handlers of the change of a content. Texts are read and files fetched before the transaction; what depends on the
 * content is checked in it.
 */
export const changeHandlers = <O extends keyof Objects, C extends Content, Answer>(
  contentOf: (where: Where<O>) => Promise<C>,
  present: (context: ChangeContext<O>, content: C, outcome: Outcome) => Promise<Answer>,
) => ({
  async prepare(context: ChangeContext<O>): Promise<Prepared> {
    const work: TextWork = (name, input, what) => context.texts.run(name, input, { what, key: what });
    const changes = await readChanges(context.body.changes, work);
    if (changes.files.length === 0) return { changes, files: [] };
    // Errors are reported before files are fetched.
    await context.instance.store.read(async (db) => {
      const content = await contentOf({ ...context, db });
      await draftChanges(db, content, changes, context.now);
      assertWritable(content);
    });
    return { changes, files: await fetchFiles(context.instance, changes.files, work) };
  },

  async handle(context: ChangeContext<O>, { changes, files }: Prepared): Promise<Answer> {
    const { db, caller, now, base } = context;
    const content = await contentOf(context);
    const draft = await draftChanges(db, content, changes, now);
    // After invalid values.
    assertWritable(content);
    const documents = changes.documents.values();
    const changed = await commitRevision(db, content, draft, { documents, files }, { author: caller.id, now });
    return present(context, changed, {
      changes: changedPages(content, draft, changes),
      insertedFiles: files.map((file) => presentFile(base, file)),
    });
  },
});

const maxFetchMs = 30_000;

async function fetchFiles(instance: Instance, inputs: InsertedFile[], work: TextWork): Promise<NewFile[]> {
  const files: NewFile[] = [];
  for (const { bytes, url, ...file } of inputs) {
    files.push(await readFile({ ...file, bytes: bytes ?? (await fetchFile(instance, url, file.name)) }, work));
  }
  return files;
}

async function fetchFile({ allowPrivateSources, importLimits }: Instance, url: string | undefined, name: string) {
  const { ImportFailure } = await import('../../../content/import/failure.ts');
  const { fetchBytes } = await import('../../../content/import/fetcher.ts');
  if (url === undefined) throw new Error(`The file "${name}" has neither bytes nor a URL.`);
  try {
    const { bytes } = await fetchBytes(url, {
      maxBytes: importLimits.fileBytes,
      timeoutMs: maxFetchMs,
      allowPrivate: allowPrivateSources,
    });
    return bytes;
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new DomainError('import-failed', `Cannot fetch the file "${name}". ${error.message}`);
  }
}

/** What was done to each page, in the order in which the pages were first changed. */
function changedPages({ location }: Content, draft: Draft, { pages, ids }: ReadChanges): Outcome['changes'] {
  const refs = new Map([...pages].map(([ref, id]) => [id, ref]));
  const created = new Set(ids.values());
  return [...draft.changed].map(([id, { before, state }]) => {
    if (!state) return { object: 'deleted_page', page: id };
    const page = { object: 'page' as const, id, urls: { location: `${location}/page/${id}` } };
    if (before && !created.has(id)) return { object: 'updated_page', page };
    return { object: 'created_page', ref: refs.get(id), page };
  });
}

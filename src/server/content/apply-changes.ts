import type { content } from '../../contract/content.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../contract/endpoint.ts';
import { draftChanges, type GivenFile, readChanges, type ReadChanges } from './read-changes.ts';
import type { Context, Objects } from '../engine/context.ts';
import type { Draft } from './draft.ts';
import { DomainError } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import type { TextWork } from './new-texts.ts';
import { presentFile } from './pages.ts';
import type { Content, Where } from './find-content.ts';
import { type NewFile, readFile, assertWritable, commitRevision } from './commit-revision.ts';

interface Changing<O extends keyof Objects> extends Where<O>, Pick<Context, 'caller' | 'now' | 'instance' | 'texts'> {
  body: BodyOf<typeof content.change>;
  query: QueryOf<typeof content.change>;
}

export type Done = Pick<Extract<AnswerOf<typeof content.change>, { changes: unknown }>, 'changes' | 'insertedFiles'>;

interface Prepared {
  read: ReadChanges;
  files: NewFile[];
}

/**
 * The change of a content. Texts are read and files fetched before the transaction; what depends on the content is
 * judged in it.
 */
export const changeHandlers = <O extends keyof Objects, Answer>(
  contentOf: (where: Where<O>) => Promise<Content>,
  present: (context: Changing<O>, content: Content, done: Done) => Promise<Answer>,
) => ({
  async prepare(context: Changing<O>): Promise<Prepared> {
    const work: TextWork = (name, input, what) => context.texts.run(name, input, { what, key: what });
    const read = await readChanges(context.body.changes, work);
    // Bad values are told before a state that forbids the change, and both before anything is fetched.
    await context.instance.store.read(async (db) => {
      const content = await contentOf({ ...context, db });
      await draftChanges(db, content, read, context.now);
      assertWritable(content);
    });
    return { read, files: await fetchFiles(context.instance, read.files, work) };
  },

  async handle(context: Changing<O>, { read, files }: Prepared): Promise<Answer> {
    const { db, caller, now, base } = context;
    const content = await contentOf(context);
    const draft = await draftChanges(db, content, read, now);
    assertWritable(content);
    const documents = read.documents.values();
    const changed = await commitRevision(db, content, draft, { documents, files }, { author: caller.id, now });
    return present(context, changed, {
      changes: told(content, draft, read),
      insertedFiles: files.map((file) => presentFile(base, file)),
    });
  },
});

const maxFetchMs = 30_000;

async function fetchFiles(instance: Instance, given: GivenFile[], work: TextWork): Promise<NewFile[]> {
  const files: NewFile[] = [];
  for (const file of given)
    files.push(await readFile({ ...file, bytes: file.bytes ?? (await fetchFile(instance, file)) }, work));
  return files;
}

async function fetchFile({ allowPrivateImports, importLimits }: Instance, { url, name }: GivenFile) {
  const { ImportFailure } = await import('../../content/import/failure.ts');
  const { fetchBytes } = await import('../../content/import/fetcher.ts');
  try {
    const { bytes } = await fetchBytes(url!, {
      maxBytes: importLimits.fileBytes,
      timeoutMs: maxFetchMs,
      allowPrivate: allowPrivateImports,
    });
    return bytes;
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new DomainError('import-failed', `The file "${name}" could not be fetched. ${error.message}`);
  }
}

/** What became of each page that was touched, in the order of the first touch. */
function told({ location }: Content, draft: Draft, { pages, ids }: ReadChanges): Done['changes'] {
  const refs = new Map([...pages].map(([ref, id]) => [id, ref]));
  const made = new Set(ids.values());
  return [...draft.touched].map(([id, { before, state }]) => {
    if (!state) return { object: 'deleted_page', page: id };
    const page = { object: 'page' as const, id, urls: { location: `${location}/page/${id}` } };
    if (before && !made.has(id)) return { object: 'updated_page', page };
    const ref = refs.get(id);
    return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page };
  });
}

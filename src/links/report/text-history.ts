import { pagesById } from '../../change-requests/compare-content.ts';
import type { Side } from '../../change-requests/read-sides.ts';
import type { Client } from '../../client/client.ts';
import { earlierRevisions } from '../earlier-revisions.ts';
import type { ServiceSpace } from '../service-world.ts';

/** A change of the text of a page. */
interface TextChange {
  /** ISO 8601. */
  at: string;
  /** Absent if the page was added. */
  textBefore?: () => Promise<string>;
}

/** The changes of the texts in a space. */
export interface TextHistory {
  /** Newest first. Undefined if they are older than the revisions that were read. */
  changesOf(pageId: string): readonly TextChange[] | undefined;
}

/** Reads the revisions of a space. A text has another document ID after each change. */
export async function readHistory(client: Client, { id, side }: ServiceSpace): Promise<TextHistory> {
  const changes = new Map<string, TextChange[]>();
  let { createdAt: at } = side.revision;
  let documents = documentsIn(side);
  const add = (before: ReadonlyMap<string, string | undefined>, textOf?: Side['textOf']) => {
    for (const [page, document] of documents) {
      if (before.has(page) && before.get(page) === document) continue;
      const change = { at, ...(textOf && before.has(page) && { textBefore: () => textOf(page) }) };
      changes.set(page, [...(changes.get(page) ?? []), change]);
    }
  };
  const revisions = earlierRevisions(client, id, side.revision);
  let next = await revisions.next();
  for (; !next.done; next = await revisions.next()) {
    const { revision, textOf } = next.value;
    const before = documentsIn(next.value);
    add(before, textOf);
    documents = before;
    at = revision.createdAt;
  }
  const isComplete = next.value;
  if (isComplete) add(new Map());
  return { changesOf: (page) => changes.get(page) };
}

const documentsIn = ({ revision }: Side): ReadonlyMap<string, string | undefined> =>
  new Map(
    [...pagesById(revision.pages)].flatMap(([id, { page }]) =>
      page.type === 'document' ? [[id, page.documentId]] : [],
    ),
  );

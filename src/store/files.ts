import { sql } from 'kysely';
import { query, queryFor } from './query.ts';
import { type At, forever, isOverlaid, params, shownAt, type Snapshot } from './snapshots.ts';
import type { Db } from './store.ts';

/** A file as a revision shows it, without its bytes. */
export interface FileRow {
  file: string;
  name: string;
  content_type: string;
  blob: string;
  size: number;
  width: number | null;
  height: number | null;
}

interface Variant {
  overlaid: boolean;
  by: 'all' | 'after' | 'file';
}

interface Params extends At {
  name?: string;
  file?: string;
  limit: number;
}

const columns = sql`v.file, v.name, v.content_type, v.blob, b.size, b.width, b.height`;
const join = sql`join blob b on b.digest = v.blob`;

const listed = queryFor<Variant, Params, FileRow>(({ overlaid, by }, db, p) => {
  const condition = {
    all: sql``,
    after: sql`and (v.name, v.file) > (${p.name}, ${p.file})`,
    file: sql`and v.file = ${p.file}`,
  }[by];
  const shown = shownAt<Params>('file_version', overlaid, p, condition, columns, join);
  return { compile: () => sql<FileRow>`select * from (${shown}) order by name, file limit ${p.limit}`.compile(db) };
});

const variant = (at: At, by: Variant['by']): Variant => ({ ...isOverlaid(at), by });

/** Files after a key, by name. */
export const listFiles = (db: Db, at: Snapshot, after: readonly unknown[] | undefined, limit: number) =>
  after === undefined
    ? listed(variant(at, 'all')).all(db, { ...params(at), limit })
    : listed(variant(at, 'after')).all(db, {
        ...params(at),
        name: after[0] as string,
        file: after[1] as string,
        limit,
      });

export const allFiles = (db: Db, at: Snapshot) => listFiles(db, at, undefined, -1);

export const findFile = (db: Db, at: Snapshot, file: string) =>
  listed(variant(at, 'file')).first(db, { ...params(at), file, limit: 1 });

const counted = queryFor<{ overlaid: boolean }, At, { count: number }>(({ overlaid }, db, p) => ({
  compile: () =>
    sql<{ count: number }>`select count(*) as count
      from (${shownAt<At>('file_version', overlaid, p, sql``, sql`v.file`)})`.compile(db),
}));

export const countFiles = async (db: Db, at: Snapshot): Promise<number> =>
  (await counted(isOverlaid(at)).first(db, params(at)))!.count;

interface Stored {
  name: string;
  content_type: string;
  bytes: Uint8Array;
}

const download = query<{ file: string }, Stored>((db, p) =>
  db
    .selectFrom('file_version as f')
    .innerJoin('blob as b', 'b.digest', 'f.blob')
    .innerJoin('space as s', 's.id', 'f.space')
    .select(['f.name', 'f.content_type', 'b.bytes'])
    .where('f.file', '=', p.file)
    .where('s.deleted_at', 'is', null)
    .limit(1),
);

/** The bytes of a file of any space that is not deleted: a file never changes under its id. */
export const findDownload = (db: Db, file: string) => download.first(db, { file });

export interface NewBlob {
  digest: string;
  bytes: Uint8Array;
  width: number | null;
  height: number | null;
}

const keep = query<NewBlob & { size: number }>((db, p) =>
  db
    .insertInto('blob')
    .values({
      digest: p.digest,
      bytes: p.bytes as never,
      size: p.size,
      width: p.width as never,
      height: p.height as never,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Keeps bytes once, whatever number of files they are. */
export async function insertBlob(db: Db, blob: NewBlob): Promise<void> {
  await keep.run(db, { ...blob, size: blob.bytes.byteLength });
}

/** What a revision does to one file of its line. */
export interface FileWrite {
  file: string;
  name: string;
  contentType: string;
  blob: string;
}

const open = query<FileWrite & { space: string; line: string; seq: number }>((db, p) =>
  db.insertInto('file_version').values({
    space: p.space,
    line: p.line,
    file: p.file,
    from_seq: p.seq,
    to_seq: forever,
    name: p.name,
    content_type: p.contentType,
    blob: p.blob,
  }),
);

export async function writeFiles(
  db: Db,
  { space, line, seq }: { space: string; line: string; seq: number },
  files: FileWrite[],
) {
  for (const file of files) await open.run(db, { ...file, space, line, seq });
}

const own = query<{ space: string; line: string; own: number }, FileWrite>((db, p) => ({
  compile: () =>
    sql<FileWrite>`select file, name, content_type as contentType, blob from file_version
      where space = ${p.space} and line = ${p.line} and from_seq <= ${p.own} and to_seq > ${p.own}`.compile(db),
}));

/** The files a request adds. */
export const ownFiles = (db: Db, at: Snapshot) => own.all(db, { space: at.space, line: at.line, own: at.own });

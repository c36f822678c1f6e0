import { sql } from 'kysely';
import { query, queryFor } from './query.ts';
import {
  forever,
  isOverlaid,
  type Overlaid,
  paramsOf,
  snapshotRows,
  type Snapshot,
  type SnapshotParams,
} from './snapshots.ts';
import { allRows, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';

/** A file of a revision, without its bytes. */
export interface FileRow {
  file: string;
  name: string;
  content_type: string;
  blob: string;
  size: number;
  width: number | null;
  height: number | null;
}

const columns = sql`v.file, v.name, v.content_type, v.blob, b.size, b.width, b.height`;
const join = sql`join blob b on b.digest = v.blob`;

const list = queryFor<Overlaid, SnapshotParams & PageParams & { file?: string }, FileRow>(({ overlaid }, _, p, has) => {
  const after = has('afterId') ? sql`and (v.name, v.file) > (${p.afterValue}, ${p.afterId})` : sql``;
  const condition = has('file') ? sql`and v.file = ${p.file}` : after;
  const rows = snapshotRows('file_version', overlaid, p, condition, columns, join);
  return sql<FileRow>`select * from (${rows}) as listed order by name, file limit ${p.limit}`;
});

/** Files after a key of name and id, by name. */
export const listFiles = (db: Db, snapshot: Snapshot, after: PageKey | undefined, limit: number) =>
  list(isOverlaid(snapshot)).all(db, { ...paramsOf(snapshot), ...pageParams(after, limit) });

export const allFiles = (db: Db, snapshot: Snapshot) => listFiles(db, snapshot, undefined, allRows);

export const findFile = (db: Db, snapshot: Snapshot, file: string) =>
  list(isOverlaid(snapshot)).first(db, { ...paramsOf(snapshot), file, limit: 1 });

const count = queryFor<Overlaid, SnapshotParams, { count: number }>(
  ({ overlaid }, _, p) => sql<{ count: number }>`select count(*) as count
      from (${snapshotRows('file_version', overlaid, p, sql``, sql`v.file`)}) as listed`,
);

export const countFiles = async (db: Db, snapshot: Snapshot): Promise<number> =>
  (await count(isOverlaid(snapshot)).one(db, paramsOf(snapshot))).count;

interface Download {
  name: string;
  content_type: string;
  bytes: Uint8Array;
}

const download = query<{ file: string }, Download>((db, p) =>
  db
    .selectFrom('file_version as f')
    .innerJoin('blob as b', 'b.digest', 'f.blob')
    .innerJoin('space as s', 's.id', 'f.space')
    .select(['f.name', 'f.content_type', 'b.bytes'])
    .where('f.file', '=', p.file)
    .where('s.deleted_at', 'is', null)
    .limit(1),
);

/** The bytes of a file of any space that is not deleted. The file of an ID never changes. */
export const findDownload = (db: Db, file: string) => download.first(db, { file });

export interface NewBlob {
  digest: string;
  bytes: Uint8Array;
  width: number | null;
  height: number | null;
}

const insert = query<NewBlob & { size: number }>((db, p) =>
  db
    .insertInto('blob')
    .values({
      digest: p.digest,
      bytes: p.bytes,
      size: p.size,
      width: p.width,
      height: p.height,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores bytes once, even if many files have them. */
export async function insertBlob(db: Db, blob: NewBlob): Promise<void> {
  await insert.run(db, { ...blob, size: blob.bytes.byteLength });
}

/** A file that a revision adds. */
export interface FileWrite {
  file: string;
  name: string;
  contentType: string;
  blob: string;
}

const insertVersion = query<FileWrite & { space: string; branch: string; seq: number }>((db, p) =>
  db.insertInto('file_version').values({
    space: p.space,
    line: p.branch,
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
  { space, branch, seq }: { space: string; branch: string; seq: number },
  files: FileWrite[],
) {
  for (const file of files) await insertVersion.run(db, { ...file, space, branch, seq });
}

const byChangeRequest = query<{ space: string; branch: string; branchSeq: number }, FileWrite>(
  (_, p) =>
    sql<FileWrite>`select file, name, content_type as "contentType", blob from file_version
      where space = ${p.space} and line = ${p.branch} and from_seq <= ${p.branchSeq} and to_seq > ${p.branchSeq}`,
);

/** The files a change request adds. */
export const ownFiles = (db: Db, { space, branch, branchSeq }: Snapshot) =>
  byChangeRequest.all(db, { space, branch, branchSeq });

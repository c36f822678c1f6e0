import { isObject } from '../../shared/is-object.ts';
import { isText } from './base.ts';

/** A push, and the commit that was checked out. */
export interface PushEntry {
  /** Random, because concurrent pushes can have the same serial. */
  id: string;
  /** The number of the layout that the push wrote. */
  serial: number;
  /** The revision of the space before the record was written. */
  revision: string;
  /** Of the texts of the folder. */
  tree: string;
  /** Undefined outside of Git. */
  commit?: PushedCommit | undefined;
}

export interface PushedCommit {
  id: string;
  parents: string[];
  /** Seconds since 1970. */
  committedAt: number;
  branch?: string | undefined;
  remote?: string | undefined;
  /** Of the folder in the repository. */
  path: string;
  /** Whether the folder had changes that are not in the commit. */
  isDirty?: boolean | undefined;
  /** The paths of the files that were not as in the commit, and of the pages that refer to them, unless there were many. */
  uncommitted?: string[] | undefined;
}

/** A space keeps this many pushes. */
export const maxPushes = 200;

/** Reads the log in a layout. It is not trusted, because everyone with write access to the space can change it. */
export function readPushLog(value: unknown): PushEntry[] {
  return Array.isArray(value) ? value.slice(-maxPushes).flatMap((entry: unknown) => readEntry(entry) ?? []) : [];
}

function readEntry(value: unknown): PushEntry | undefined {
  if (!isObject(value)) return undefined;
  const { id, serial, revision, tree, commit } = value;
  if (typeof id !== 'string' || typeof serial !== 'number' || typeof revision !== 'string') return undefined;
  return { id, serial, revision, tree: typeof tree === 'string' ? tree : '', commit: readCommit(commit) };
}

/** The commit in a record, which is not trusted either. */
export function readCommit(value: unknown): PushedCommit | undefined {
  if (!isObject(value)) return undefined;
  const { id, parents, committedAt, branch, remote, path, isDirty, uncommitted } = value;
  if (!isCommitId(id) || typeof committedAt !== 'number') return undefined;
  return {
    id,
    parents: Array.isArray(parents) ? parents.filter(isCommitId) : [],
    committedAt,
    path: typeof path === 'string' ? path : '',
    ...(typeof branch === 'string' && { branch }),
    ...(typeof remote === 'string' && { remote }),
    ...(isDirty === true && { isDirty }),
    ...(Array.isArray(uncommitted) && { uncommitted: uncommitted.filter(isText) }),
  };
}

// git would read a text with a leading dash as an option.
const isCommitId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value);

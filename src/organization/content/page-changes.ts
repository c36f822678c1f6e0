import { createHash } from 'node:crypto';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import type { Layout } from '../../content/folder/layout.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import type { Operation, Plan } from '../../sync/plan.ts';
import { derivedPath } from '../../sync/page-files.ts';
import type { Remote } from '../../sync/read-remote.ts';
import type { PageChange } from '../plan/change.ts';

interface PageChangesInput {
  plan: Plan;
  local: LocalFolder;
  remote: Remote;
  /** The current files of pages whose text changes, by ID. */
  files: ReadonlyMap<string, string>;
}

export interface OperationChange {
  operation: Operation;
  page: PageChange;
  /** The old and new text of a page that is added or changed. */
  texts?: { before: string; after: string } | undefined;
}

/** The changes of each page and file, removals last. A page that is moved and changed is listed twice. */
export async function pageChanges(input: PageChangesInput): Promise<OperationChange[]> {
  const changes: OperationChange[] = [];
  const paths = filesById(input);
  for (const operation of input.plan.operations) {
    if (operation.kind === 'upload' && isOwnFile(operation.name)) continue;
    const texts = textsOf(operation, paths, input);
    changes.push({ operation, page: await pageChange(operation, { paths, texts, ...input }), texts });
  }
  return changes;
}

function textsOf(
  operation: Operation,
  paths: ReadonlyMap<string, string>,
  { local, files }: PageChangesInput,
): OperationChange['texts'] {
  if (operation.kind === 'add') {
    const { key, path } = operation;
    const own = local.pages.find((page) => page.key === key || page.path === path);
    return { before: '', after: own?.text ?? '' };
  }
  if (operation.kind !== 'change' || operation.text === undefined) return undefined;
  const file = paths.get(operation.id);
  const own = local.pages.find((page) => page.file !== null && page.file === file);
  return { before: files.get(operation.id) ?? '', after: own?.text ?? '' };
}

interface PageInput extends PageChangesInput {
  paths: ReadonlyMap<string, string>;
  texts: OperationChange['texts'];
}

async function pageChange(operation: Operation, { plan, local, remote, paths, texts }: PageInput): Promise<PageChange> {
  switch (operation.kind) {
    case 'upload':
      return { action: 'create', path: operation.name, isFile: true };
    case 'add': {
      const { key, path, fields } = operation;
      // The key of a page that is created again is its old ID.
      const file = local.pages.find((page) => page.key === key || page.path === path)?.file;
      return { action: 'create', path: file ?? path, title: fields.title };
    }
    case 'move': {
      const { id, path, from } = operation;
      return { action: 'move', path: paths.get(id) ?? path, ...(from !== path && { from, to: path }) };
    }
    case 'change': {
      const { id, path } = operation;
      const lines = texts && (await lineCounts(texts.before, texts.after));
      const hasLines = lines !== undefined && lines.added + lines.removed > 0;
      // Only the target of a link may change.
      const fields = [...Object.keys(operation.fields), ...(lines && !hasLines ? ['links'] : [])];
      return {
        action: 'update',
        path: paths.get(id) ?? path,
        ...(hasLines && { lines }),
        ...(fields.length > 0 && { fields }),
      };
    }
    case 'delete': {
      const subpages = pagesBelow(remote, plan, operation.id);
      return {
        action: 'delete',
        path: operation.path,
        title: operation.title,
        ...(subpages > 0 && { subpages }),
      };
    }
  }
}

/** The files of the pages of the space, by ID. */
function filesById({ plan, local }: PageChangesInput): Map<string, string> {
  const byPath = new Map(local.pages.map(({ path, file }) => [path, file]));
  return new Map(
    plan.record.pages.flatMap(({ entry }) => {
      const file = byPath.get(entry.path ?? '');
      return file == null ? [] : [[entry.id, file] as const];
    }),
  );
}

async function lineCounts(before: string, after: string): Promise<{ added: number; removed: number }> {
  const lines = await unifiedDiff(before, after);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}

/** How many subpages are removed with a page. Those that are moved away first are not. */
function pagesBelow({ pages }: Remote, { operations }: Plan, id: string): number {
  const moved = new Set(operations.flatMap((operation) => (operation.kind === 'move' ? operation.id : [])));
  const below = new Set([id]);
  // Parents come before their subpages.
  for (const page of pages)
    if (page.parent !== null && below.has(page.parent) && !moved.has(page.id)) below.add(page.id);
  return below.size - 1;
}

/** Titles of pages of the space that are not in the folder and are kept. */
export function keptPages({ plan, local, remote }: Omit<PageChangesInput, 'files'>): string[] {
  const inFolder = new Set(plan.record.pages.map(({ entry }) => entry.id));
  const removed = new Set(plan.operations.flatMap((operation) => (operation.kind === 'delete' ? operation.id : [])));
  return remote.pages.flatMap(({ id, type, title, parent }) => {
    if (parent !== null && removed.has(parent)) removed.add(id);
    const cannotHave = type === 'computed' || (type === 'link' && local.summary === null);
    return cannotHave || inFolder.has(id) || removed.has(id) ? [] : [title];
  });
}

/**
 * Names and paths of files of the space that were removed from the folder. None if the space keeps pages that are not in the
 * folder, because these may use the files.
 */
export function removedFiles(
  { plan, local, remote }: Omit<PageChangesInput, 'files'>,
  layout: Layout,
  isRemoved: (path: string) => boolean,
): Map<string, string> {
  if (keptPages({ plan, local, remote }).length > 0) return new Map();
  return new Map(
    remote.files.flatMap(({ name }): [string, string][] => {
      const path = layout.files.get(name) ?? derivedPath(name);
      return isOwnFile(name) || path === undefined || layout.old.has(name) || !isRemoved(path) ? [] : [[name, path]];
    }),
  );
}

/** A key that identifies an operation, with the hash of its bytes. */
export function operationKey(operation: Operation): string {
  const bytes = operation.kind === 'upload' && createHash('sha256').update(operation.bytes).digest('hex');
  return JSON.stringify(bytes === false ? operation : { ...operation, bytes });
}

/** A hash of everything that the operations send. */
export const operationsHash = (operations: readonly Operation[]): string =>
  createHash('sha256').update(operations.map(operationKey).join('\n')).digest('hex');

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolFolders } from '../../content/folder/file-names.ts';
import { hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import { eachOf } from '../../shared/each-of.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { resolveInside } from '../../shared/project-root.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { visible } from '../../shared/visible.ts';
import { type FolderTexts, readLocal, type ReadLocalOptions, refuseMergeConflicts } from '../../sync/local-folder.ts';
import { PushWarnings } from '../../sync/push-warnings.ts';
import { readTexts, withAllTexts } from '../../sync/read-remote.ts';
import { itemsOf, nextBatch } from '../../sync/calls.ts';
import { pendingRecord } from '../../sync/send.ts';
import { type ContentMatch, type Lock, wasEmpty } from '../lock.ts';
import { contentPath } from '../parts.ts';
import type { Change, ContentStep, OrganizationPlan, PageChange, Unnamed } from '../plan/change.ts';
import type { OrganizationPort } from '../port.ts';
import type { Space } from '../service/read-service.ts';
import { compareContent, type Comparison, type ContentFolder } from './compare-content.ts';
import { keptPages, operationKey, operationsHash, pageChanges } from './page-changes.ts';
import { unmergedOnce } from './unmerged-once.ts';

interface ContentRun {
  port: OrganizationPort;
  /** The folder of the organization, and its name for messages. */
  path: string;
  folder: string;
  lock: Lock;
  texts: FolderTexts;
  /** Whether pages that the folder never had are removed. */
  prune: boolean;
  /** Whether changes made in the space are kept. */
  keepDrift: boolean;
}

/** What a plan does to the content of a space. */
export interface PlannedContent {
  change: Change;
  step: Omit<ContentStep, 'changes'>;
  push: ContentFolder;
  comparison: Comparison;
  /** The old and new texts of pages that are added or changed. */
  pageTexts: ReadonlyMap<PageChange, { before: string; after: string }>;
}

interface ComparedContent {
  /** Undefined if there is nothing to do. */
  planned: PlannedContent | undefined;
  /** Titles of pages that are not in the folder and are kept. */
  kept: string[];
  /** How many changes made in the space are kept. */
  left: number;
  /** Set if the folder matches the space. */
  match?: ContentMatch;
  /** How the matching revision can be the base of the next comparison; undefined if it cannot, or is already. */
  base?: 'exported' | 'applied' | undefined;
}

/** Compares a content folder with its space. @param space undefined if the plan creates it */
async function planContent(
  run: ContentRun & Pick<ReadLocalOptions, 'unmergedIn'>,
  name: string,
  space: Space | undefined,
): Promise<ComparedContent> {
  const { lock, path, folder, texts, port, prune } = run;
  const docs = { name: join(folder, contentPath(name)), path: join(path, ...contentPath(name).split('/')) };
  const mustExist = !wasEmpty(lock, name) || existsSync(docs.path);
  const hashes = mustExist ? await hashesIn(path, name) : new Map<string, string>();
  const isLocked = isAsLocked(lock, name, hashes);
  const isRemoved = (file: string) => !hashes.has(file) && lock.files.has(`${contentPath(name)}/${file}`);
  const known = space && knownMatch(lock, name, { space, hashes, isLocked, prune });
  const hasBase = known && [lock.revisions.get(name), lock.applied.get(name)].includes(known.revision);
  if (known && (hasBase || known.kept.length === 0))
    return { planned: undefined, kept: known.kept, left: 0, match: known, base: hasBase ? undefined : 'exported' };
  const local = await contentOf(texts, docs, { mustExist, unmergedIn: run.unmergedIn });
  const warnings = new PushWarnings(docs, local.root, port);
  await warnings.show(local.problems);
  if (local.pages.length === 0) await port.note(`${docs.name} is empty, so the space should have no pages.`);
  const push: ContentFolder = { texts, docs, local, warnings };
  const comparison = await compareContent({ ...run, name, space, push, isRemoved });
  const { plan, left } = comparison;
  await warnings.show([...push.local.problems, ...plan.notes]);
  const kept = keptPages({ plan, local: push.local, remote: comparison.remote });
  const { pages, pageTexts } = await changedPages(run, space, push, comparison);
  if (pages.length === 0 && comparison.conflicts.length === 0 && space && !isLocked)
    pages.push(...(await rewrittenFiles(run, space, push, comparison)));
  if (pages.length === 0 && comparison.conflicts.length === 0) {
    const isMatch = space && left === 0 && warnings.count === 0;
    const match = isMatch && (await matchOf(path, name, { space, hashes, kept }));
    return {
      planned: undefined,
      kept,
      left,
      ...(match && { match, base: baseOfMatch(lock, name, match, plan.record) }),
    };
  }
  const change: Change = {
    kind: 'content',
    name,
    action: 'update',
    fields: [],
    file: contentPath(name),
    pages,
    pageCount: comparison.remote.pages.length,
    ...(pages.every(({ isDrift }) => isDrift) && { isDrift: true }),
  };
  const step = {
    content: name,
    space: space?.id ?? `{space/${name}}`,
    ...(space && { revision: space.revision }),
    sends: operationsHash(plan.operations),
    files: sentHashes(name, push.local, hashes),
    requests: requestsFor(comparison),
  };
  return { planned: { change, step, push, comparison, pageTexts }, kept, left };
}

export interface PlannedContents {
  contents: PlannedContent[];
  unnamed: Unnamed[];
  /** How many changes made in the spaces are kept. */
  left: number;
  /** By name of the space. */
  matches: Map<string, ContentMatch>;
  /** The bases that matches replace, by name of the space. */
  bases: Map<string, 'exported' | 'applied'>;
}

/** Plans the changes of contents. @param spaces by name; undefined if the plan creates them */
export async function planContents(
  run: ContentRun,
  spaces: ReadonlyMap<string, Space | undefined>,
): Promise<PlannedContents> {
  const contents: PlannedContent[] = [];
  const unnamed: Unnamed[] = [];
  const matches: PlannedContents['matches'] = new Map();
  const bases: PlannedContents['bases'] = new Map();
  let left = 0;
  const asking = { ...run, unmergedIn: unmergedOnce(run) };
  for (const [name, space] of spaces) {
    run.port.signal.throwIfAborted();
    const compared = await planContent(asking, name, space);
    if (compared.planned) contents.push(compared.planned);
    if (compared.match) matches.set(name, compared.match);
    if (compared.base) bases.set(name, compared.base);
    for (const title of compared.kept)
      unnamed.push({ kind: 'page', name: `${name}: ${title}`, file: contentPath(name) });
    left += compared.left;
  }
  return { contents, unnamed, left, matches, bases };
}

/** Adds the changes of contents to a plan. */
export function addContents(plan: OrganizationPlan, { contents, unnamed }: PlannedContents): void {
  for (const { change, step } of contents) {
    const index = plan.changes.push(change) - 1;
    plan.contents.push({ ...step, changes: [index] });
  }
  plan.unnamed.push(...unnamed);
}

/** @throws EngineError with the pages that were changed both in the folder and in the service */
export function refuseConflicts(
  { contents, folder }: { contents: readonly PlannedContent[]; folder: string },
  outcome: string,
): void {
  const details = contents.flatMap(({ push, comparison }) =>
    comparison.conflicts.map(({ file, path, title }) => ({
      path: join(push.docs.name, push.local.root, file ?? path),
      message: `"${title}" was changed both in the folder and in the service`,
    })),
  );
  if (details.length === 0) return;
  const pages = details.length === 1 ? '1 page was' : `${details.length} pages were`;
  const text = [
    `${pages} changed both in the folder and in the service since the last export or apply; ${outcome}`,
    ...details.map(({ path, message }) => `  ${visible(path)}: ${visible(message)}`),
  ].join('\n');
  throw new EngineError('refused', text, {
    hint: hintFor(
      contents.find(({ comparison }) => comparison.conflicts.length > 0),
      folder,
    ),
    report: { text, members: { details } },
  });
}

function hintFor(content: PlannedContent | undefined, folder: string): string {
  const { push, step } = content ?? {};
  const take = ['docsctl', 'export', folder, '--only', `content/${step?.content}`, '--overwrite'];
  const send = ['docsctl', 'content', 'push', push?.docs.name ?? '', '--space', step?.space ?? ''];
  return `"${shellCommand(take)}" keeps the pages of the service, and "${shellCommand([...send, '--overwrite', '--merge'])}" those of the folder. "docsctl apply --keep-drift" merges both, and keeps the lines of the service if both changed the same lines.`;
}

/** For creating, opening and merging a change request, and for the base of the next comparison. */
const requestsAround = 4;

function requestsFor(comparison: Comparison): number {
  const { operations } = comparison.plan;
  const { items } = itemsOf([...pendingRecord(comparison), ...operations]);
  let batches = 0;
  for (; items.length > 0; batches += 1) nextBatch(items);
  return requestsAround + batches;
}

/** The changes of pages and files, with the number of changed lines. */
async function changedPages(
  run: ContentRun,
  space: Space | undefined,
  push: ContentFolder,
  comparison: Comparison,
): Promise<{ pages: PageChange[]; pageTexts: PlannedContent['pageTexts'] }> {
  const { plan, remote, drift, contested } = comparison;
  const files = space ? await filesBefore(run, space, push, comparison) : new Map<string, string>();
  const changes = await pageChanges({ plan, local: push.local, remote, files });
  const removed = comparison.removed.map((path): PageChange => ({ action: 'delete', path, isFile: true }));
  const pageTexts = new Map<PageChange, { before: string; after: string }>();
  const pages = changes.map(({ operation, page, texts }): PageChange => {
    const id = 'id' in operation ? operation.id : operation.kind === 'add' ? operation.key : '';
    const change = {
      ...page,
      ...(drift.has(operationKey(operation)) && { isDrift: true }),
      ...(contested.has(id) && { isConflict: true }),
    };
    if (texts) pageTexts.set(change, texts);
    return change;
  });
  return { pages: [...pages, ...removed], pageTexts };
}

/** The current files of changed pages by ID, as an export would write them. Like the folder, they link to files. */
async function filesBefore(
  { port, texts }: ContentRun,
  space: Space,
  { local, docs }: ContentFolder,
  { plan, remote, read }: Comparison,
): Promise<Map<string, string>> {
  const changed = new Set(
    plan.operations.flatMap((each) => (each.kind === 'change' && each.text !== undefined ? [each.id] : [])),
  );
  if (changed.size === 0) return new Map();
  const unread = remote.pages.flatMap(({ id, document }) =>
    changed.has(id) && document !== undefined && !read.remote.has(id) ? [id] : [],
  );
  const more = await readTexts(port, { spaceId: space.id, revisionId: space.revision }, unread);
  const pages = remote.pages.map((page) => ({
    ...page,
    text: changed.has(page.id) ? (read.remote.get(page.id) ?? more.get(page.id) ?? '') : null,
  }));
  const { pages: files, ids } = await texts.run(
    'writeFolder',
    { remote: { ...remote, pages }, local },
    { folder: docs.name, texts: pages.map(({ text }) => text) },
  );
  return new Map(
    [...ids].flatMap(([file, id]) =>
      changed.has(id) ? [[id, Buffer.from(files.get(file) ?? '').toString()] as const] : [],
    ),
  );
}

/** Files with the same content as the space in another form, such as SUMMARY.md. An export would rewrite them. */
async function rewrittenFiles(
  { port, texts }: ContentRun,
  space: Space,
  { local, docs }: ContentFolder,
  { plan, remote, revision }: Comparison,
): Promise<PageChange[]> {
  if (!plan.record.isNew || !revision) return [];
  const whole = await withAllTexts(port, space.id, { revision, remote });
  const written = await texts.run(
    'writeFolder',
    { remote: whole },
    { folder: docs.name, texts: whole.pages.map(({ text }) => text) },
  );
  const expected = new Map([...written.pages].map(([file, bytes]) => [file, Buffer.from(bytes).toString()]));
  if (written.summary) expected.set(written.summary.path, written.summary.text);
  const present = new Map(
    local.pages.flatMap(({ file, text }) => (file === null ? [] : [[file, text ?? ''] as const])),
  );
  if (local.summary !== null) present.set(local.summaryPath, local.summary);
  const own = [...present].flatMap(([file, text]) => (expected.get(file) === text ? [] : [file]));
  const assets = local.files.flatMap(({ path }) => (written.files.has(path) || present.has(path) ? [] : [path]));
  return [...own, ...assets].map((path): PageChange => ({ action: 'update', path, fields: ['its form'] }));
}

/** Hashes of all files in the content folder of a space by path. @throws EngineError if one cannot be read */
export async function hashesIn(folder: string, space: string): Promise<Map<string, string>> {
  const top = contentPath(space);
  if (resolveInside(folder, top) === undefined)
    throw new EngineError('usage', `${top} is a symbolic link to a place outside the folder.`);
  const files: string[] = [];
  const walk = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, top, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !toolFolders.has(entry.name)) await walk(name);
      else if (entry.isFile()) files.push(name);
    }
  };
  const hashes = new Map<string, string>();
  const hash = async (name: string) =>
    void hashes.set(name, hashOf(await readFile(join(folder, top, ...name.split('/')))));
  await readable(join(folder, top), async () => {
    await walk('');
    await eachOf(files, hash, maxReaders);
  });
  return hashes;
}

const maxReaders = 16;

/** The pages and files in the content folder of a space. @throws EngineError if one cannot be read */
async function contentOf(
  texts: FolderTexts,
  docs: { name: string; path: string },
  options: ReadLocalOptions,
): Promise<LocalFolder> {
  const local = await readable(docs.path, () => readLocal(texts, docs, options));
  refuseMergeConflicts(docs, local);
  return local;
}

// An unreadable file must never count as removed.
async function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const place = 'path' in error && typeof error.path === 'string' ? error.path : path;
    throw new EngineError('failed', `${place} cannot be read: ${fileReason(error)}. Nothing was sent.`);
  }
}

/** The files of the lock file in a content folder. */
function lockedFiles({ files }: Lock, space: string): [path: string, hash: string][] {
  const under = `${contentPath(space)}/`;
  return [...files].flatMap(([path, hash]) => (path.startsWith(under) ? [[path.slice(under.length), hash]] : []));
}

/** Whether a content folder has exactly the files of the lock file. */
function isAsLocked(lock: Lock, space: string, hashes: ReadonlyMap<string, string>): boolean {
  const locked = lockedFiles(lock, space);
  return locked.length === hashes.size && locked.every(([path, hash]) => hashes.get(path) === hash);
}

interface MatchInput {
  space: Space;
  hashes: ReadonlyMap<string, string>;
}

/** The match of a content folder with its space, if it need not be compared. */
function knownMatch(
  lock: Lock,
  name: string,
  { space: { revision }, hashes, isLocked, prune }: MatchInput & { isLocked: boolean; prune: boolean },
): ContentMatch | undefined {
  // Nothing can differ if the folder is an unchanged export of this revision.
  if (isLocked && lock.revisions.get(name) === revision) return { revision, files: hashOfAll(hashes), kept: [] };
  const match = lock.matches.get(name);
  if (match?.revision !== revision || match.files !== hashOfAll(hashes) || prune || hashes.size === 0) return undefined;
  // A file that only this lock file has may have to be removed from the space.
  return lockedFiles(lock, name).every(([path]) => hashes.has(path)) ? match : undefined;
}

/**
 * A revision that the folder matches is a newer base than an earlier one: an apply was killed after its merge, or both sides
 * made the same change. Pages that are only in the space must not be part of it.
 */
function baseOfMatch(
  { revisions, applied }: Lock,
  name: string,
  { revision, kept }: ContentMatch,
  { isNew }: Comparison['plan']['record'],
): ComparedContent['base'] {
  if ([revisions.get(name), applied.get(name)].includes(revision)) return undefined;
  if (!isNew) return 'applied';
  return kept.length === 0 ? 'exported' : undefined;
}

/** The match of a content folder without differences; undefined if it was changed meanwhile, or too many pages are kept. */
async function matchOf(
  folder: string,
  name: string,
  { space: { revision }, hashes, kept }: MatchInput & { kept: string[] },
): Promise<ContentMatch | undefined> {
  const files = hashOfAll(hashes);
  if (hashes.size === 0 || JSON.stringify(kept).length > maxKeptLength) return undefined;
  return files === hashOfAll(await hashesIn(folder, name)) ? { revision, files, kept } : undefined;
}

/** The shared state has the titles of a thousand spaces on one page. */
const maxKeptLength = 500;

export const hashOfAll = (hashes: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([...hashes].toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .digest('base64url');

/** The hashes of the files that a push sends, by path from the folder of the organization. */
function sentHashes(space: string, local: LocalFolder, hashes: ReadonlyMap<string, string>): Record<string, string> {
  const sent = [
    ...local.pages.flatMap(({ file }) => file ?? []),
    ...local.files.map(({ path }) => path),
    ...(local.summary === null ? [] : [local.summaryPath]),
  ];
  const entries = sent.flatMap((file) => {
    const path = local.root === '' ? file : `${local.root}/${file}`;
    const hash = hashes.get(path);
    return hash === undefined ? [] : [[`${contentPath(space)}/${path}`, hash] as const];
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

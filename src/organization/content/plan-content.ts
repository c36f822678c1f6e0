import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { visible } from '../../shared/visible.ts';
import { type Lock, wasEmpty } from '../lock.ts';
import { contentPath } from '../organization.ts';
import type { Change, ContentStep, PageChange } from '../plan/change.ts';
import type { Unnamed } from '../plan/draft.ts';
import type { OrganizationPlan } from '../plan/plan.ts';
import type { OrganizationPort } from '../port.ts';
import type { Space } from '../service/read-service.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { itemsOf, nextBatch } from '../../sync/send.ts';
import { pendingRecord, PushWarnings } from '../../sync/push.ts';
import { readTexts, withAllTexts } from '../../sync/read-remote.ts';
import { compareContent, type Comparison, type ContentFolder } from './compare-content.ts';
import { contentOf, hashesIn, isAsLocked, sentHashes } from './content-folder.ts';
import { keptPages, operationKey, operationsHash, pageChanges } from './page-changes.ts';

interface ContentRun {
  port: OrganizationPort;
  /** The folder of the organization, and how it was named. */
  path: string;
  folder: string;
  lock: Lock;
  texts: FolderTexts;
  /** Pages that the folder never had are removed. */
  prune: boolean;
  /** What somebody changed in the space stays. */
  keepDrift: boolean;
}

/** What a plan does to the content of a space. */
export interface PlannedContent {
  change: Change;
  step: Omit<ContentStep, 'changes'>;
  push: ContentFolder;
  comparison: Comparison;
}

interface ComparedContent {
  /** Undefined where there is nothing to do. */
  planned: PlannedContent | undefined;
  /** Titles of pages that the folder does not have, and that stay. */
  kept: string[];
  /** How many changes of the service stay because of --keep-drift. */
  left: number;
}

/** Compares a content folder with its space. @param space undefined for one that the plan makes */
async function planContent(run: ContentRun, name: string, space: Space | undefined): Promise<ComparedContent> {
  const { lock, path, folder, texts, port } = run;
  const docs = { name: join(folder, contentPath(name)), path: join(path, ...contentPath(name).split('/')) };
  const mustExist = !wasEmpty(lock, name) || existsSync(docs.path);
  const hashes = mustExist ? await hashesIn(path, name) : new Map<string, string>();
  const isLocked = isAsLocked(lock, name, hashes);
  // Where all of this revision was exported, nothing can differ.
  if (space && isLocked && lock.revisions.get(name) === space.revision)
    return { planned: undefined, kept: [], left: 0 };
  const local = await contentOf(texts, docs, { mustExist });
  const warnings = new PushWarnings(docs, local.root, port);
  await warnings.show(local.problems);
  if (local.pages.length === 0) await port.note(`${docs.name} is empty, which means that the space has no pages.`);
  const push: ContentFolder = { texts, docs, local, warnings };
  const isRemoved = (file: string) => !hashes.has(file) && lock.files.has(`${contentPath(name)}/${file}`);
  const comparison = await compareContent({ ...run, name, space, push, isRemoved });
  const { plan, left } = comparison;
  await warnings.show([...push.local.problems, ...plan.notes]);
  const kept = keptPages({ plan, local: push.local, remote: comparison.remote });
  const pages = await changedPages(run, space, push, comparison);
  if (pages.length === 0 && comparison.conflicts.length === 0 && space && !isLocked)
    pages.push(...(await rewrittenFiles(run, space, push, comparison)));
  if (pages.length === 0 && comparison.conflicts.length === 0) return { planned: undefined, kept, left };
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
  return { planned: { change, step, push, comparison }, kept, left };
}

/** What a plan does to the contents of spaces, by their names. @param spaces undefined for those that the plan makes */
export async function planContents(
  run: ContentRun,
  spaces: ReadonlyMap<string, Space | undefined>,
): Promise<{ contents: PlannedContent[]; unnamed: Unnamed[]; left: number }> {
  const contents: PlannedContent[] = [];
  const unnamed: Unnamed[] = [];
  let left = 0;
  for (const [name, space] of spaces) {
    run.port.signal.throwIfAborted();
    const compared = await planContent(run, name, space);
    if (compared.planned) contents.push(compared.planned);
    for (const title of compared.kept)
      unnamed.push({ kind: 'page', name: `${name}: ${title}`, file: contentPath(name) });
    left += compared.left;
  }
  return { contents, unnamed, left };
}

/** Adds changes of contents to a plan. */
export function addContents(plan: OrganizationPlan, { contents, unnamed }: AddedContents): void {
  for (const { change, step } of contents) {
    const index = plan.changes.push(change) - 1;
    plan.contents.push({ ...step, changes: [index] });
  }
  plan.unnamed.push(...unnamed);
}

type AddedContents = Pick<Awaited<ReturnType<typeof planContents>>, 'contents' | 'unnamed'>;

interface Conflicting {
  contents: readonly PlannedContent[];
  /** The folder of the organization. */
  folder: string;
}

/** @throws EngineError with the pages that were changed in the folder and in the service */
export function refuseConflicts({ contents, folder }: Conflicting, outcome: string): void {
  const details = contents.flatMap(({ push, comparison }) =>
    comparison.conflicts.map(({ file, path, title }) => ({
      path: join(push.docs.name, push.local.root, file ?? path),
      message: `"${title}" was changed in the folder and in the service`,
    })),
  );
  if (details.length === 0) return;
  const pages = details.length === 1 ? '1 page was' : `${details.length} pages were`;
  const text = [
    `${pages} changed in the folder and in the service since the last export or apply; ${outcome}`,
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
  return `"${shellCommand(take)}" keeps the pages of the service, and "${shellCommand([...send, '--overwrite', '--merge'])}" those of the folder. "docsctl apply --keep-drift" merges both, and keeps the lines of the service where both changed the same.`;
}

/** A change request is made, opened and merged; the base of the next comparison is written into it. */
const requestsAround = 4;

function requestsFor(comparison: Comparison): number {
  const { operations } = comparison.plan;
  const { items } = itemsOf([...pendingRecord(comparison), ...operations]);
  let batches = 0;
  for (; items.length > 0; batches += 1) nextBatch(items);
  return requestsAround + batches;
}

/** The changes of pages and files, with the number of lines of those whose text changes. */
async function changedPages(
  run: ContentRun,
  space: Space | undefined,
  push: ContentFolder,
  comparison: Comparison,
): Promise<PageChange[]> {
  const { plan, remote, drift, contested } = comparison;
  const files = space ? await filesBefore(run, space, push, comparison) : new Map<string, string>();
  const changes = await pageChanges({ plan, local: push.local, remote, files });
  const removed = comparison.removed.map((path): PageChange => ({ action: 'delete', path, isFile: true }));
  const pages = changes.map(({ operation, page }): PageChange => {
    const id = 'id' in operation ? operation.id : operation.kind === 'add' ? operation.key : '';
    return {
      ...page,
      ...(drift.has(operationKey(operation)) && { isDrift: true }),
      ...(contested.has(id) && { isConflict: true }),
    };
  });
  return [...pages, ...removed];
}

/** The pages whose texts change, as an export would write them now, by id: links between pages are those of files. */
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

/** Files that say the same as the space in another form, such as SUMMARY.md: an export would write them otherwise. */
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

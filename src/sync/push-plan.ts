import { join } from 'node:path';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../cli/program/failure.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import { isOwnFile } from '../content/folder/own-files.ts';
import type { Operation, Plan } from './plan.ts';
import type { Compared } from './three-way/sides.ts';
import type { Remote } from './remote.ts';
import type { Base } from '../content/folder/base.ts';
import type { Docs } from './local-folder.ts';
import { markFor, readWhole } from './pull-base.ts';
import type { FolderTexts } from './folder-texts.ts';
import type { Found, PushInvocation, Request } from './push-request.ts';
import type { PushWarnings } from './push-warnings.ts';
import { readAncestors, readContent, type ReadContent, readTexts } from './read-remote.ts';
import { syncConflictsError } from './conflicts.ts';

/** A folder, and where it is pushed to. */
export interface Push extends Found {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  spaceId: string;
  warnings: PushWarnings;
}

export interface Planned {
  plan: Plan;
  compared: Compared;
  /** What it was planned for. */
  content: Pick<ReadContent, 'revision' | 'remote'>;
}

/** What is to be done in a request, or in main content where there is none yet. */
export async function planFor(
  invocation: PushInvocation,
  { texts, docs, local, spaceId }: Push,
  request: Request | undefined,
): Promise<Planned> {
  const { flags } = invocation;
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(invocation, { spaceId, revisionId: request?.revision }, sizes);
  await content.close();
  const { remote, revision } = content;
  const folder = join(docs.name, local.root);
  const localTexts = local.pages.map(({ text }) => text);
  const pulled = await pulledBase(invocation, { texts, docs, local, spaceId, existing: request }, remote);
  const compared = await texts.run('compare', { local, remote, pulled }, { folder, texts: localTexts });
  const read = {
    remote: await readTexts(invocation, { spaceId, revisionId: revision.id }, compared.unread),
    base: await readAncestors(invocation, spaceId, compared.ancestors),
  };
  const plan = await texts.run(
    'plan',
    { local, remote, compared, read, options: flags },
    { folder, texts: [...localTexts, ...read.remote.values()] },
  );
  return { plan, compared, content };
}

/** The base of a folder that was pulled from this place since the last push to it. */
async function pulledBase(
  invocation: PushInvocation,
  { texts, docs, local, spaceId, existing }: Omit<Push, 'warnings'>,
  remote: Remote,
): Promise<Base | undefined> {
  const target = join(docs.path, local.root);
  const mark = await markFor({ target, spaceId, changeRequest: existing?.id, remote });
  const marked = mark && (await readWhole(invocation, { spaceId, revisionId: mark.revision }, remote));
  if (!marked) return undefined;
  const input = { remote: marked.remote, revision: marked.revision.id, local };
  const all = [...local.pages, ...marked.remote.pages].map(({ text }) => text);
  return texts.run('pulledBase', input, { folder: join(docs.name, local.root), texts: all });
}

/**
 * Refuses a plan that would undo the work of others.
 *
 * @throws UsageError for a folder that was never pushed to this space, CommandError with the conflicts
 */
export async function refuseLosses(
  { flags }: PushInvocation,
  { docs, spaceId }: Push,
  { isFirst, conflicts }: Plan,
  wasSent: boolean,
): Promise<void> {
  if (isFirst && !flags.adopt && !flags.overwrite && !wasSent) {
    throw new UsageError(
      `${docs.name} was never pushed to space ${spaceId}, which has pages that the folder does not have in the same way; nothing was sent.`,
      'Pass --adopt to compare them and keep the pages of both, or --overwrite to give the pages that both have the state of the folder. --dry-run shows what would be done.',
    );
  }
  if (conflicts.length === 0) return;
  throw await syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: wasSent ? 'the rest was not sent.' : 'nothing was sent.',
    hint: 'Change the folder so that both agree, or resolve all conflicts with --prefer app, --prefer folder, or --overwrite to overwrite every page.',
  });
}

/** The rows of a plan, deletions first. What docsctl keeps for itself is not shown. */
export function rowsOf(operations: readonly Operation[]) {
  const rows = operations.flatMap((operation) => {
    const isOwn = operation.kind === 'upload' && isOwnFile(operation.name);
    return isOwn ? [] : [rowOf(operation)];
  });
  const isDeletion = ({ action }: { action: string }) => action === 'delete';
  return [...rows.filter(isDeletion), ...rows.filter((row) => !isDeletion(row))];
}

function rowOf(operation: Operation) {
  switch (operation.kind) {
    case 'upload':
      return { action: 'upload', path: operation.name, size: operation.bytes.length };
    case 'add':
      return { action: 'add', path: operation.path, title: operation.fields.title };
    case 'move':
      return { action: 'move', path: operation.path, from: operation.from };
    case 'change': {
      const members = [...(operation.text === undefined ? [] : ['text']), ...Object.keys(operation.fields)];
      return { action: 'change', path: operation.path, what: members.join(', ') };
    }
    case 'delete':
      return { action: 'delete', path: operation.path, title: operation.title };
  }
}

const maxTitles = 5;

/** What of the app stays although the folder does not have it. */
export function notesOf({ kept, merged, isFirst }: Pick<Plan, 'kept' | 'merged' | 'isFirst'>): string[] {
  const titles = (all: readonly string[]) =>
    `${all.slice(0, maxTitles).join(', ')}${all.length > maxTitles ? `, and ${all.length - maxTitles} more` : ''}`;
  const pages = (count: number) => `${count} page${count === 1 ? '' : 's'}`;
  const why = isFirst ? 'kept at the first push, as they are in the space' : 'changed in the app since the last push';
  return [
    ...(kept.length > 0 ? [`${pages(kept.length)} ${why}; pull to get them: ${titles(kept)}.`] : []),
    ...(merged.length > 0
      ? [`${pages(merged.length)} changed here and, in different places, in the app; merged: ${titles(merged)}.`]
      : []),
  ];
}

export function tooManyConflicts({ docs, spaceId }: Push, { number }: Request): CommandError {
  return new CommandError(`Others keep changing change request #${number}; not everything was sent.`, {
    exitCode: exit.refused,
    hint: `Push again when they are done: docsctl content push ${docs.name} --cr ${number} --space ${spaceId}`,
  });
}

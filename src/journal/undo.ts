import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { type Change, changesIn } from '../contract/changes.ts';
import { type Endpoint, pathWith } from '../contract/endpoint.ts';
import { invites } from '../contract/invites.ts';
import { orgs } from '../contract/orgs.ts';
import { paramNames } from '../contract/path.ts';
import { sites } from '../contract/sites.ts';
import { EngineError } from '../shared/engine-error.ts';
import { messageOf } from '../shared/error-text.ts';
import { isObject } from '../shared/is-object.ts';
import { valueAt } from '../shared/value-at.ts';
import { endpointWith } from './endpoints.ts';
import { hiddenText, isHidden } from './hide.ts';
import { type Inverse, type MadeChange, Reader, type State, type UndoRequest } from './inverse/inverse.ts';
import { inverses, isIrreversible } from './inverse/inverses.ts';
import { objectAt } from './inverse/objects.ts';
import { type JournalEntry, type SentChange, wasRefused } from './journal-files.ts';

/** A change to undo, with the requests that undo it. */
export interface UndoStep {
  change: MadeChange & { after: State };
  inverse: Inverse;
  requests: UndoRequest[];
  note?: string;
  /** Whether the object keeps changes until it is deleted. */
  isFilled?: boolean;
}

/** A change that cannot be undone, and why. */
export interface Kept {
  address: string;
  reason: string;
}

export interface UndoPlan {
  /** The last change first. */
  steps: UndoStep[];
  impossible: Kept[];
  /** Changes of objects that were changed again since. */
  changed: Kept[];
}

const addressOf = ({ method, path, params }: Pick<SentChange, 'method' | 'path' | 'params'>): string =>
  Object.entries(params).reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), `${method} ${path}`);

export const requestAddress = ({ endpoint, params }: UndoRequest): string => pathWith(endpoint.path, params);

/** Plans the undo of an entry, compared with the current state of the service. */
export async function planUndo(client: Client, entry: JournalEntry): Promise<UndoPlan> {
  const reader = new Reader(client);
  const plan: UndoPlan = { steps: [], impossible: [], changed: [] };
  const seen = new Set<string>();
  /** The fields that later changes changed, by the objects that these changes name. */
  const touched = new Map<string, Set<string>>();
  const created = idsMadeBy(entry, changeRequests.create);
  const createdSites = idsMadeBy(entry, sites.create);
  /** The sites that keep changes until they are deleted. */
  const filledSites = new Set<string>();
  /** The last revisions that the entry wrote, by change request. */
  const filled = new Map<string | undefined, unknown>();
  for (const sent of entry.changes.toReversed()) {
    if (wasRefused(sent)) continue;
    const { changeRequestId = '', siteId = '' } = sent.params;
    const revision = sent.path === changeRequestContent.change.path ? valueAt(sent.after, 'revision') : undefined;
    if (revision !== undefined && created.has(changeRequestId)) {
      // The request is archived with its content.
      if (!filled.has(changeRequestId)) filled.set(changeRequestId, revision);
      continue;
    }
    const step = await stepFor(client, sent);
    if (!step) continue;
    if ('reason' in step) {
      // A new site is deleted with what is in it.
      if (createdSites.has(siteId)) filledSites.add(siteId);
      else plan.impossible.push(step);
      continue;
    }
    const revisionAfter = filled.get(step.change.id);
    if (revisionAfter !== undefined)
      step.change = { ...step.change, after: { ...step.change.after, revision: revisionAfter } };
    const { id = '' } = step.change;
    step.isFilled = filledSites.has(id);
    // The state after an earlier change of the same object exists only once the later change is undone.
    const key = objectKey(step.change);
    const state = seen.has(key) ? 'as after' : await stateNow(reader, step, touched.get(id));
    seen.add(key);
    if (state === 'as after') plan.steps.push(step);
    else if (state !== 'as before') plan.changed.push({ address: addressOf(sent), reason: state });
    touch(touched, step.change, state === 'as after');
  }
  return plan;
}

const idsMadeBy = ({ changes }: JournalEntry, { path }: Endpoint) =>
  new Set(changes.flatMap((sent) => (sent.path === path ? [sent.id] : [])));

/** Adds what a change names. @param isUndone whether the undo restores the fields that it changed */
function touch(touched: Map<string, Set<string>>, { endpoint, params, body, before }: MadeChange, isUndone: boolean) {
  const own = paramNames(endpoint.path).at(-1);
  for (const [name, id] of Object.entries({ ...params, parent: body['parent'] })) {
    if (typeof id !== 'string') continue;
    const fields = touched.get(id) ?? new Set();
    touched.set(id, fields);
    if (isUndone && name === own) for (const field of Object.keys(before ?? {})) fields.add(field);
  }
}

/** Changes with the same key depend on each other. */
function objectKey({ endpoint, params, id }: MadeChange): string {
  if (/^(?:spaces|collections)\.move$/.test(endpoint.name)) return 'tree';
  if (params['siteId'] !== undefined) return `site ${params['siteId']}`;
  return JSON.stringify([endpoint.path, params, id]);
}

/** @returns undefined if the change changed nothing */
async function stepFor(client: Client, sent: SentChange): Promise<UndoStep | Kept | undefined> {
  const address = addressOf(sent);
  const kept = (reason: string): Kept => ({ address, reason });
  if (sent.status === undefined) return kept('there was no response, so it is not known whether it was done');
  const endpoint = await endpointWith(sent.method, sent.path);
  const inverse = endpoint && inverses[endpoint.name];
  if (!endpoint || !inverse) return kept('docsctl does not know this request');
  if (isIrreversible(inverse)) return kept(inverse.never);
  if (sent.alone) return kept('"docsctl api" sends only its own request, so the previous state is not known');
  const change = await withId(client, {
    endpoint,
    params: sent.params,
    body: stateOf(sent.body) ?? {},
    before: stateOf(sent.before),
    after: stateOf(sent.after),
    id: sent.id,
    started: sent.started,
  });
  if (!change) return kept('the object that it created or changed no longer exists');
  if (isLeftOut(change.before) || isLeftOut(change.after) || isLeftOut(change.body))
    return kept('it is too large for the journal');
  const requests = inverse.undo(change);
  if ('reason' in requests) return kept(requests.reason);
  if (requests.length === 0) return undefined;
  const { after } = change;
  if (!after) return kept('the state after it is not known');
  if (requests.some(({ body }) => isHidden(JSON.stringify(body ?? null))))
    return kept('it needs a secret, and the journal contains none');
  const note = typeof inverse.note === 'function' ? inverse.note(change) : inverse.note;
  return { change: { ...change, after }, inverse, requests, note };
}

const stateOf = (value: unknown): State | undefined => (isObject(value) ? value : undefined);
const isLeftOut = (state: State | undefined) => typeof state?.['leftOut'] === 'string';

/** Finds the ID of an invite link. The journal does not contain it, because it gives access. */
async function withId(client: Client, change: MadeChange): Promise<MadeChange | undefined> {
  const { orgId = '', inviteId } = change.params;
  const hidden = [inviteId, change.id].find((id) => id !== undefined && isHidden(id));
  if (hidden === undefined) return change;
  for await (const { id } of client.items(invites.listLinks, { params: { orgId } })) {
    if (hiddenText(id) !== hidden) continue;
    const params = inviteId === undefined ? change.params : { ...change.params, inviteId: id };
    const after = change.after && 'id' in change.after ? { ...change.after, id } : change.after;
    return { ...change, params, after, id };
  }
  return undefined;
}

/**
 * Compares an object with its states before and after a change.
 *
 * @param touched the fields that later changes changed. They are compared once these changes are undone, and so are counts.
 * @returns the difference if it matches neither
 */
async function stateNow(
  reader: Reader,
  { change, inverse }: Pick<UndoStep, 'change' | 'inverse'>,
  touched?: ReadonlySet<string>,
): Promise<'as after' | 'as before' | (string & {})> {
  const now = plain(await inverse.now(reader, change).catch(undefinedIfMissing));
  if (isDeepStrictEqual(now, plain(change.after))) return 'as after';
  const doubt = now === null ? await doubtOf(reader, change) : undefined;
  if (doubt !== undefined) return doubt;
  if (isDeepStrictEqual(now, plain(change.before))) return 'as before';
  if (now === null) return 'it no longer exists';
  const fields = changesIn('', change.after, now).filter((field) => !touched || !isTouched(field, touched));
  if (fields.length === 0) return 'as after';
  const names = fields.map(({ field }) => field.replace(/^\./, ''));
  return `${names.slice(0, 5).join(', ')} changed in the meantime`;
}

const isTouched = ({ field, before, after }: Change, touched: ReadonlySet<string>) =>
  (typeof before === 'number' && typeof after === 'number') ||
  [...touched].some((name) => `${field}.`.startsWith(`.${name}.`));

/** Why an object that seems not to exist may exist: the caller does not see everything. */
async function doubtOf(reader: Reader, { endpoint, params, before }: MadeChange): Promise<string | undefined> {
  const [path] = /^\/v1\/\w+\/\{\w+\}(?=\/)/.exec(endpoint.path) ?? [];
  // The address of a move starts with that of the object itself.
  const isOwn = before !== undefined && Object.keys(params).length === 1;
  if (path === undefined || isOwn) return undefined;
  const container = await objectAt(reader, path, params);
  if (container === undefined) return 'you can no longer see what it was created in';
  const hidesObjects = path === orgs.view.path && valueAt(container, 'permissions.admin') !== true;
  return hidesObjects ? 'it no longer exists, or you can no longer see it' : undefined;
}

const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

type Result = 'done' | 'failed' | 'not done';

/** A request of an undo, as it is printed. */
export interface UndoRow {
  result: Result;
  method: string;
  address: string;
  body?: unknown;
  error?: string;
}

/** The requests of steps, with the same result for all. */
export const rowsOf = (steps: readonly UndoStep[], result: Result): UndoRow[] =>
  steps.flatMap(({ requests }) =>
    requests.map((request) => ({
      result,
      method: request.endpoint.method,
      address: requestAddress(request),
      body: request.body,
    })),
  );

/** Sends the requests of an undo, up to the first failure. */
export async function sendUndo(
  { client, signal, progress }: Omit<Port, 'note'>,
  { steps }: UndoPlan,
): Promise<{ rows: UndoRow[]; failure?: unknown }> {
  const rows: UndoRow[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      // The plan compared the newest change of each object. Earlier changes can only be compared now.
      if (index > 0) await assertUnchanged(new Reader(client), step);
      for (const { endpoint, params, body } of step.requests) {
        signal.throwIfAborted();
        await client.call(endpoint, { params, body });
      }
      rows.push(...rowsOf([step], 'done'));
      progress.count(index + 1, steps.length);
    } catch (failure) {
      rows.push(...rowsOf([step], 'failed').map((row) => ({ ...row, error: messageOf(failure) })));
      rows.push(...rowsOf(steps.slice(index + 1), 'not done'));
      return { rows, failure };
    }
  }
  return { rows };
}

async function assertUnchanged(reader: Reader, step: UndoStep): Promise<void> {
  const state = await stateNow(reader, step, step.isFilled ? new Set() : undefined);
  if (state !== 'as after' && state !== 'as before') throw new EngineError('refused', `It was not sent: ${state}.`);
}

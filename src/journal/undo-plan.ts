import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import { endpointWith } from './endpoints.ts';
import { hiddenText, isHidden } from './hide.ts';
import { type Inverse, type MadeChange, Reader, type State, type UndoRequest } from './inverse/inverse.ts';
import { inverses, isIrreversible } from './inverse/inverses.ts';
import type { JournalEntry } from './journal-files.ts';
import { type SentChange, wasRefused } from './recorder.ts';
import { changesIn } from '../contract/changes.ts';
import { invites } from '../contract/invites.ts';
import { pathWith } from '../contract/endpoint.ts';
import { isObject } from '../shared/is-object.ts';

/** A change that is taken back, with its requests. */
export interface UndoStep {
  change: MadeChange;
  inverse: Inverse;
  requests: UndoRequest[];
  note?: string;
}

/** A change that is not taken back, and why. */
export interface Kept {
  address: string;
  reason: string;
}

export interface UndoPlan {
  /** In the order in which they are taken back: the last one first. */
  steps: UndoStep[];
  impossible: Kept[];
  /** Those that somebody changed since. */
  changed: Kept[];
}

const addressOf = (change: Pick<SentChange, 'method' | 'path' | 'params'>): string =>
  `${change.method} ${change.path.replace(/\{(\w+)\}/g, (_, name: string) => change.params[name] ?? `{${name}}`)}`;

export const requestAddress = ({ endpoint, params }: UndoRequest): string => pathWith(endpoint.path, params);

/** What takes an entry back, compared with the service as it is now. */
export async function planUndo(client: Client, entry: JournalEntry): Promise<UndoPlan> {
  const reader = new Reader(client);
  const plan: UndoPlan = { steps: [], impossible: [], changed: [] };
  const seen = new Set<string>();
  for (const sent of entry.changes.toReversed()) {
    if (wasRefused(sent)) continue;
    const step = await stepFor(client, sent);
    if ('reason' in step) {
      plan.impossible.push(step);
      continue;
    }
    if (step.requests.length === 0) continue;
    // What an earlier change of the same object left is there once the later one is taken back.
    const key = objectKey(step.change);
    if (seen.has(key)) {
      plan.steps.push(step);
      continue;
    }
    seen.add(key);
    const state = await stateNow(reader, step);
    if (state === 'as after') plan.steps.push(step);
    else if (state !== 'as before') plan.changed.push({ address: addressOf(sent), reason: state });
  }
  return plan;
}

/** Changes with the same key depend on each other. */
function objectKey({ endpoint, params, id }: MadeChange): string {
  if (/^(?:spaces|collections)\.move$/.test(endpoint.name)) return 'tree';
  if (params['siteId'] !== undefined) return `site ${params['siteId']}`;
  return `${endpoint.path} ${JSON.stringify(params)} ${id ?? ''}`;
}

async function stepFor(client: Client, sent: SentChange): Promise<UndoStep | Kept> {
  const address = addressOf(sent);
  const kept = (reason: string): Kept => ({ address, reason });
  if (sent.status === undefined) return kept('no answer came, so nobody knows whether it was done');
  const endpoint = await endpointWith(sent.method, sent.path);
  const inverse = endpoint && inverses[endpoint.name];
  if (!endpoint || !inverse) return kept('docsctl does not know this request');
  if (isIrreversible(inverse)) return kept(inverse.never);
  if (sent.alone) return kept('"docsctl api" sends only its own request, so what it was before is not known');
  const change = await withId(client, {
    endpoint,
    params: sent.params,
    body: stateOf(sent.body) ?? {},
    before: stateOf(sent.before),
    after: stateOf(sent.after),
    id: sent.id,
    started: sent.started,
  });
  if (!change) return kept('what it made or changed is no longer there');
  if (isLeftOut(change.before) || isLeftOut(change.after) || isLeftOut(change.body))
    return kept('it is too large for the journal');
  const requests = inverse.undo(change);
  if ('reason' in requests) return kept(requests.reason);
  if (requests.length > 0 && !change.after) return kept('what it left is not known');
  if (requests.some(({ body }) => isHidden(JSON.stringify(body ?? null))))
    return kept('it needs a secret, and the journal has none');
  return { change, inverse, requests, ...(inverse.note !== undefined && { note: inverse.note }) };
}

const stateOf = (value: unknown): State | undefined => (isObject(value) ? value : undefined);
const isLeftOut = (state: State | undefined) => typeof state?.['leftOut'] === 'string';

/** Finds the id of an invite link, which the journal does not have because it lets people in. */
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

/** Compares an object with what the change left and what it found. @returns what is different otherwise */
export async function stateNow(
  reader: Reader,
  { change, inverse }: Pick<UndoStep, 'change' | 'inverse'>,
): Promise<'as after' | 'as before' | (string & {})> {
  const now = plain(await inverse.now(reader, change));
  if (isDeepStrictEqual(now, plain(change.after))) return 'as after';
  if (isDeepStrictEqual(now, plain(change.before))) return 'as before';
  if (now === null) return 'it is no longer there';
  const names = changesIn('', change.after ?? {}, now).map(({ field }) => field.replace(/^\./, ''));
  return `somebody changed ${names.slice(0, 5).join(', ')} since`;
}

const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

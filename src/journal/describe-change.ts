import { changesIn } from '../contract/changes.ts';
import { paramNames } from '../contract/path.ts';
import { isObject } from '../shared/is-object.ts';
import { nameOf } from '../shared/name-of.ts';
import type { JournalEntry, SentChange } from './journal-files.ts';

/** What a request did, by the last word of its endpoint's name. */
const verbs: readonly [RegExp, string][] = [
  [/^(?:create|duplicate|put)/, 'created'],
  [/^add/, 'added'],
  [/^delete/, 'deleted'],
  [/^remove/, 'removed'],
  [/^send$/, 'invited'],
  [/^merge$/, 'merged'],
  [/^move$/, 'moved'],
  [/^restore$/, 'restored'],
  [/^transfer$/, 'transferred'],
  [/^publish$/, 'published'],
  [/^unpublish$/, 'unpublished'],
  [/^markSso$/, 'marked as signing in through SSO'],
  [/^(?:change|import)$/, 'changed the content'],
];

/** The name of an object in a change: its title, or its ID. */
export const titleIn = ({ titles }: SentChange, id: string): string => titles?.[id] ?? id;

/** What a request is about: the object that it created, or the last one that its path names; with what that is in. */
function objectsOf(change: SentChange): string[] {
  const { path, params, id } = change;
  const named = paramNames(path).flatMap((param) => (param === 'orgId' ? [] : [params[param] ?? '']));
  const ids = [...named.filter(Boolean), ...(id === undefined ? [] : [id])];
  // The path may have the number of what the response has with its ID.
  return [...new Set(ids.map((each) => titleIn(change, each)))];
}

/** A request in words: `Amara Almeida <person3@lumen.example>: role comment -> read`. */
export function describeChange(change: SentChange): string {
  const { endpoint = '', method, path, body, before, after } = change;
  const objects = objectsOf(change);
  const place = objects.length > 1 ? ` (${objects.slice(0, -1).join(', ')})` : '';
  const object = objects.at(-1) ?? '';
  const ending = endingOf(change);
  const isCompared = isObject(before) && isObject(after);
  const fields = isCompared ? changesIn('', before, after) : [];
  if (fields.length > 0)
    return `${object}${place}: ${fields.map((field) => fieldText(change, field, object)).join(', ')}${ending}`;
  const verb = verbOf(endpoint);
  const target = peopleIn(body) ?? object;
  const result = verb ?? (isCompared ? 'unchanged' : 'changed');
  if (verb === undefined && target === '') return `${method} ${path}${ending}`;
  return `${target}${place}: ${result}${ending}`;
}

/** Whether a request left all values of its body as they were. Values that cannot be read back may have changed. */
export function changedNothing({ endpoint = '', body, before, after }: SentChange): boolean {
  if (verbOf(endpoint) !== undefined || !isObject(body) || !isObject(before) || !isObject(after)) return false;
  return Object.keys(body).every((key) => key in after) && changesIn('', before, after).length === 0;
}

const verbOf = (endpoint: string) => verbs.find(([pattern]) => pattern.test(endpoint.split('.').at(-1) ?? ''))?.[1];

function endingOf({ status, error, unsent }: SentChange): string {
  if (unsent) return ', not sent';
  if (status !== undefined) return status >= 400 ? ', refused' : '';
  return error === undefined ? '' : ', sent, answer unknown';
}

interface FieldChange {
  field: string;
  before?: unknown;
  after: unknown;
}

function fieldText(change: SentChange, { field, before, after }: FieldChange, object: string): string {
  const name = field
    .split('.')
    .map((part) => titleIn(change, part))
    .filter((part) => part !== '' && part !== object)
    .join(' ');
  return `${name || 'role'} ${valueText(before)} -> ${valueText(after)}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.map(valueText).join(', ') || 'none';
  // The membership of a team.
  if (isObject(value) && typeof value['role'] === 'string') return value['role'];
  return isObject(value) ? (nameOf(value) ?? JSON.stringify(value)) : String(value);
}

/** The addresses of invited people. */
function peopleIn(body: unknown): string | undefined {
  const emails = isObject(body) ? body['emails'] : undefined;
  if (!Array.isArray(emails)) return undefined;
  return emails.map((each: unknown) => (isObject(each) ? String(each['email']) : String(each))).join(', ');
}

/** Who ran a command: `Local Admin <admin@localhost>`, else the account on this machine. */
export function actorOf({ user, login }: JournalEntry): string | undefined {
  if (user === undefined) return login;
  const { displayName, email, id } = user;
  return displayName === undefined ? (email ?? id) : email === undefined ? displayName : `${displayName} <${email}>`;
}

const contains = (text: string | undefined, part: string) => text?.toLowerCase().includes(part.toLowerCase()) ?? false;

/** Whether somebody whose name, address or ID has this text ran the command. */
export const isBy = (entry: JournalEntry, text: string): boolean =>
  [actorOf(entry), entry.user?.id, entry.login].some((name) => contains(name, text));

/** Whether one of the objects that the command changed has this text in its title, address or ID. */
export const isAbout = (entry: JournalEntry, text: string): boolean =>
  entry.changes.some((change) =>
    [
      ...Object.values(change.params),
      ...Object.entries(change.titles ?? {}).flat(),
      change.id,
      peopleIn(change.body),
    ].some((name) => contains(name, text)),
  );

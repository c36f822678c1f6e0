import { type PushedCommit, readCommit } from '../../content/folder/push-log.ts';
import { type Approval, policyPage, policyText, readPolicy } from '../../approval/policy.ts';
import { isObject } from '../../shared/is-object.ts';
import type { ContentMatch } from '../lock.ts';
import { type ChangeKind, changeKindOf, changeKinds, type NamedKind } from '../parts.ts';
import type { Hashes } from './hashes.ts';

/** Its title until it has its pages. */
export const unfinishedTitle = 'docsctl state (unfinished)';

/** An object that the files manage. */
export interface ManagedObject {
  /** Its ID, if its kind has names. */
  id?: string | undefined;
  /** What the files contained when they were last applied. Undefined if it was only just created. */
  base?: Hashes | undefined;
}

/** The base of the content folder of a space. */
export interface ContentBase {
  revision: string;
  /** Whether the revision was exported completely; otherwise an apply created it, and its layout lists the folder. */
  isExport: boolean;
  /** The last match with the folder. */
  match?: ContentMatch | undefined;
}

/** An apply, and the commit that was checked out. */
export interface AppliedEntry {
  at: string;
  commit?: PushedCommit | undefined;
  /** The environment that was applied. */
  env?: string | undefined;
}

/** The content of a space that an apply wanted to send. If it was interrupted, its change request is left in the space. */
export interface Sending {
  /** The name of the space, and the subject of the change request. */
  space: string;
  subject: string;
  /** The ID of the user who applied the files. */
  user: string;
  /** The number of the last change request before it. Undefined if other clones do not have the files. */
  after?: number | undefined;
}

/** What all folders of an organization share: the IDs behind the names, and what was last applied. */
export interface State {
  /** Counts the changes of the state. */
  serial: number;
  /** Objects by kind and name. */
  objects: Map<ChangeKind, Map<string, ManagedObject>>;
  /** By name of the space. */
  contents: Map<string, ContentBase>;
  /** The last applies, newest last. */
  applies: AppliedEntry[];
  sending: Sending[];
  /** What needs an approval. */
  approval?: Approval | undefined;
}

/** The state keeps this many applies. */
const maxApplies = 100;

export const emptyState = (): State => ({
  serial: 0,
  objects: new Map(),
  contents: new Map(),
  applies: [],
  sending: [],
});

export const objectIn = (state: State, kind: ChangeKind, name: string): ManagedObject | undefined =>
  state.objects.get(kind)?.get(name);

export function setObject(state: State, kind: ChangeKind, name: string, object: ManagedObject): void {
  const objects = state.objects.get(kind) ?? new Map<string, ManagedObject>();
  state.objects.set(kind, objects.set(name, object));
}

/** The IDs of the objects of a kind by name. */
export const idsIn = (state: State, kind: NamedKind): Map<string, string> =>
  new Map(
    [...(state.objects.get(changeKindOf[kind]) ?? [])].flatMap(([name, { id }]) =>
      id === undefined ? [] : [[name, id]],
    ),
  );

/** The version of the pages. */
const version = 1;

const summaryPage = 'State';
const contentsPage = 'contents';

/** Objects per page. A page that does not change is not sent. */
const maxLines = 1000;

/** The texts of the pages by title. Equal states have equal texts. */
export function pagesOf(state: State): Map<string, string> {
  const { serial, applies, sending } = state;
  const pages = new Map<string, string>();
  const summary = {
    version,
    serial,
    applies: applies.slice(-maxApplies),
    ...(sending.length > 0 && { sending }),
  };
  pages.set(summaryPage, codeBlock([JSON.stringify(summary)]));
  if (state.approval) pages.set(policyPage, policyText(state.approval));
  for (const kind of changeKinds) {
    const lines = sortedEntries(state.objects.get(kind)).map(([name, { id, base }]) =>
      JSON.stringify([name, id ?? null, base === undefined ? null : [...base].toSorted().join(' ')]),
    );
    addPages(pages, kind, lines);
  }
  addPages(
    pages,
    contentsPage,
    sortedEntries(state.contents).map(([name, { revision, isExport, match }]) => {
      const last = match && [match.revision, match.files, match.kept];
      return JSON.stringify([name, revision, ...(isExport ? ['exported'] : last ? ['applied'] : []), ...(last ?? [])]);
    }),
  );
  return pages;
}

function addPages(pages: Map<string, string>, title: string, lines: readonly string[]): void {
  for (let start = 0; start < lines.length; start += maxLines)
    pages.set(`${title} ${start / maxLines + 1}`, codeBlock(lines.slice(start, start + maxLines)));
}

const sortedEntries = <Value>(map: ReadonlyMap<string, Value> = new Map()): [string, Value][] =>
  [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Every line is a JSON value, so none can end the block. */
const codeBlock = (lines: readonly string[]): string => ['```json', ...lines, '```', ''].join('\n');

/** The JSON values in a code block. @throws UnreadableState */
export function linesIn(title: string, text: string): unknown[] {
  const lines = text.split('\n').map((line) => line.trim());
  const [start, end] = [lines.findIndex((line) => line.startsWith('```')), lines.lastIndexOf('```')];
  if (start < 0 || end <= start) throw new UnreadableState(`its page "${title}" has no code block`);
  return lines.slice(start + 1, end).flatMap((line) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw new UnreadableState(`its page "${title}" was edited`);
    }
  });
}

/** The state cannot be read; the message continues a sentence. */
export class UnreadableState extends Error {}

/** The state in pages by title. @throws UnreadableState */
export function readPages(pages: ReadonlyMap<string, string>): State {
  const state = emptyState();
  const summary = pages.get(summaryPage);
  if (summary === undefined) return state;
  const [head] = linesIn(summaryPage, summary);
  if (!isObject(head) || typeof head['version'] !== 'number' || typeof head['serial'] !== 'number')
    throw new UnreadableState(`its page "${summaryPage}" was edited`);
  if (head['version'] > version)
    throw new UnreadableState(`it has version ${head['version']}; this docsctl supports version ${version}`);
  state.serial = head['serial'];
  state.applies = Array.isArray(head['applies'])
    ? head['applies'].flatMap((entry: unknown) => readApplied(entry) ?? [])
    : [];
  const policy = pages.get(policyPage);
  if (policy !== undefined) {
    state.approval = readPolicy(policy);
    if (!state.approval) throw new UnreadableState(`its page "${policyPage}" was edited`);
  }
  if (Array.isArray(head['sending'])) state.sending = head['sending'].filter(isSending);
  for (const [title, text] of pages) {
    const kind = changeKinds.find((each) => isPageOf(title, each));
    if (!kind && !isPageOf(title, contentsPage)) continue;
    for (const line of linesIn(title, text)) {
      const [name, second, third, ...match] = Array.isArray(line) ? (line as unknown[]) : [];
      if (typeof name !== 'string') throw new UnreadableState(`its page "${title}" was edited`);
      if (kind)
        setObject(state, kind, name, {
          ...(typeof second === 'string' && { id: second }),
          ...(typeof third === 'string' && { base: new Set(third.split(' ').filter((hash) => hash !== '')) }),
        });
      else if (typeof second === 'string')
        state.contents.set(name, { revision: second, isExport: third === 'exported', match: readMatch(match) });
    }
  }
  return state;
}

function readMatch([revision, files, kept]: unknown[]): ContentMatch | undefined {
  const isMatch = typeof revision === 'string' && typeof files === 'string' && Array.isArray(kept);
  return isMatch ? { revision, files, kept: kept.filter((title) => typeof title === 'string') } : undefined;
}

const isPageOf = (title: string, name: string) =>
  title.startsWith(`${name} `) && /^\d+$/.test(title.slice(name.length + 1));

/** Whether a page belongs to the state; others in the space are left alone. */
export const isStatePage = (title: string): boolean =>
  title === summaryPage || title === policyPage || [...changeKinds, contentsPage].some((name) => isPageOf(title, name));

const isSending = (value: unknown): value is Sending =>
  isObject(value) && [value['space'], value['subject'], value['user']].every((each) => typeof each === 'string');

function readApplied(value: unknown): AppliedEntry | undefined {
  if (!isObject(value) || typeof value['at'] !== 'string') return undefined;
  const commit = readCommit(value['commit']);
  const { at, env } = value;
  return { at, ...(commit && { commit }), ...(typeof env === 'string' && { env }) };
}

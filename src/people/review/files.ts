import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { cellText, readCsv } from '../../shared/csv.ts';
import { messageOf } from '../../shared/error-text.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { sha256 } from './evidence.ts';
import { knownWords } from '../../shared/words.ts';

/** Somebody in a team, whose place is reviewed. */
export interface ReviewRow {
  /** The team's ID and the member's ID. */
  key: string;
  team: string;
  teamId: string;
  member: string;
  email: string;
  memberId: string;
  role: 'owner' | 'member';
  lastSeen: string;
}

/** One reviewer, with the rows to decide. */
export interface ReviewFile {
  /** The file in the folder of the review. */
  file: string;
  owner: string;
  ownerId: string;
  keys: string[];
}

export interface Review {
  object: 'access-review';
  createdAt: string;
  organization: { id: string; title: string };
  by: string;
  rows: ReviewRow[];
  files: ReviewFile[];
}

export const reviewFile = (folder: string): string => join(folder, 'review.json');
export const evidenceFile = (folder: string): string => join(folder, 'evidence.jsonl');

export const decisions = ['keep', 'remove', 'owner', 'member'] as const;
export type Decision = (typeof decisions)[number];
export const csvColumns = knownWords('team team_id member email member_id role last_seen decision comment');

/** The review in a folder, and the hash of its file. @throws EngineError */
export function readReview(folder: string): { review: Review; hash: string } {
  const file = reviewFile(folder);
  if (!existsSync(file))
    throw new EngineError('usage', `${folder} contains no access review.`, {
      hint: 'Create one with "docsctl access review create --team-owners".',
    });
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    const isReview =
      isObject(value) &&
      value['object'] === 'access-review' &&
      hasMembers(value['organization']) &&
      [value['rows'], value['files']].every((list) => Array.isArray(list) && list.every(hasMembers));
    if (isReview) return { review: value as unknown as Review, hash: sha256(text) };
  } catch {
    // Reported below.
  }
  throw new EngineError('checkFailed', `${file} is not an access review: it was altered.`);
}

/** A decision in a file of an owner. */
export interface DecidedRow {
  row: ReviewRow;
  owner: string;
  decision: Decision;
  comment: string;
  /** When the file was last saved, as ISO 8601. */
  saved: string;
}

export interface Decisions {
  decided: DecidedRow[];
  undecided: ReviewRow[];
  /** What cannot be used: its place and the reason. */
  rejected: string[];
}

/** The decisions in all files. Two owners who decide differently are both rejected. */
export function readDecisions(folder: string, review: Review): Decisions {
  const result: Decisions = { decided: [], undecided: [], rejected: [] };
  const rows = new Map(review.rows.map((row) => [row.key, row]));
  for (const file of review.files) readFile(folder, file, rows, result);
  const known = new Set(review.files.map(({ file }) => file));
  for (const name of readdirSync(folder))
    if (name.endsWith('.csv') && !known.has(name)) result.rejected.push(`${name}: is not a file of this review`);
  const byRow = Map.groupBy(result.decided, ({ row }) => row.key);
  for (const [key, all] of byRow) {
    const [first] = all;
    if (!first || all.every(({ decision }) => decision === first.decision)) continue;
    const words = all.map(({ owner, decision }) => `${owner}: ${decision}`).join(', ');
    result.rejected.push(`${first.row.member} in ${first.row.team}: the owners disagree (${words})`);
    byRow.delete(key);
  }
  result.decided = [...byRow.values()].flat();
  result.undecided = review.rows.filter(({ key }) => !byRow.has(key));
  return result;
}

const needed = ['team_id', 'member_id', 'decision'];

/** Whether a row still has the address of its member: a column that was sorted alone has others. */
const isAbout = ({ email }: ReviewRow, cells: Cells['cells']): boolean =>
  (cells['email'] ?? email).toLowerCase() === email.toLowerCase();

function readFile(
  folder: string,
  { file, owner, keys }: ReviewFile,
  rows: ReadonlyMap<string, ReviewRow>,
  result: Decisions,
): void {
  const path = join(folder, file);
  if (!existsSync(path)) return void result.rejected.push(`${file}: is missing`);
  const saved = statSync(path).mtime.toISOString();
  const open = new Set(keys);
  const records = cellsIn(path, file, result.rejected);
  const missing = needed.find((column) => records[0] && !(column in records[0].cells));
  if (missing !== undefined) return void result.rejected.push(`${file}: has no column "${missing}"`);
  for (const { cells, line } of records) {
    const reject = (reason: string) => result.rejected.push(`${file}:${line}: ${reason}`);
    const row = rows.get(`${cells['team_id']}/${cells['member_id']}`);
    const word = (cells['decision'] ?? '').toLowerCase();
    const decision = decisions.find((each) => each === word);
    if (!row || !keys.includes(row.key)) reject('was not given to this owner');
    else if (!isAbout(row, cells)) reject(`${cells['email']} is not the address of ${row.member}: are cells mixed up?`);
    else if (!open.delete(row.key)) {
      reject(`${row.member} in ${row.team} is repeated`);
      const isOther = (each: DecidedRow) => each.row === row && each.owner === owner && each.decision !== decision;
      result.decided = result.decided.filter((each) => !isOther(each));
    } else if (word === '') continue;
    else if (!decision) reject(`"${word}" is not one of ${decisions.join(', ')}`);
    else result.decided.push({ row, owner, decision, comment: cells['comment'] ?? '', saved });
  }
  if (open.size > 0) result.rejected.push(`${file}: ${open.size} rows are missing`);
}

interface Cells {
  cells: Record<string, string>;
  line: number;
}

function cellsIn(path: string, file: string, rejected: string[]): Cells[] {
  try {
    const [header, ...rows] = readCsv(readFileSync(path, 'utf8'));
    const names = header?.cells.map((name) => name.trim().toLowerCase()) ?? [];
    return rows.map(({ line, cells }) => ({
      cells: Object.fromEntries(names.slice(0, cells.length).map((name, index) => [name, cellText(cells[index])])),
      line,
    }));
  } catch (error) {
    rejected.push(`${file}: is not valid CSV: ${messageOf(error)}`);
    return [];
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RoleName, roles } from '../../contract/access.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';

export interface Named {
  id: string;
  title: string;
}

export interface OwnedTeam extends Named {
  role: 'owner' | 'member';
  /** Whether it has no other owner who stays. */
  ownedAlone: boolean;
}

interface OpenRequest {
  id: string;
  space: Named;
  number: number;
  subject: string;
  status: string;
}

export interface OpenComment {
  id: string;
  space: Named;
  /** The ID of its change request. */
  changeRequest?: string | undefined;
  page?: string | undefined;
  text: string;
}

interface SpaceLevel extends Named {
  level: RoleName;
}

/** An invite link, which lets everybody in who knows it. */
interface InviteLink {
  id: string;
  /** What it invites to, and as what. */
  text: string;
}

/** What a member has in an organization. */
export interface Inventory {
  teams: OwnedTeam[];
  changeRequests: OpenRequest[];
  comments: OpenComment[];
  /** Spaces on which they have more than their role grants. */
  levels: SpaceLevel[];
  /** Invite links that they created, as far as the journal knows. */
  links: InviteLink[];
  /** Other invite links: the service does not report who created them. */
  otherLinks: number;
  /** Spaces that could not be read. */
  unread: Named[];
}

export interface Step {
  action: 'make owner' | 'hand over' | 'remove from organization';
  /** The user who becomes an owner, takes over or is removed. */
  user: string;
  team?: string;
  /** The change request that is handed over. */
  changeRequest?: string;
  result: 'planned' | 'done' | 'failed' | 'unknown';
  reason?: string;
}

/** The record of an offboarding. */
export interface OffboardingRecord extends Inventory {
  object: 'offboarding';
  startedAt: string;
  finishedAt?: string;
  organization: Named;
  by: Named;
  member: Named & { email?: string | undefined; role: RoleName | null };
  heir?: Named;
  steps: Step[];
}

/** The default file name of a record, which differs for each run. */
export function defaultFile(name: string, now: string): string {
  const time = now.replace(/[-:]/g, '').replace(/\..*/, 'Z');
  return `offboarding-${fileNameOf(name) ?? 'member'}-${time}.json`;
}

/**
 * Reads the record of an earlier run; undefined if the file does not exist.
 *
 * @throws EngineError if the file is not a record
 */
export function readRecord(file: string): OffboardingRecord | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(value)) return { ...value, links: value.links ?? [], otherLinks: value.otherLinks ?? 0 };
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new EngineError('usage', `--record: ${file} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
  throw new EngineError('usage', `--record: ${file} is not the record of an offboarding.`, {
    hint: 'Name another file.',
  });
}

/** The records in a folder, by the ID and the address of the member. */
export function recordsIn(folder: string): Map<string, { file: string; record: OffboardingRecord }> {
  const records = new Map<string, { file: string; record: OffboardingRecord }>();
  if (!existsSync(folder)) return records;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const file = join(folder, name);
    const record = readRecord(file);
    if (!record) continue;
    records.set(record.member.id, { file, record });
    if (record.member.email !== undefined) records.set(record.member.email.toLowerCase(), { file, record });
  }
  return records;
}

const lists = ['teams', 'changeRequests', 'comments', 'levels', 'steps'] as const;

const isRole = (value: unknown) => roles.some((role) => role === value);

const isList = (value: unknown, isItem: (item: Record<string, unknown>) => boolean = () => true) =>
  Array.isArray(value) && value.every((item) => isObject(item) && isItem(item));

const isRecord = (value: unknown): value is OffboardingRecord =>
  isObject(value) &&
  value.object === 'offboarding' &&
  hasMembers(value.member) &&
  hasMembers(value.organization) &&
  (value.member.role === null || isRole(value.member.role)) &&
  lists.every((name) => isList(value[name])) &&
  isList(value.teams, ({ role }) => role === 'owner' || role === 'member') &&
  isList(value.levels, ({ level }) => isRole(level));

/** Writes the record so that only its owner can read it, because it contains personal data. */
export async function writeRecord(file: string, record: OffboardingRecord): Promise<void> {
  try {
    await writeFileAtomic(file, `${JSON.stringify(record, null, 2)}\n`, 0o600);
  } catch (error) {
    throw new EngineError('usage', `--record: ${file} cannot be written: ${fileReason(error, 'folder')}.`, {
      hint: 'Name a file in a folder that you can write to.',
    });
  }
}

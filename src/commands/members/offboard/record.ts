import { existsSync } from 'node:fs';
import { fileText } from '../../../cli/command/read-input.ts';
import { UsageError } from '../../../cli/program/failure.ts';
import type { RoleName } from '../../../contract/access.ts';
import { writeFileAtomic } from '../../../shared/atomic-write.ts';
import { fileNameOf } from '../../../shared/file-name.ts';
import { fileReason } from '../../../shared/file-reason.ts';
import { hasMembers, isObject } from '../../../shared/is-object.ts';

export interface Named {
  id: string;
  title: string;
}

export interface OwnedTeam extends Named {
  role: 'owner' | 'member';
  /** Whether it has no other owner. */
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

/** What a member has in an organization. */
export interface Inventory {
  teams: OwnedTeam[];
  changeRequests: OpenRequest[];
  comments: OpenComment[];
  /** Spaces on which they have more than their role grants. */
  levels: SpaceLevel[];
  /** Spaces that could not be read. */
  unread: Named[];
}

export interface Step {
  action: 'make owner' | 'remove from organization';
  /** The user who becomes an owner or is removed. */
  user: string;
  team?: string;
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
 * @throws UsageError if the file is not a record
 */
export function readRecord(file: string): OffboardingRecord | undefined {
  if (!existsSync(file)) return undefined;
  const text = fileText(file, '--record');
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(
    `--record: ${file} already exists and is not the record of an offboarding.`,
    'Name another file, or remove this one first.',
  );
}

const isRecord = (value: unknown): value is OffboardingRecord =>
  isObject(value) && value.object === 'offboarding' && hasMembers(value.member) && Array.isArray(value.steps);

/** Writes the record so that only its owner can read it, because it contains personal data. */
export async function writeRecord(file: string, record: OffboardingRecord): Promise<void> {
  try {
    await writeFileAtomic(file, `${JSON.stringify(record, null, 2)}\n`, 0o600);
  } catch (error) {
    throw new UsageError(
      `--record: ${file} cannot be written: ${fileReason(error, 'folder')}.`,
      'Name a file in a folder that you can write to.',
    );
  }
}

import { existsSync } from 'node:fs';
import { fileText } from '../../../cli/command/read-input.ts';
import { UsageError } from '../../../cli/program/failure.ts';
import type { RoleName } from '../../../contract/access.ts';
import { writeFileAtomic } from '../../../shared/atomic-write.ts';
import { fileNameOf } from '../../../shared/file-name.ts';
import { fileReason } from '../../../shared/file-reason.ts';
import { hasMembers, isObject } from '../../../shared/is-object.ts';

/** Somebody or something, as people know it. */
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
  /** The change request that it is on. */
  changeRequest?: string | undefined;
  page?: string | undefined;
  text: string;
}

interface SpaceLevel extends Named {
  level: RoleName;
}

/** What somebody has in an organization. */
export interface Inventory {
  teams: OwnedTeam[];
  changeRequests: OpenRequest[];
  comments: OpenComment[];
  /** Spaces on which they have more than their role gives. */
  levels: SpaceLevel[];
  /** Spaces that could not be read. */
  unread: Named[];
}

export interface Step {
  action: 'make owner' | 'remove from organization';
  /** Who becomes owner, or who is removed. */
  user: string;
  team?: string;
  result: 'planned' | 'done' | 'failed' | 'unknown';
  reason?: string;
}

/** What is written down about an offboarding. */
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

/** A file name of its own for each run. */
export function defaultFile(name: string, now: string): string {
  const time = now.replace(/[-:]/g, '').replace(/\..*/, 'Z');
  return `offboarding-${fileNameOf(name) ?? 'member'}-${time}.json`;
}

/**
 * The record that an earlier run left in a file; undefined where there is none.
 *
 * @throws UsageError for another file
 */
export function readRecord(file: string): OffboardingRecord | undefined {
  if (!existsSync(file)) return undefined;
  const text = fileText(file, '--record');
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The error below says it.
  }
  throw new UsageError(
    `--record: ${file} exists, and is no record of an offboarding.`,
    'Name another file, or remove this one first.',
  );
}

const isRecord = (value: unknown): value is OffboardingRecord =>
  isObject(value) && value.object === 'offboarding' && hasMembers(value.member) && Array.isArray(value.steps);

/** Only its owner may read it: it has names, addresses and texts. */
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

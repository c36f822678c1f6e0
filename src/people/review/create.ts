import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Port } from '../../client/port.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { teams } from '../../contract/teams.ts';
import { users } from '../../contract/users.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { eachOf } from '../../shared/each-of.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { makePrivate, privately } from '../../shared/lock.ts';
import { appendEvidence, readEvidence, sha256 } from './evidence.ts';
import { csvColumns, evidenceFile, type Review, type ReviewFile, reviewFile, type ReviewRow } from './files.ts';

export interface Created {
  review: Review;
  /** Teams without an owner: the caller decides about them. */
  ownerless: string[];
  /** Members who are in no team, and so in no file. */
  outside: number;
}

const concurrency = 8;

/**
 * Writes a review: a file for each owner of a team, with everybody in it.
 *
 * @param dryRun only tells what it would write
 * @param safe makes a cell safe to open in a spreadsheet
 * @throws EngineError if the folder is not empty
 */
export async function createReview(
  port: Port,
  { orgId, folder, dryRun }: { orgId: string; folder: string; dryRun: boolean },
  safe: (cell: string) => string,
): Promise<Created> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new EngineError('usage', `${folder} is not empty.`, { hint: 'Name a new folder with --out.' });
  const { client } = port;
  const [caller, organization] = await Promise.all([
    client.call(users.current, {}),
    client.call(orgs.view, { params: { orgId } }),
  ]);
  const by = { id: caller.id, title: caller.email ?? caller.displayName };
  const rows = await readRows(port, orgId);
  const ownerless = new Map(rows.map(({ teamId, team }) => [teamId, team]));
  for (const { role, teamId } of rows) if (role === 'owner') ownerless.delete(teamId);
  const { count } = await client.call(members.list, { params: { orgId }, query: { limit: 0 } });
  const review: Review = {
    object: 'access-review',
    createdAt: new Date().toISOString(),
    organization: { id: orgId, title: organization.title },
    by: `${by.title} (${by.id})`,
    rows,
    files: filesOf(rows, by, ownerless),
  };
  const outside = count - new Set(rows.map(({ memberId }) => memberId)).size;
  const created = { review, ownerless: [...ownerless.values()], outside };
  if (!dryRun) await writeReview(folder, review, safe);
  return created;
}

async function writeReview(folder: string, review: Review, safe: (cell: string) => string): Promise<void> {
  privately(() => makePrivate(folder));
  const byKey = new Map(review.rows.map((row) => [row.key, row]));
  for (const { file, keys } of review.files) {
    const records = keys.flatMap((key) => byKey.get(key) ?? []).map((row) => cellsOf(row).map(safe));
    await writeFileAtomic(join(folder, file), stringify([[...csvColumns], ...records]), 0o600);
  }
  const text = `${JSON.stringify(review, null, 1)}\n`;
  await writeFileAtomic(reviewFile(folder), text, 0o600);
  const file = evidenceFile(folder);
  appendEvidence(file, readEvidence(file), [{ type: 'created', by: review.by, review: sha256(text) }]);
}

async function readRows({ client, progress }: Port, orgId: string): Promise<ReviewRow[]> {
  const all = await Array.fromAsync(client.items(teams.list, { params: { orgId } }));
  const rows = new Map<string, ReviewRow[]>();
  const read = async ({ id: teamId, title }: (typeof all)[number]) => {
    const list = client.items(teams.listMembers, { params: { orgId, teamId } });
    const ofTeam = await Array.fromAsync(list, ({ organization: { id, user, lastSeenAt }, team }): ReviewRow => ({
      key: `${teamId}/${id}`,
      team: title,
      teamId,
      member: user.displayName,
      email: user.email ?? '',
      memberId: id,
      role: team.role,
      lastSeen: lastSeenAt ?? 'never',
    }));
    rows.set(teamId, ofTeam);
    progress.count(rows.size, all.length);
  };
  await eachOf(all, read, concurrency);
  return all.flatMap(({ id }) => rows.get(id) ?? []);
}

function filesOf(
  rows: readonly ReviewRow[],
  by: { id: string; title: string },
  ownerless: ReadonlyMap<string, string>,
): ReviewFile[] {
  const owners = Map.groupBy(
    rows.filter(({ role }) => role === 'owner'),
    ({ memberId }) => memberId,
  );
  const fileOf = (ownerId: string, owner: string, keys: string[]): ReviewFile => ({
    file: `${fileNameOf(owner) ?? 'owner'}-${ownerId}.csv`,
    owner,
    ownerId,
    keys,
  });
  const files = [...owners].map(([ownerId, owned]) => {
    const teamIds = new Set(owned.map(({ teamId }) => teamId));
    const keys = rows.filter(({ teamId }) => teamIds.has(teamId)).map(({ key }) => key);
    return fileOf(ownerId, owned[0]?.email || owned[0]?.member || ownerId, keys);
  });
  const left = rows.filter(({ teamId }) => ownerless.has(teamId)).map(({ key }) => key);
  if (left.length === 0) return files;
  return [...files, { ...fileOf(by.id, by.title, left), file: 'teams-without-owner.csv' }];
}

const cellsOf = ({ team, teamId, member, email, memberId, role, lastSeen }: ReviewRow): string[] => [
  team,
  teamId,
  member,
  email,
  memberId,
  role,
  lastSeen,
  '',
  '',
];

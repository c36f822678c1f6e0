import type { Client } from '../../client/client.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, scopeOf } from '../../cli/command/invocation.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { members } from '../../contract/members.ts';
import { siteSpaces } from '../../contract/site-spaces.ts';
import { spaces } from '../../contract/spaces.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import { roleOf } from '../../people/roles.ts';
import { printRows } from './print-rows.ts';
import {
  accessOf,
  accessReader,
  type Audit,
  collectionsOf,
  type Member,
  type Space,
} from '../../organization/access.ts';
import { type Collections, collectionsAbove } from '../../organization/collections-above.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { invites } from '../../contract/invites.ts';

/** How many members are read at once. */
export const width = 8;

export interface ListFlags {
  space?: string | undefined;
  site?: string | undefined;
  member?: string | undefined;
}

export async function listAccess(invocation: Invocation<{}, ListFlags>): Promise<void> {
  const { flags, io, selection } = invocation;
  const chosen = [flags.space, flags.site, flags.member].filter((each) => each !== undefined);
  if (chosen.length !== 1)
    throw new UsageError(
      chosen.length === 0 ? 'Name a space, a site or a member.' : '--space, --site and --member cannot be combined.',
      'Pass one of --space, --site and --member; "docsctl access matrix" shows all members and spaces.',
    );
  const client = await invocation.client();
  const audit = await auditOf(invocation, client);
  const people = flags.member === undefined ? undefined : [await memberNamed(client, audit.orgId, flags.member)];
  const read = people ? (member: Member) => accessOf(audit, member) : await accessReader(audit);
  const options = outputOptions(invocation, { idKey: people ? 'space.id' : 'member.id' });
  let total: number | undefined = people?.length;
  const source = people ?? membersOf(client, audit.orgId, [], (count) => (total = count));
  const printed = await printRows(invocation, {
    options,
    columns: invocation.command.output?.columns ?? [],
    rows: mapInOrder(source, width, read),
    total: () => total,
  });
  if (printed === 0) await io.note(selection ? 'Nothing found.' : 'Nobody has a level there.');
  if (audit.spaces)
    for (const note of await inviteLinkNotes(client, audit.orgId, audit.spaces, audit.collections)) await io.note(note);
}

/** The organization and spaces that the flags select. */
async function auditOf(invocation: Invocation<{}, ListFlags>, client: Client): Promise<Audit> {
  const { space: spaceId, site: siteId } = invocation.flags;
  if (spaceId !== undefined) {
    const space = await client.call(spaces.view, { params: { spaceId } });
    const orgId = space.organization;
    return { client, orgId, collections: await collectionsOf(client, orgId), spaces: new Map([[space.id, space]]) };
  }
  const orgId = await scopeOf(invocation, 'org');
  const collections = await collectionsOf(client, orgId);
  return {
    client,
    orgId,
    collections,
    ...(siteId === undefined ? {} : { spaces: await spacesOf(client, orgId, siteId) }),
  };
}

/** The spaces of a site, by id. */
export async function spacesOf(client: Client, orgId: string, siteId: string): Promise<Map<string, Space>> {
  const byId = new Map<string, Space>();
  for await (const { space } of client.items(siteSpaces.list, { params: { orgId, siteId } })) byId.set(space.id, space);
  return byId;
}

const memberNamed = (client: Client, orgId: string, userId: string): Promise<Member> =>
  client.call(members.view, { params: { orgId, userId } });

/**
 * All members of an organization, page after page.
 *
 * @param roleWords only those with one of these roles; empty for all
 * @param onCount receives the total number
 */
export async function* membersOf(
  client: Client,
  orgId: string,
  roleWords: readonly string[],
  onCount: (count: number) => void,
): AsyncGenerator<Member> {
  const queries =
    roleWords.length === 0 ? [{}] : roleWords.map((word) => ({ role: roleOf(word) ?? ('guest' as const) }));
  let before = 0;
  for (const query of queries) {
    let count = 0;
    for await (const page of client.pages(members.list, { params: { orgId }, query })) {
      count = page.count ?? 0;
      onCount(before + count);
      yield* page.items;
    }
    before += count;
  }
}

/**
 * Notes about invite links that give a level on the spaces, because anyone with the link can join. If the caller may not see
 * invite links, a note says so.
 */
async function inviteLinkNotes(
  client: Client,
  orgId: string,
  spaces: ReadonlyMap<string, Space>,
  collections: Collections,
): Promise<string[]> {
  const above = new Set(
    [...spaces.values()].flatMap((space) => collectionsAbove(space, collections).above.map(({ id }) => id)),
  );
  const notes: string[] = [];
  try {
    for await (const invite of client.items(invites.listLinks, { params: { orgId } })) {
      if ('space' in invite && spaces.has(invite.space.id))
        notes.push(noteOf(invite.id, invite.level, `the space "${invite.space.title}"`));
      if ('collection' in invite && above.has(invite.collection.id))
        notes.push(noteOf(invite.id, invite.level, `the collection "${invite.collection.title}"`));
    }
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 403)) throw error;
    return ['Invite links were not checked, because only administrators of the organization can see them.'];
  }
  return notes;
}

const noteOf = (id: string, level: string | null, where: string) =>
  `Invite link ${id}: anyone who has it gets ${level === null ? 'no level' : `the level ${level}`} on ${where}.`;

import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError, checkFailed } from '../../cli/program/failure.ts';
import { atLeast, type RoleName, roles } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { spaces } from '../../contract/spaces.ts';
import { nearest } from '../../shared/suggest.ts';
import { accessOf, collectionsOf, absenceText } from '../../organization/access.ts';

type Arguments = { user?: string | undefined; space?: string | undefined; level?: string | undefined };

/** Prints whether a member has a level on a space, and why. @throws CommandError (status 9) if not */
export async function checkAccess(invocation: Invocation<Arguments>): Promise<void> {
  const [userId, spaceId] = [argument(invocation, 'user'), argument(invocation, 'space')];
  const needed = levelOf(invocation.args.level ?? 'read');
  const client = await invocation.client();
  const space = await client.call(spaces.view, { params: { spaceId } });
  if (space.deletedAt !== undefined) {
    throw checkFailed(
      `The space "${space.title}" is deleted, so nobody has access.`,
      `"docsctl spaces restore ${space.id}" restores it.`,
    );
  }
  const orgId = space.organization;
  const [member, collections] = await Promise.all([
    client.call(members.view, { params: { orgId, userId } }),
    collectionsOf(client, orgId),
  ]);
  const audit = { client, orgId, collections, spaces: new Map([[space.id, space]]) };
  const [access] = await accessOf(audit, member);
  const { user, role, disabled } = member;
  const allowed = access !== undefined && atLeast(access.level, needed) && !disabled;
  await print(invocation, {
    allowed,
    needed,
    level: access?.level ?? 'none',
    reason: access?.reason ?? absenceText(member),
    member: { id: member.id, displayName: user.displayName, email: user.email, role, disabled },
    space: { id: space.id, title: space.title },
  });
  if (!allowed)
    throw checkFailed(
      `${visible(user.displayName)} does not have the level ${needed} on ${visible(space.title)}: ${whyNot(access?.level, disabled)}.`,
    );
}

const whyNot = (level: RoleName | undefined, disabled: boolean) =>
  disabled ? 'the member is disabled' : level === undefined ? 'no level at all' : `only ${level}`;

function levelOf(word: string): RoleName {
  const level = roles.find((role) => role === word);
  if (level) return level;
  const near = nearest(word, roles);
  throw new UsageError(
    `<level>: "${word}" is not one of ${roles.toReversed().join(', ')}.`,
    near === undefined ? undefined : `Did you mean "${near}"?`,
  );
}

import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, scopeOf } from '../../cli/command/invocation.ts';
import type { Column } from '../../cli/output/index.ts';
import type { RoleName } from '../../contract/access.ts';
import { orgs } from '../../contract/orgs.ts';
import { spaces as spaceEndpoints } from '../../contract/spaces.ts';
import type { Client } from '../../client/client.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import { membersOf, spacesOf, width } from './list.ts';
import { printRows } from './print-rows.ts';
import { type Access, accessReader, collectionsOf, type Member, type Space } from '../../organization/access.ts';

/** A member with the levels on all spaces. */
interface Row {
  id: string;
  displayName: string;
  email: string | undefined;
  role: RoleName | null;
  disabled: boolean;
  spaces: { id: string; title: string; level: RoleName; reason: string }[];
}

interface MatrixFlags {
  site?: string | undefined;
  role?: string[] | undefined;
}

export async function printMatrix(invocation: Invocation<{}, MatrixFlags>): Promise<void> {
  const { flags, globals, io } = invocation;
  const client = await invocation.client();
  const orgId = await scopeOf(invocation, 'org');
  const spaces = flags.site === undefined ? await allSpaces(client, orgId) : await spacesOf(client, orgId, flags.site);
  if (flags.site === undefined && !(await client.call(orgs.view, { params: { orgId } })).permissions.admin)
    await io.note(
      'Only spaces that you can see are included, because you are not an administrator of the organization.',
    );
  const audit = { client, orgId, spaces, collections: await collectionsOf(client, orgId) };
  const read = await accessReader(audit);
  // A matrix needs the names of its columns, even for programs.
  const options = outputOptions(invocation, { header: globals.header !== false });
  let total: number | undefined;
  const people = membersOf(client, orgId, [...new Set(flags.role)], (count) => (total = count));
  await printRows(invocation, {
    options,
    columns: columnsFor([...spaces.values()]),
    rows: mapInOrder(people, width, async (member) => [rowOf(member, await read(member))]),
    total: () => total,
  });
}

async function allSpaces(client: Client, orgId: string): Promise<Map<string, Space>> {
  const byId = new Map<string, Space>();
  for await (const { id, title, parent, defaultLevel, createdAt } of client.items(spaceEndpoints.list, {
    params: { orgId },
  }))
    byId.set(id, { id, title, defaultLevel, createdAt, ...(parent === undefined ? {} : { parent }) });
  return byId;
}

const rowOf = ({ id, user, role, disabled }: Member, rows: Access[]): Row => ({
  id,
  displayName: user.displayName,
  email: user.email,
  role,
  disabled,
  spaces: rows.map(({ space, level, reason }) => ({ ...space, level, reason })),
});

/** The member, then a column for each space. Spaces with the same title also have their IDs. */
function columnsFor(spaces: readonly Space[]): Column<Row>[] {
  const titles = Map.groupBy(spaces, ({ title }) => title);
  return [
    { key: 'displayName', title: 'Name' },
    { key: 'email', title: 'Email' },
    { key: 'role', kind: 'role' },
    ...spaces.map(({ id, title }): Column<Row> => {
      const name = (titles.get(title)?.length ?? 0) > 1 ? `${title} (${id})` : title;
      return { key: name, title: name, value: (row) => row.spaces.find((space) => space.id === id)?.level };
    }),
    { key: 'id', title: 'ID', kind: 'id' },
  ];
}

import type { Service } from './service.ts';

type Cells = Record<string, unknown>;

/** The rows of a database by table and key, without what follows from others. */
export type DatabaseState = Map<string, Cells>;

/** Tables with what people see and change, and the columns that identify a row. */
const tables: Readonly<Record<string, readonly string[]>> = {
  organization: ['id'],
  organization_email_domain: ['domain'],
  member: ['organization', 'user'],
  collection: ['id'],
  space: ['id'],
  content_grant: ['user', 'organization', 'space', 'collection'],
  team: ['id'],
  team_member: ['team', 'user'],
  invite: ['id'],
  saml_provider: ['id'],
  site: ['id'],
  site_section_group: ['id'],
  site_section: ['id'],
  site_space: ['id'],
  share_link: ['id'],
  change_request: ['id'],
  comment: ['id'],
  comment_reply: ['id'],
  reaction: ['target', 'emoji', 'user'],
  custom_field: ['id'],
  custom_field_value: ['space', 'field'],
  openapi_spec: ['id'],
  translation: ['id'],
};

/** Times, counts, and what an undo cannot restore because the service has no request for it. */
const volatile =
  /(?:^|_)(?:updated_at|seen_at|edited_at|resolved_at|resolved_by|reacted_at|processed_at|number|position|revision\w*|comments|replies|change_requests\w*|spaces|collections|\w+_below|top_collections|last_version|processing_state|\w+_error_code|seq)$/;

/** The list that a row is in, of rows with positions. */
const listOf: Readonly<Record<string, (row: Cells) => string>> = {
  collection: ({ organization, parent }) => `tree ${String(organization)} ${String(parent)}`,
  space: ({ organization, parent }) => `tree ${String(organization)} ${String(parent)}`,
  site_section_group: ({ site }) => `site ${String(site)} null`,
  site_section: ({ site, section_group }) => `site ${String(site)} ${String(section_group)}`,
  site_space: ({ site, section }) => `site space ${String(site)} ${String(section)}`,
};

/** Reads the database. Places among others are ranks, because their numbers change when others are moved. */
export async function databaseState(service: Service): Promise<DatabaseState> {
  const rows = await service.instance.store.read(async (db) => {
    const all: { table: string; row: Cells }[] = [];
    for (const table of Object.keys(tables))
      for (const row of await db
        .selectFrom(table as never)
        .selectAll()
        .execute())
        all.push({ table, row: row as Cells });
    return all;
  });
  const deleted = new Set(
    rows.flatMap(({ table, row }) => (table === 'space' && row['deleted_at'] ? [row['id']] : [])),
  );
  const present = rows.filter(({ row }) => !deleted.has(row['space']) && !row['deleted_at']);
  // The service does not list where a collection without spaces is.
  const parents = new Set(present.flatMap(({ table, row }) => (table === 'space' ? [row['parent']] : [])));
  const above = new Map(
    present.flatMap(({ table, row }) => (table === 'collection' ? [[row['id'], row['parent']]] : [])),
  );
  for (const id of parents) if (above.get(id)) parents.add(above.get(id));
  const isListed = ({ table, row }: { table: string; row: Cells }) => table !== 'collection' || parents.has(row['id']);
  const lists = Map.groupBy(present.filter(isListed), ({ table, row }) => listOf[table]?.(row));
  const ranks = new Map<unknown, number>();
  for (const [list, members] of lists) {
    if (list === undefined) continue;
    const inOrder = members.toSorted((one, other) => Number(one.row['position']) - Number(other.row['position']));
    inOrder.forEach(({ row }, index) => ranks.set(row['id'], index));
  }
  return new Map(
    present.map(({ table, row }) => [
      `${table} ${tables[table]!.map((column) => String(row[column])).join(' ')}`,
      {
        // A text that was not set is cleared with "".
        ...Object.fromEntries(
          Object.entries(row).flatMap(([column, value]) => (volatile.test(column) ? [] : [[column, value ?? '']])),
        ),
        ...(ranks.has(row['id']) && { rank: ranks.get(row['id']) }),
      },
    ]),
  );
}

/** The differences of the second state, one for each cell or row. */
export function differences(one: DatabaseState, other: DatabaseState): string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].flatMap((key) => {
    const [before, after] = [one.get(key), other.get(key)];
    if (!before) return [`+ ${key}`];
    if (!after) return [`- ${key}`];
    return Object.keys({ ...before, ...after }).flatMap((column) =>
      String(before[column]) === String(after[column])
        ? []
        : [`${key}.${column}: ${String(before[column])} > ${String(after[column])}`],
    );
  });
}

/** The cells and rows that differ, as names that a third state can be looked up with. */
export function cellsOf(state: DatabaseState, ignored: RegExp): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [key, row] of state) {
    cells.set(key, 'present');
    for (const [column, value] of Object.entries(row))
      if (!ignored.test(column)) cells.set(`${key}.${column}`, String(value));
  }
  return cells;
}

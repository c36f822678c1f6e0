import type { Column } from '../../cli/output/index.ts';
import type { RoleName } from '../../contract/access.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { invites } from '../../contract/invites.ts';
import { resultColumns as rowColumns, role } from '../shared/columns.ts';
import type { Outcome } from '../shared/result-file.ts';

/** The result of inviting a person. */
export interface Result {
  email: string;
  role?: RoleName | null | undefined;
  sso?: boolean | undefined;
  outcome: Outcome;
  reason?: string;
  line?: number | undefined;
}

export const resultColumns: Column[] = [
  { key: 'email', title: 'Email', kind: 'id' },
  role,
  { key: 'sso', title: 'SSO', kind: 'boolean', optional: true },
  ...rowColumns,
];

type Link = ItemOf<typeof invites.listLinks>;

export const linkColumns: Column<Link>[] = [
  { key: 'role', kind: 'role', value: (link) => ('role' in link ? link.role : link.level) },
  { key: 'for', value: targetOf },
  { key: 'redundant', kind: 'boolean', optional: true },
  { key: 'id', title: 'ID', kind: 'id' },
];

function targetOf(link: Link): string {
  if ('space' in link) return link.space.title;
  return 'collection' in link ? link.collection.title : 'the organization';
}

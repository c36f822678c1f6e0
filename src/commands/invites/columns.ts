import type { Column } from '../../cli/output/index.ts';
import type { RoleName } from '../../contract/access.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { invites } from '../../contract/invites.ts';

/** In the order of the summary. */
export const outcomes = [
  'invited',
  'changed',
  'member already',
  'repeated',
  'not changed',
  'refused',
  'not sent',
] as const;
type Outcome = (typeof outcomes)[number];

/** What became of somebody. */
export interface Result {
  email: string;
  role?: RoleName | null | undefined;
  sso?: boolean | undefined;
  outcome: Outcome;
  reason?: string;
  line?: number;
}

export const resultColumns: Column<Result>[] = [
  { key: 'email', title: 'Email', kind: 'id' },
  { key: 'role', kind: 'role' },
  { key: 'sso', title: 'SSO', kind: 'boolean', optional: true },
  {
    key: 'outcome',
    kind: 'state',
    style: {
      invited: 'good',
      changed: 'good',
      'member already': 'dim',
      repeated: 'dim',
      'not changed': 'bad',
      'not sent': 'warn',
      refused: 'bad',
    },
  },
  { key: 'reason' },
  { key: 'line', kind: 'number', optional: true },
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

import type { Flag } from '../../cli/command/command.ts';
import type { Column } from '../../cli/output/index.ts';

export const columns: Column[] = [
  { key: 'name', kind: 'id' },
  { key: 'current', kind: 'boolean', style: { true: 'good' } },
  { key: 'url', title: 'Address' },
  { key: 'org', title: 'Organization', kind: 'id', optional: true },
  { key: 'space', kind: 'id', optional: true },
  { key: 'site', kind: 'id', optional: true },
  { key: 'token', title: 'Token in' },
];

export const card: Column[] = [...columns, { key: 'database' }, { key: 'folders', title: 'Allowed in', kind: 'list' }];

export const createFlags = [
  { flags: '--org <id>', description: 'default organization' },
  { flags: '--space <id>', description: 'default space' },
  { flags: '--site <id>', description: 'default site' },
  { flags: '--use', description: 'make it the current profile' },
] as const satisfies readonly Flag[];

import type { Flag } from '../../cli/command/command.ts';
import type { Column } from '../../cli/output/index.ts';

export const columns: Column[] = [{ key: 'key', kind: 'id' }, { key: 'value' }];
export const originColumns: Column[] = [...columns, { key: 'origin' }, { key: 'source' }];

export const keys = ['profile', 'url', 'org', 'space', 'site', 'journal', 'token-command'] as const;
export type Key = (typeof keys)[number];

export const showFlags = [
  { flags: '--show-origin', description: 'show where each value comes from: flag, environment, project, profile' },
] as const satisfies readonly Flag[];

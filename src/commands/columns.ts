import type { Column } from '../cli/output/index.ts';

/** Columns that several groups show. */
export const id: Column = { key: 'id', title: 'ID', kind: 'id' };
export const title: Column = { key: 'title' };
export const created: Column = { key: 'createdAt', title: 'Created', kind: 'date', optional: true };
export const updated: Column = { key: 'updatedAt', title: 'Updated', kind: 'date', optional: true };
export const role: Column = { key: 'role', kind: 'role' };

import { type LevelRow, levelsFile } from '../../organization/files/levels.ts';
import type { PlanRow } from './print-plan.ts';

/** Where levels differ from levels.csv. @param desired undefined where the file is missing */
export function levelRows(desired: readonly LevelRow[] = [], current: readonly LevelRow[] = []): PlanRow[] {
  const left = new Map(current.map((row) => [nameOf(row), row.level]));
  const rows: PlanRow[] = [];
  const add = (name: string, action: PlanRow['action'], levels: { before?: string | undefined; after?: string }) =>
    void rows.push({ kind: 'level', name, action, fields: [{ field: 'level', ...levels }], file: levelsFile });
  for (const row of desired) {
    const name = nameOf(row);
    const before = left.get(name);
    left.delete(name);
    if (before === undefined) add(name, 'create', { after: row.level });
    else if (before !== row.level) add(name, 'update', { before, after: row.level });
  }
  for (const [name, before] of left) add(name, 'unmanaged', { before });
  return rows;
}

const nameOf = ({ email, space }: LevelRow) => `${email} on ${space}`;

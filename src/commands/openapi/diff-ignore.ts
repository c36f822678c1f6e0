import { IgnoreFile, matchesPattern } from '../../cli/report/ignore.ts';
import { changeRules, type PlacedChange } from '../../openapi/index.ts';

export interface Ignored {
  /** Changes that are left, with the operations that are. */
  changes: PlacedChange[];
  /** How many changes were left out. */
  count: number;
  /** Texts about entries whose date is over, and about those that fit nothing. */
  expired: string[];
  unused: string[];
}

const example = `[{ rule: parameter-removed, path: "GET /pets", until: 2030-01-31, reason: Nobody used it }]`;

/** Leaves out the changes that a file accepts. @throws UsageError where the file is not valid */
export function ignoreChanges(file: string, changes: readonly PlacedChange[], today: string): Ignored {
  const ignored = new IgnoreFile(file, { rules: new Set(changeRules.keys()), example, today });
  const isIgnored = (rule: string, operation: string | undefined) =>
    ignored.accepts(rule, (path) => fits(path, operation));
  const left = changes.flatMap((change): PlacedChange[] => {
    const { rule, operations } = change;
    if (operations.length === 0) return isIgnored(rule, undefined) ? [] : [change];
    const others = operations.filter((operation) => !isIgnored(rule, operation));
    return others.length === 0 ? [] : [{ ...change, operations: others }];
  });
  return {
    changes: left,
    count: changes.length - left.length,
    expired: [...ignored.expired],
    unused: ignored.unused,
  };
}

/** Whether `/pets/*` or `GET /pets/*` stands for an operation. */
function fits(pattern: string, operation: string | undefined): boolean {
  if (operation === undefined) return false;
  const [method = '', path = ''] = operation.split(' ');
  return (
    matchesPattern(pattern, operation) ||
    matchesPattern(pattern, path) ||
    matchesPattern(pattern, `${method.toLowerCase()} ${path}`)
  );
}

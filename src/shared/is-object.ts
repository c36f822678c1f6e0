/** Whether a value is an object with members: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As `isObject`, and true for arrays too: their indexes are members. */
export const hasMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

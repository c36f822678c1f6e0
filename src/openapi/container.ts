/** An object or an array of a JSON or YAML document. The keys of an array are its indices. */
export type Container = Record<string, unknown>;

export const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

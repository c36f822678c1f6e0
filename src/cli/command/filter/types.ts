/** What a filter may ask of a field; `~` is "contains", `=~` matches a regular expression. */
export const operators = ['=', '!=', '<', '<=', '>', '>=', '~', '=~'] as const;
export type Operator = (typeof operators)[number];

/** What a filter must know of a field of the items. */
export interface FieldType {
  /** `any` if the contract does not say; `object` if only members can be compared. */
  kind: 'text' | 'number' | 'boolean' | 'date' | 'word' | 'object' | 'any';
  /** An item may be without it. */
  nullable: boolean;
  /** An item may have several values: a list, or a member of the items of a list. */
  many: boolean;
  /** The words of an enumeration. */
  words?: readonly string[];
  /** The same from least to most, if they have an order. Null, not a missing field, is below all of them. */
  ranks?: readonly string[];
  /** The word for null, if it is one of the ranks: a missing field has none. */
  nullWord?: string;
}

/** One `--filter` with a typed value. */
export interface Condition {
  field: string;
  operator: Operator;
  /** The value that `=` asks for; null for none. */
  operand: unknown;
  matches(item: unknown): boolean;
}

/** One `--sort-by`. */
export interface SortKey {
  field: string;
  type: FieldType;
  descending: boolean;
  /** What is compared; undefined for nothing, which comes last in both directions. */
  valueOf(item: unknown): unknown;
}

/** What `--filter` and `--sort-by` ask of a list: all conditions hold, and the first key that differs decides. */
export interface Selection {
  conditions: readonly Condition[];
  keys: readonly SortKey[];
}

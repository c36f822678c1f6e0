declare const valueType: unique symbol;

/** A column's JSON, with the type of its value. */
export type JsonText<T> = string & { readonly [valueType]: T };

export const jsonText = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>;

export const parseJson = <T>(text: JsonText<T>): T => JSON.parse(text);

/** Stands in the text of a response where a `JsonText` belongs. Random, so that no caller can send it. */
let placeholder: string | undefined;

let written: string[] = [];

/** A value that is JSON already, and so long that parsing and writing it would delay other requests. */
class JsonText {
  readonly #json: string;

  constructor(json: string) {
    this.#json = json;
  }

  toJSON(): string {
    written.push(this.#json);
    return (placeholder ??= process.getBuiltinModule('node:crypto').randomUUID());
  }
}

/** Characters of JSON that are parsed and written in an unnoticeable time. */
const maxParsed = 20_000;

/** The value of a JSON text that becomes a part of a response. */
export function jsonValue<T>(json: string): T {
  // A long value is never read, only written by `writeJson`.
  return (json.length > maxParsed ? new JsonText(json) : JSON.parse(json)) as T;
}

/** `JSON.stringify` that writes each `JsonText` as the JSON it holds. */
export function writeJson(value: unknown): string {
  written = [];
  const text = JSON.stringify(value);
  if (written.length === 0) return text;
  const [first, ...rest] = text.split(`"${placeholder}"`);
  return first + rest.map((part, index) => written[index] + part).join('');
}

/** Stands in the text of an answer where a `JsonText` goes; nobody can know it. Made when it is needed first. */
let mark: string | undefined;

let taken: string[] = [];

/** A value that is JSON already, and too long to be read and written again in the thread that answers everybody. */
class JsonText {
  readonly #json: string;

  constructor(json: string) {
    this.#json = json;
  }

  toJSON(): string {
    taken.push(this.#json);
    return (mark ??= process.getBuiltinModule('node:crypto').randomUUID());
  }
}

/** Characters of JSON that are read and written again without anybody noticing. */
const maxAtOnce = 20_000;

/** The value of a JSON text that goes into an answer. */
export function jsonValue<T>(json: string): T {
  return (json.length > maxAtOnce ? new JsonText(json) : JSON.parse(json)) as T;
}

/** `JSON.stringify`, with each `JsonText` in its place. */
export function writeJson(value: unknown): string {
  taken = [];
  const text = JSON.stringify(value);
  if (taken.length === 0) return text;
  const [first, ...rest] = text.split(`"${mark}"`);
  return first + rest.map((part, index) => taken[index] + part).join('');
}

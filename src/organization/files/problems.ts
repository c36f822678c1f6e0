import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

/** A mistake in a file, or something that the service cannot do. */
export interface FileProblem {
  /** Path from the folder. */
  file: string;
  /** From 1; undefined if the whole file is meant. */
  line?: number | undefined;
  column?: number | undefined;
  message: string;
}

/** A place in a file: the member at a JSON path, or a line of CSV. */
type Place = { file: string; at?: readonly PropertyKey[]; isKey?: boolean; line?: number };

/** Finds the lines of members in YAML texts. Texts are parsed again for this, but only if there are problems. */
export class Places {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #documents = new Map<
    string,
    { lines: LineCounter; nodeAt: (path: readonly PropertyKey[]) => Node | undefined }
  >();

  /** Lines of members.csv by address. */
  readonly memberLines = new Map<string, number>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** Whether a file exists, even if it could not be parsed. */
  hasFile(file: string): boolean {
    return this.#texts.has(file);
  }

  /** @param place with `isKey`: of the name of the member, not its value */
  problem({ file, at, line, isKey = false }: Place, message: string): FileProblem {
    if (line !== undefined) return { file, line, message };
    const position = at && this.#positionOf(file, at, isKey);
    return { file, ...position, message };
  }

  /** The line and column of a member, or of its closest existing ancestor. */
  #positionOf(
    file: string,
    path: readonly PropertyKey[],
    isKey: boolean,
  ): { line: number; column: number } | undefined {
    const { lines, nodeAt } = this.#document(file);
    for (let length = path.length; length >= 0; length -= 1) {
      const key = isKey && length === path.length ? keyNode(nodeAt(path.slice(0, -1)), path.at(-1)) : undefined;
      const start = (key ?? nodeAt(path.slice(0, length)))?.range?.[0];
      if (start === undefined) continue;
      const { line, col } = lines.linePos(start);
      return { line, column: col };
    }
    return undefined;
  }

  #document(file: string) {
    const parsed = this.#documents.get(file);
    if (parsed) return parsed;
    const lines = new LineCounter();
    const document = parseDocument(this.#texts.get(file) ?? '', { lineCounter: lines, logLevel: 'silent' });
    const nodeAt = (path: readonly PropertyKey[]): Node | undefined => {
      const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
      return isNode(node) ? node : undefined;
    };
    const located = { lines, nodeAt };
    this.#documents.set(file, located);
    return located;
  }
}

/** The name of a member of a mapping. */
function keyNode(parent: Node | undefined, key: PropertyKey | undefined): Node | undefined {
  if (!isMap(parent)) return undefined;
  for (const pair of parent.items) if (isScalar(pair.key) && String(pair.key.value) === key) return pair.key;
  return undefined;
}

import { nearest } from '../shared/suggest.ts';
import { type Part, parts } from './organization.ts';

/** The parts of which single objects can be named. */
const withObjects: ReadonlySet<Part> = new Set(['teams', 'sso', 'spaces', 'content', 'sites', 'openapi']);

/** Why a word does not name a part. */
export class UnknownPart extends Error {
  override readonly name = 'UnknownPart';
}

/** What of an organization is read or written: parts, whole or single objects of them. */
export class Selection {
  readonly #names = new Map<Part, Set<string> | 'all'>();

  /** @param words `teams`, `teams/writers`; none: everything. @throws UnknownPart */
  constructor(words: readonly string[] = []) {
    if (words.length === 0) for (const part of parts) this.#names.set(part, 'all');
    for (const word of words) {
      const [first = '', ...rest] = word.trim().replace(/\/$/, '').split('/');
      const part = parts.find((each) => each === first);
      if (!part) throw new UnknownPart(unknown(first));
      const name = rest.join('/');
      if (name !== '' && !withObjects.has(part)) throw new UnknownPart(`${part} has no parts: "${word}".`);
      this.#add(part, name);
      // The folder of a space has its content too.
      if (part === 'spaces') this.#add('content', name);
    }
  }

  #add(part: Part, name: string): void {
    const names = this.#names.get(part);
    if (name === '' || names === 'all') this.#names.set(part, 'all');
    else this.#names.set(part, (names ?? new Set()).add(name));
  }

  /** Whether any of these parts is selected, whole or in part. */
  has(...wanted: readonly Part[]): boolean {
    return wanted.some((part) => this.#names.has(part));
  }

  /** Whether an object of a part is selected. */
  includes(part: Part, name: string): boolean {
    const names = this.#names.get(part);
    return names === 'all' || names?.has(name) === true;
  }

  /** The parts that are selected whole. */
  whole(): Part[] {
    return [...this.#names].flatMap(([part, names]) => (names === 'all' ? [part] : []));
  }

  /** The names of objects that are selected one by one. */
  named(): [part: Part, name: string][] {
    return [...this.#names].flatMap(([part, names]) =>
      names === 'all' ? [] : [...names].map((name): [Part, string] => [part, name]),
    );
  }

  /** Whether a file belongs to what is selected. @param path from the folder */
  covers(path: string): boolean {
    const [first = '', second = '', ...rest] = path.split('/');
    const top = parts.find((part) => first === `${part}.yaml` || first === `${part}.csv`);
    if (top) return this.#names.get(top) === 'all';
    if (first === 'spaces') return this.includes(rest[0] === 'space.yaml' ? 'spaces' : 'content', second);
    const part = parts.find((each) => each === first);
    return part !== undefined && this.includes(part, second.replace(/\.yaml$/, ''));
  }
}

function unknown(word: string): string {
  const near = nearest(word, parts);
  return `"${word}" is not a part of an organization. ${near === undefined ? '' : `Did you mean "${near}"? `}Parts: ${parts.join(', ')}.`;
}

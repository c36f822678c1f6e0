import { EngineError } from '../shared/engine-error.ts';
import { nearest } from '../shared/suggest.ts';
import { fileParts, hasObjects, nameIn, type Part, parts } from './parts.ts';

/** What to read or write of an organization: whole parts, or single objects of them. */
export class Selection {
  readonly #names = new Map<Part, Set<string> | 'all'>();

  /** @param words `teams`, `teams/writers`; none: everything. @throws EngineError if a word names no part */
  constructor(words: readonly string[] = []) {
    if (words.length === 0) for (const part of parts) this.#names.set(part, 'all');
    for (const word of words) {
      const [first = '', ...rest] = word.trim().replace(/\/$/, '').split('/');
      const part = parts.find((each) => each === first);
      if (!part) throw unknownPart(first);
      const name = rest.join('/');
      if (name !== '' && !hasObjects(part)) throw new EngineError('usage', `--only: ${part} has no parts: "${word}".`);
      this.#add(part, name);
      // The folder of a space includes its content.
      if (part === 'spaces') this.#add('content', name);
    }
  }

  #add(part: Part, name: string): void {
    const names = this.#names.get(part);
    if (name === '' || names === 'all') this.#names.set(part, 'all');
    else this.#names.set(part, (names ?? new Set()).add(name));
  }

  /** Whether any of these parts is selected, as a whole or in part. */
  has(...some: readonly Part[]): boolean {
    return some.some((part) => this.#names.has(part));
  }

  includes(part: Part, name: string): boolean {
    const names = this.#names.get(part);
    return names === 'all' || names?.has(name) === true;
  }

  /** The parts that are selected as a whole. */
  whole(): Part[] {
    return [...this.#names].flatMap(([part, names]) => (names === 'all' ? [part] : []));
  }

  /** @throws EngineError if a single object is selected that does not exist: the result must not be an empty success */
  refuseMissing(exists: (part: Part, name: string) => boolean, hintFor: (part: Part) => string): void {
    for (const [part, names] of this.#names) {
      const missing = names === 'all' ? undefined : [...names].find((name) => !exists(part, name));
      if (missing !== undefined)
        throw new EngineError('notFound', `--only: there is no "${missing}" in ${part}.`, { hint: hintFor(part) });
    }
  }

  /** Whether a file belongs to a selected part or object. @param path from the folder */
  covers(path: string): boolean {
    const part = fileParts.find((each) => nameIn(each, path) !== undefined);
    if (part) return hasObjects(part) ? this.includes(part, nameIn(part, path) ?? '') : this.whole().includes(part);
    const [first, second = ''] = path.split('/');
    return first === 'spaces' && this.includes('content', second);
  }
}

/** @throws EngineError if a word names no part */
export const checkSelection = (words: readonly string[] | undefined): void => void new Selection(words);

function unknownPart(word: string): EngineError {
  const near = nearest(word, parts);
  const question = near === undefined ? '' : `Did you mean "${near}"? `;
  return new EngineError(
    'usage',
    `--only: "${word}" is not a part of an organization. ${question}Parts: ${parts.join(', ')}.`,
  );
}

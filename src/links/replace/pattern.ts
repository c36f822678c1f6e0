import { createContext, type Context, runInContext } from 'node:vm';
import { isObject } from '../../shared/is-object.ts';

/** What is replaced by what. */
export interface Term {
  old: string;
  new: string;
}

/** A match, from the start of the text. */
export interface Match {
  start: number;
  end: number;
  replacement: string;
}

/** The expression takes too long on a text. */
export class SlowPattern extends Error {}

const limitMs = 2_000;

/** Words to replace, or one regular expression. */
export class Pattern {
  readonly #expression: RegExp;
  readonly #replacements: ReadonlyMap<string, string> | string;
  readonly #context: Context | undefined;

  /** @throws SyntaxError for an expression that is not valid */
  constructor(terms: readonly Term[], { isRegExp = false } = {}) {
    if (isRegExp) {
      // slow-regexp: the user writes it, and it runs with a limit of time.
      this.#expression = new RegExp(terms[0]?.old ?? '', 'gmu');
      this.#replacements = terms[0]?.new ?? '';
      this.#context = createContext({});
      return;
    }
    this.#replacements = new Map(terms.map((term) => [term.old, term.new]));
    // The longest first, so that "API keys" is not taken for "API".
    const longestFirst = [...this.#replacements.keys()].toSorted((one, other) => other.length - one.length);
    // slow-regexp: alternatives without repetition
    this.#expression = new RegExp(longestFirst.map((word) => RegExp.escape(word)).join('|'), 'g');
  }

  /** Whether it is worth looking for matches in the parts of a text. */
  mayMatch(text: string): boolean {
    return this.#limited(() => {
      this.#expression.lastIndex = 0;
      return this.#expression.test(text);
    });
  }

  /** The matches in a part of a text. */
  matchesIn(text: string, start = 0, end = text.length): Match[] {
    return this.#limited(() => {
      const visible = text.slice(0, end);
      const matches: Match[] = [];
      this.#expression.lastIndex = start;
      for (let match = this.#expression.exec(visible); match; match = this.#expression.exec(visible)) {
        const [whole] = match;
        if (whole === '') this.#expression.lastIndex += 1;
        else {
          matches.push({
            start: match.index,
            end: match.index + whole.length,
            replacement: this.#replacementOf(match),
          });
        }
      }
      return matches;
    });
  }

  replace(text: string): string {
    return withMatches(text, this.matchesIn(text));
  }

  #replacementOf(match: RegExpExecArray): string {
    if (typeof this.#replacements !== 'string') return this.#replacements.get(match[0]) ?? '';
    return this.#replacements.replaceAll(/\$(?:(\$|&)|(\d{1,2})|<([^<>]*)>)/g, (written, sign, number, name) => {
      if (sign !== undefined) return sign === '$' ? '$' : match[0];
      const group: string | undefined = number === undefined ? match.groups?.[name as string] : match[Number(number)];
      return group ?? (number === undefined || Number(number) < match.length ? '' : String(written));
    });
  }

  /** @throws SlowPattern */
  #limited<T>(run: () => T): T {
    if (!this.#context) return run();
    this.#context['run'] = run;
    try {
      return runInContext('run()', this.#context, { timeout: limitMs }) as T;
    } catch (error) {
      // It is an error of the other context.
      if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        throw new SlowPattern(`takes longer than ${limitMs / 1_000} seconds on one page`);
      }
      throw error;
    }
  }
}

/** The text with the replacements of matches in it, which are in order. */
export function withMatches(text: string, matches: readonly Match[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, replacement } of matches) {
    parts.push(text.slice(done, start), replacement);
    done = end;
  }
  return [...parts, text.slice(done)].join('');
}

/** What an expression may read, and the state of the job. */
export interface Contexts {
  [name: string]: unknown;
  /** Whether a step before has failed. */
  hasFailed: boolean;
}

const token = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.-]*)|(==|!=|&&|\|\||[!(),]))/y;

/** Evaluates an expression of GitHub's workflow syntax: literals, contexts, operators and the status functions. */
function evaluate(expression: string, contexts: Contexts): unknown {
  const parser = new Parser(expression.trim(), contexts);
  return parser.whole();
}

/** The text with each `${{ }}` replaced by its value. */
export const interpolate = (text: string, contexts: Contexts): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => textOf(evaluate(expression, contexts)));

/** Whether a step runs: after a failure only if its condition has a status function. */
export function isTrue(condition: string | boolean | undefined, contexts: Contexts): boolean {
  const text = String(condition ?? 'success()').replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1');
  const hasStatus = /\b(?:always|success|failure|cancelled)\s*\(/.test(text);
  if (!hasStatus && contexts.hasFailed) return false;
  return Boolean(evaluate(text, contexts));
}

class Parser {
  readonly #text: string;
  readonly #contexts: Contexts;
  #at = 0;

  constructor(text: string, contexts: Contexts) {
    this.#text = text;
    this.#contexts = contexts;
  }

  whole(): unknown {
    const value = this.#or();
    if (this.#at < this.#text.length) throw new Error(`Not understood: ${this.#text.slice(this.#at)}`);
    return value;
  }

  #or(): unknown {
    let value = this.#and();
    while (this.#take('||')) {
      const right = this.#and();
      value = value || right;
    }
    return value;
  }

  #and(): unknown {
    let value = this.#equality();
    while (this.#take('&&')) {
      const right = this.#equality();
      value = value && right;
    }
    return value;
  }

  #equality(): unknown {
    const left = this.#unary();
    if (this.#take('==')) return isEqual(left, this.#unary());
    if (this.#take('!=')) return !isEqual(left, this.#unary());
    return left;
  }

  #unary(): unknown {
    if (this.#take('!')) return !this.#unary();
    if (this.#take('(')) {
      const value = this.#or();
      if (!this.#take(')')) throw new Error(`")" is missing: ${this.#text}`);
      return value;
    }
    const [, string, number, name] = this.#next() ?? [];
    if (string !== undefined) return string.slice(1, -1).replaceAll("''", "'");
    if (number !== undefined) return Number(number);
    if (name === undefined) throw new Error(`Not understood: ${this.#text.slice(this.#at)}`);
    if (!this.#take('(')) return this.#valueOf(name);
    if (!this.#take(')')) throw new Error(`${name}() with arguments is not supported here.`);
    return this.#status(name);
  }

  #status(name: string): boolean {
    const { hasFailed } = this.#contexts;
    const states: Record<string, boolean> = {
      always: true,
      success: !hasFailed,
      failure: hasFailed,
      cancelled: false,
    };
    const state = states[name];
    if (state === undefined) throw new Error(`${name}() is not supported here.`);
    return state;
  }

  #valueOf(name: string): unknown {
    const literals: Record<string, unknown> = { true: true, false: false, null: null };
    if (name in literals) return literals[name];
    const [root = '', ...path] = name.split('.');
    if (!(root in this.#contexts)) throw new Error(`There is no context "${root}" here.`);
    return path.reduce<any>((value, part) => value?.[part], this.#contexts[root]);
  }

  #next(): RegExpExecArray | null {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match) this.#at = token.lastIndex;
    return match;
  }

  #take(operator: string): boolean {
    const before = this.#at;
    if (this.#next()?.[4] === operator) return true;
    this.#at = before;
    return false;
  }
}

/** Texts are equal whatever their case; nothing is the same as an empty text. */
function isEqual(left: unknown, right: unknown): boolean {
  return textOf(left).toLowerCase() === textOf(right).toLowerCase();
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** One command of a list. */
export interface ListedCommand {
  /** The line on which it starts. */
  line: number;
  /** Without a leading `docsctl`. */
  words: string[];
}

/** A mistake in a list, with what to do about it. */
export interface Mistake {
  line: number;
  message: string;
  hint?: string | undefined;
}

export interface CommandList {
  /** Commands without mistakes. */
  commands: ListedCommand[];
  mistakes: Mistake[];
}

/**
 * Splits a list of commands into words as a shell does, with quotes, backslashes, comments and continued lines. Nothing is
 * expanded, and other shell syntax is a mistake. (`shell-quote` expands variables and accepts unclosed quotes; `shlex` does
 * not support lines and comments.)
 */
export function readCommandList(text: string): CommandList {
  const reader = new Reader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  while (reader.readNext());
  return reader.list;
}

/** Words that a shell would not treat as text. */
const shellOperators = new Set([
  '|',
  '||',
  '&',
  '&&',
  ';',
  ';;',
  '<',
  '<<',
  '<<<',
  '>',
  '>>',
  '2>',
  '2>&1',
  '&>',
  '|&',
]);

class Reader {
  readonly list: CommandList = { commands: [], mistakes: [] };
  readonly #text: string;
  #at = 0;
  #line = 1;
  #words: string[] = [];
  /** Line of the first word of the command. */
  #start = 1;
  #word: string | undefined;
  #isQuoted = false;
  /** Whether the command has a mistake. It is not checked any further then. */
  #isMistaken = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads one character or quoted text. @returns false at the end */
  readNext(): boolean {
    const character = this.#text[this.#at];
    switch (character) {
      case undefined:
        this.#endCommand();
        return false;
      case '\n':
        this.#endCommand();
        this.#at += 1;
        this.#line += 1;
        break;
      case ' ':
      case '\t':
        this.#endWord();
        this.#at += 1;
        break;
      case '#':
        if (this.#word === undefined) this.#at = this.#endOfLine();
        else this.#append(character);
        break;
      case '\\':
        this.#readBackslash();
        break;
      case "'":
      case '"':
        this.#readQuoted(character);
        break;
      default:
        this.#append(character);
    }
    return true;
  }

  #append(text: string): void {
    if (this.#words.length === 0 && this.#word === undefined) this.#start = this.#line;
    this.#word = (this.#word ?? '') + text;
    this.#at += text.length;
  }

  /** Takes the next character literally. At the end of a line, the command continues on the next one. */
  #readBackslash(): void {
    const next = this.#text[this.#at + 1];
    this.#at += 1;
    if (next === '\n') {
      this.#at += 1;
      this.#line += 1;
    } else if (next === undefined) this.#report('Nothing follows the backslash.', 'For a backslash, write two.');
    else {
      this.#append(next);
      this.#isQuoted = true;
    }
  }

  #readQuoted(quote: '"' | "'"): void {
    const from = this.#at + 1;
    const end = quote === "'" ? this.#text.indexOf(quote, from) : this.#endOfDoubleQuotes(from);
    // An apostrophe within a word must not consume the following lines.
    const mayContinue = this.#word === undefined || this.#word.endsWith('=');
    const isClosed = end !== -1 && (mayContinue || end < this.#endOfLine());
    if (!isClosed) {
      const column = this.#at - this.#text.lastIndexOf('\n', this.#at - 1);
      this.#report(`The quote ${quote} in column ${column} is not closed.`, hintFor(quote));
      this.#at = mayContinue ? this.#text.length : this.#endOfLine();
      return;
    }
    const quoted = this.#text.slice(from, end);
    this.#append('');
    this.#word += quote === "'" ? quoted : unescaped(quoted);
    this.#isQuoted = true;
    this.#line += quoted.split('\n').length - 1;
    this.#at = end + 1;
  }

  #endOfDoubleQuotes(from: number): number {
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text[at] === '"') return at;
      if (this.#text[at] === '\\') at += 1;
    }
    return -1;
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (!this.#isQuoted && shellOperators.has(this.#word)) {
      this.#report(
        `"${this.#word}" is not supported: this is not a shell.`,
        'Write one command per line, without pipes or redirections. To pass it as text, quote it.',
      );
    }
    this.#words.push(this.#word);
    this.#word = undefined;
    this.#isQuoted = false;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words[0] === 'docsctl') this.#words.shift();
    if (this.#words.length > 0 && !this.#isMistaken) {
      this.list.commands.push({ line: this.#start, words: this.#words });
    }
    this.#words = [];
    this.#isMistaken = false;
  }

  #report(message: string, hint: string): void {
    this.#isMistaken = true;
    this.list.mistakes.push({ line: this.#line, message, hint });
  }
}

const hintFor = (quote: '"' | "'"): string =>
  quote === "'"
    ? `For an apostrophe, put the text in double quotes: "Don't".`
    : `For a double quote, write \\" or put the text in single quotes.`;

/** In double quotes, a backslash is literal unless a special character follows. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([\\"$`\n])/g, (_, character: string) => (character === '\n' ? '' : character));

import { withReferences } from './captures.ts';
import type { CommandList } from './listed-command.ts';
import { words } from '../../shared/words.ts';

/**
 * Splits a list of commands into words as a shell does, with quotes, backslashes, comments and continued lines. Of
 * variables, only the results of earlier lines are expanded (`team=$(teams create ...)`, then `$team`), and other shell syntax
 * is a mistake. (`shell-quote` expands variables and accepts unclosed quotes; `shlex` does
 * not support lines and comments.)
 */
export function readCommandList(text: string): CommandList {
  const reader = new Reader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  while (reader.readNext());
  return reader.list;
}

/** Words that a shell would not treat as text. */
const shellOperators = new Set(words('| || & && ; ;; < << <<< > >> 2> 2>&1 &> |&'));

/** The longest name of a result, with what is around it. */
const maxName = 100;

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
  /** Whether the last character of the word is neither quoted nor escaped. */
  #endsPlain = false;
  /** The names of results so far. */
  readonly #names = new Set<string>();
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
      case '$':
        this.#readDollar();
        break;
      default:
        this.#append(character);
        this.#endsPlain = true;
    }
    return true;
  }

  #readDollar(): void {
    const [whole = '$'] = /^\$(?:\w+|\{\w+\})/.exec(this.#text.slice(this.#at, this.#at + maxName)) ?? [];
    const text = withReferences(whole, this.#names);
    this.#append('');
    this.#word += text;
    this.#at += whole.length;
    this.#endsPlain = true;
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
      this.#endsPlain = false;
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
    this.#word += quote === "'" ? quoted : unescaped(withReferences(quoted, this.#names));
    this.#isQuoted = true;
    this.#endsPlain = false;
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
    const captures = this.#takeName();
    if (this.#words[0] === 'docsctl') this.#words.shift();
    if (this.#words.length > 0 && !this.#isMistaken)
      this.list.commands.push({ line: this.#start, words: this.#words, ...(captures !== undefined && { captures }) });
    this.#words = [];
    this.#isMistaken = false;
  }

  /** Of `team=$(teams create)`, leaves the words in parentheses. @returns the name in front of them, if there is one */
  #takeName(): string | undefined {
    const [first = '', ...others] = this.#words;
    const [start, name, rest = ''] = /^([A-Za-z_]\w*)=\$\((.*)$/s.exec(first) ?? [];
    if (start === undefined || name === undefined) return undefined;
    const words = [rest, ...others];
    const last = words.at(-1) ?? '';
    if (!this.#endsPlain || !last.endsWith(')')) {
      this.#report(
        'The parenthesis after "=$" is not closed.',
        'Write a name, and one command: team=$(teams create --title A).',
      );
      return undefined;
    }
    words[words.length - 1] = last.slice(0, -1);
    this.#words = words.filter((word, index) => word !== '' || (index > 0 && index < words.length - 1));
    this.#names.add(name);
    return name;
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

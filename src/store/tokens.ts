import type { StatementSync } from 'node:sqlite';

/** An SQLite database in memory splits texts into words, so that searches find the same on every database. */
class Tokenizer {
  readonly #insert: StatementSync;
  readonly #words: StatementSync;
  readonly #clear: StatementSync;

  constructor() {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const sqlite = new DatabaseSync(':memory:');
    sqlite.exec(`
      create virtual table texts using fts5 (text, content='', tokenize='unicode61 remove_diacritics 2');
      create virtual table words using fts5vocab (texts, instance);`);
    this.#insert = sqlite.prepare('insert into texts (rowid, text) values (?, ?)');
    this.#words = sqlite.prepare('select doc, term from words order by doc, offset');
    this.#clear = sqlite.prepare(`insert into texts (texts) values ('delete-all')`);
  }

  tokensOf(texts: readonly string[]): string[][] {
    for (const [index, text] of texts.entries()) this.#insert.run(index, text);
    const tokens: string[][] = texts.map(() => []);
    for (const { doc, term } of this.#words.iterate()) tokens[Number(doc)]?.push(String(term));
    this.#clear.run();
    return tokens;
  }
}

let tokenizer: Tokenizer | undefined;

/** The words of each text in order, in lower case and without accents. */
export const tokensOf = (texts: readonly string[]): string[][] => (tokenizer ??= new Tokenizer()).tokensOf(texts);

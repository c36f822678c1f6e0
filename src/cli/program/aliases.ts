import type { Entry } from '../command/command.ts';
import { readConfig } from '../settings/config.ts';
import { UsageError } from './failure.ts';

/** Whether a word names one of the program's own commands, which no alias can replace. */
export const isOwnWord = (word: string, entries: readonly Entry[]): boolean =>
  entries.some(({ name, aliases = [] }) => name === word || aliases.includes(word));

const placeholder = /\$(\d)/g;

/**
 * A command line with the words of an alias instead of its first word. The words after it replace `$1` to `$9`; those that
 * no placeholder takes are added at the end.
 *
 * @throws UsageError if a word for a placeholder is missing; CommandError if the settings cannot be read
 */
export function expandAlias(argv: readonly string[], entries: readonly Entry[]): readonly string[] {
  const [word, ...others] = argv;
  if (word === undefined || word.startsWith('-') || isOwnWord(word, entries)) return argv;
  const { aliases = {} } = readConfig();
  const words = Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  if (!words) return argv;
  const taken = new Set<number>();
  const expanded = words.map((text) =>
    text.replaceAll(placeholder, (_, digit: string) => {
      const index = Number(digit) - 1;
      const value = others[index];
      if (value === undefined)
        throw new UsageError(
          `The alias "${word}" needs ${digit === '1' ? 'a word' : `${digit} words`} after it.`,
          `It is: docsctl ${words.join(' ')}`,
        );
      taken.add(index);
      return value;
    }),
  );
  return [...expanded, ...others.filter((_, index) => !taken.has(index))];
}

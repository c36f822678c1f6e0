import type { ListedCommand, Mistake } from './listed-command.ts';

/** Private characters around the name of a result in a word. */
const [start, end] = ['\u{F0000}', '\u{F0001}'];
const reference = /\u{F0000}(\w+)\u{F0001}/gu;

export const referenceTo = (name: string): string => `${start}${name}${end}`;

const named = /\\[^]|\$(?:(\w+)|\{(\w+)\})/g;

/** A text with references instead of `$name` and `${name}`, if it is the name of a result. */
export const withReferences = (text: string, names: ReadonlySet<string>): string =>
  text.replaceAll(named, (whole, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    return name !== undefined && names.has(name) ? referenceTo(name) : whole;
  });

/** The names of the results that a command uses. */
export const usedBy = ({ words }: ListedCommand): string[] => [
  ...new Set(words.flatMap((word) => [...word.matchAll(reference)].map(([, name = '']) => name))),
];

/** The words with results instead of references; those without a value look as in the list. */
export const resolved = (words: readonly string[], values: ReadonlyMap<string, string>): string[] =>
  words.map((word) => word.replaceAll(reference, (_, name: string) => values.get(name) ?? `$${name}`));

/** Uses of results that no command before them sets. */
export function unsetUses(commands: readonly ListedCommand[], values: ReadonlyMap<string, string>): Mistake[] {
  const names = new Set(values.keys());
  const mistakes: Mistake[] = [];
  for (const command of commands) {
    const name = usedBy(command).find((each) => !names.has(each));
    if (name !== undefined)
      mistakes.push({
        line: command.line,
        message: `$${name} is set by a line that is skipped.`,
        hint: `Pass its value: --set ${name}=VALUE.`,
      });
    if (command.captures !== undefined) names.add(command.captures);
  }
  return mistakes;
}

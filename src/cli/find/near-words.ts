import { type Command as Commander, CommanderError } from 'commander';
import { shellCommand } from '../../shared/shell-quote.ts';
import { commandBelow, commandNamed, isHidden, load } from '../program/command-tree.ts';
import { commandSynonyms, flagSynonyms } from './synonyms.ts';

/** The most suggestions in a hint. */
const maxNamed = 3;

/** The error of commander for an unknown command or option, with what may be meant by it. */
export async function withMeaning(
  error: CommanderError,
  argv: readonly string[],
  program: Commander,
): Promise<CommanderError> {
  const hint = await hintForUnknown(program, argv, error.message);
  const [message = ''] = error.message.split('\n');
  return hint === undefined ? error : new CommanderError(error.exitCode, error.code, `${message}\n(${hint})`);
}

/**
 * What may be meant by a word that is no command, or no option: by its meaning, and otherwise by its spelling.
 *
 * @param program with all commands
 * @param argv the words of the command line
 * @param message the error of commander
 * @returns a hint; undefined if the message has the best one
 */
async function hintForUnknown(
  program: Commander,
  argv: readonly string[],
  message: string,
): Promise<string | undefined> {
  const [, kind, word = ''] = /unknown (command|option) '([^']*)'/.exec(message) ?? [];
  if (kind === undefined) return undefined;
  const { target, path, rest } = await commandIn(program, argv);
  return kind === 'option'
    ? hintForFlag(target, word.replace(/=.*/s, ''))
    : hintForCommand(program, { path, word, rest });
}

/** The command that the first words name, and the words after it. */
async function commandIn(program: Commander, argv: readonly string[]) {
  let target = program;
  const path: string[] = [];
  for (const word of argv) {
    const below = commandBelow(target, word);
    if (!below) break;
    target = await load(below);
    path.push(target.name());
  }
  return { target, path, rest: argv.slice(path.length + 1) };
}

function hintForFlag(target: Commander, word: string): string | undefined {
  const flags = new Set<string>();
  for (let each: Commander | null = target; each; each = each.parent)
    for (const { long, hidden } of each.options) if (long && !hidden) flags.add(long);
  const meant = (flagSynonyms[word] ?? []).filter((flag) => flags.has(flag));
  return meant.length === 0 ? undefined : `Did you mean ${meant.slice(0, maxNamed).join(' or ')}?`;
}

interface Unknown {
  /** The group that has no such command. */
  path: readonly string[];
  word: string;
  /** The words after it. */
  rest: readonly string[];
}

async function hintForCommand(program: Commander, { path, word, rest }: Unknown): Promise<string | undefined> {
  const key = [...path, word.toLowerCase()].join(' ');
  const lines: string[] = [];
  for (const synonym of Object.hasOwn(commandSynonyms, key) ? (commandSynonyms[key] ?? []) : []) {
    const line = await lineFor(program, synonym, rest);
    if (line !== undefined) lines.push(`"${line}"`);
  }
  return lines.length === 0 ? undefined : `Did you mean ${lines.slice(0, maxNamed).join(' or ')}?`;
}

/** A command with those of the following words that belong to it; undefined if there is no such command. */
async function lineFor(program: Commander, path: string, rest: readonly string[]): Promise<string | undefined> {
  const words = path.split(' ');
  const target = await commandNamed(program, words);
  if (!target) return undefined;
  const isGroup = target.commands.some((child) => !isHidden(child));
  const isOfGroup = isGroup && rest[0] !== undefined && commandBelow(target, rest[0]);
  return shellCommand(['docsctl', ...words, ...(isOfGroup ? rest : [])]);
}

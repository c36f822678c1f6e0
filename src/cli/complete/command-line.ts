import type { Command as Commander, Option } from 'commander';
import { commandBelow, load } from '../program/command-tree.ts';
import { globalOptions } from '../program/globals.ts';

/** A command line as far as it is written. */
export interface Line {
  command: Commander;
  positional: string[];
  flags: Record<string, string | boolean>;
  /** The flag whose value is the next word. */
  pending: Option | undefined;
  /** After `--` there are no flags. */
  ended: boolean;
}

/** Names of arguments and placeholders of flags whose value is a path. */
export const pathWords: Record<string, 'files' | 'folders'> = {
  file: 'files',
  'file-or-url': 'files',
  source: 'files',
  certificate: 'files',
  folder: 'folders',
};

/** Reads a command line as far as it is written. Mistakes in it are ignored. */
export async function readCommandLine(program: Commander, words: readonly string[]): Promise<Line> {
  const line: Line = { command: program, positional: [], flags: {}, pending: undefined, ended: false };
  for (const word of words) {
    if (line.pending) {
      line.flags[line.pending.attributeName()] = word;
      line.pending = undefined;
    } else if (word === '--' && !line.ended) {
      line.ended = true;
    } else if (word.startsWith('-') && word !== '-' && !line.ended) {
      const [name = '', value] = word.split(/=(.*)/s, 2);
      const option = optionNamed(line.command, name);
      if (!option) continue;
      if (value !== undefined) line.flags[option.attributeName()] = value;
      else if (option.required) line.pending = option;
      else line.flags[option.attributeName()] = true;
    } else {
      const below = line.positional.length === 0 ? commandBelow(line.command, word) : undefined;
      if (below) line.command = await load(below);
      else line.positional.push(word);
    }
  }
  return line;
}

/** The flags of a command and the global ones. A flag of the command replaces a global one of the same name. */
export function optionsOf(command: Commander): Option[] {
  const taken = new Set(command.options.map(({ long }) => long));
  return [...command.options, ...globalOptions().filter(({ long }) => !taken.has(long))];
}

export const optionNamed = (command: Commander, name: string): Option | undefined =>
  optionsOf(command).find(({ long, short }) => long === name || short === name);

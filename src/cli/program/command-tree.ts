import type { Command as Commander } from 'commander';
import type { Command } from '../command/command.ts';

/** What adds the content of a command that is not loaded yet. */
const loaders = new WeakMap<Commander, () => Promise<void> | void>();
const loaded = new WeakSet<Commander>();
const commands = new WeakMap<Commander, Command>();

export function setLoader(target: Commander, loader: () => Promise<void> | void): void {
  loaders.set(target, loader);
}

/** Adds to a command what belongs below it, once. */
export async function load(target: Commander): Promise<Commander> {
  if (!loaded.has(target)) {
    loaded.add(target);
    await loaders.get(target)?.();
  }
  return target;
}

export function setCommand(target: Commander, command: Command): void {
  commands.set(target, command);
}

/** The description that a loaded command was built from; undefined for a group. */
export const commandOf = (target: Commander): Command | undefined => commands.get(target);

/** The command below another one that a word calls, by name or alias. */
export const commandBelow = (target: Commander, word: string): Commander | undefined =>
  target.commands.find((command) => command.name() === word || command.aliases().includes(word));

/** The command that the words name; undefined if there is none. */
export async function commandNamed(program: Commander, words: readonly string[]): Promise<Commander | undefined> {
  let target = program;
  for (const word of words) {
    const below = commandBelow(target, word);
    if (!below) return undefined;
    target = await load(below);
  }
  return target;
}

export function rootOf(command: Commander): Commander {
  let root = command;
  while (root.parent) root = root.parent;
  return root;
}

/** Commander keeps this in a field without an accessor. */
export const isHidden = (command: Commander): boolean => Reflect.get(command, '_hidden') === true;

/** Leaves a command out of lists. Commander can do so only when a command is added. */
export const hide = (command: Commander): boolean => Reflect.set(command, '_hidden', true);

import type { Command as Commander } from 'commander';
import { optionNamed, pathWords, readCommandLine } from '../complete/command-line.ts';
import { argumentsOf } from '../command/command.ts';
import { commandOf } from '../program/command-tree.ts';
import { takesCommas } from '../program/options.ts';

/** Replaces the path of a file or folder; gives back the text unless it is the path of one. */
type Replace = (path: string) => Promise<string>;

/** The words of a command line with other paths instead of those of the files that the command reads. */
export async function withFilePaths(program: Commander, words: readonly string[], replace: Replace): Promise<string[]> {
  const replaced: string[] = [];
  for (const [index, word] of words.entries())
    replaced.push(await wordWith(program, words.slice(0, index), word, replace));
  return replaced;
}

async function wordWith(
  program: Commander,
  before: readonly string[],
  word: string,
  replace: Replace,
): Promise<string> {
  const line = await readCommandLine(program, before);
  const target = line.command;
  const command = commandOf(target);
  if (!command) return word;
  // Of `each FILE -- COMMAND`, the rest is a line of its own.
  if (command.runsLines && line.positional.length > 0)
    return line.ended ? wordWith(program, line.positional.slice(1), word, replace) : word;
  const [, flag = '', value = word] = (!line.pending && !line.ended && /^(--[^=]+=)(.*)$/s.exec(word)) || [];
  if (line.pending === undefined && flag === '' && word.startsWith('-') && word !== '-' && !line.ended) return word;
  const option = line.pending ?? (flag === '' ? undefined : optionNamed(target, flag.slice(0, -1)));
  if (!option) return flag === '' ? argument() : word;
  const placeholder = /<([^<>]+)>/.exec(option.flags)?.[1] ?? '';
  const own = command.flags?.find(({ flags }) => flags === option.flags);
  if (own?.takesFile || placeholder === 'json') return flag + (await afterSign(value));
  if (!pathWords[placeholder]) return flag + (await selected(value));
  const parts = takesCommas(option) ? value.split(',') : [value];
  return flag + (await Promise.all(parts.map(replace))).join(',');

  function argument(): Promise<string> {
    const args = command ? argumentsOf(command.use) : [];
    const { name = '' } = args[line.positional.length] ?? args.at(-1) ?? {};
    const isFile = pathWords[name] !== undefined || command?.input?.files?.includes(name) === true;
    return isFile ? replace(word) : afterSign(word).then(selected);
  }

  /** `@file`, or `name=@file`. */
  async function afterSign(text: string): Promise<string> {
    const [, sign, path = ''] = /^((?:[^=@]*=)?@)(.+)$/s.exec(text) ?? [];
    return sign === undefined || path === '-' ? text : sign + (await replace(path));
  }

  /** `file:people.csv` */
  async function selected(text: string): Promise<string> {
    return text.startsWith('file:') ? `file:${await replace(text.slice('file:'.length))}` : text;
  }
}

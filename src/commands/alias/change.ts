import type { Invocation } from '../../cli/command/command.ts';
import { runLocalBatch } from '../../cli/command/batch/local.ts';
import { argument } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { readCommandList } from '../../cli/lines/command-list.ts';
import { UsageError, notFound } from '../../cli/program/failure.ts';
import { updateConfig } from '../../cli/settings/config.ts';
import { nearest } from '../../shared/suggest.ts';
import { shellCommand } from '../../shared/shell-quote.ts';

export async function setAlias(invocation: Invocation): Promise<void> {
  const { args, globals, io } = invocation;
  const name = argument(invocation, 'name');
  const words = wordsOf([args.words ?? []].flat());
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name))
    throw new UsageError(`"${name}" cannot be an alias.`, 'Use letters, digits, ".", "_" and "-".');
  if (invocation.program.commands.some((each) => each.name() === name || each.aliases().includes(name)))
    throw new UsageError(`"${name}" is a command.`, 'Choose another name.');
  await refuseInvalid(invocation, words);
  const text = shellCommand(['docsctl', ...words]);
  if (globals.dryRun) return io.note(`Would set the alias ${name}: ${text}`);
  await updateConfig((config) => {
    config.aliases = { ...config.aliases, [name]: words };
  });
  await io.note(`${name}: ${text}`);
}

/** A command in quotes is one word. @throws UsageError */
function wordsOf(words: readonly string[]): string[] {
  const { commands, mistakes } =
    words.length === 1 ? readCommandList(words[0] ?? '') : { commands: [{ words: [...words] }], mistakes: [] };
  const [mistake] = mistakes;
  if (mistake) throw new UsageError(mistake.message, mistake.hint);
  const [first, ...others] = commands;
  const all = first?.words[0] === 'docsctl' ? first.words.slice(1) : (first?.words ?? []);
  if (all.length === 0 || others.length > 0)
    throw new UsageError(
      'An alias is one command.',
      'Put it after the name: docsctl alias set guests -- members list --role guest',
    );
  return all;
}

/** @throws UsageError for unknown commands and options; the words behind the alias may complete the command */
async function refuseInvalid({ lines }: Invocation, words: readonly string[]): Promise<void> {
  const checked = await lines.check(words);
  if (!('failure' in checked)) return;
  const { message, hint } = checked.failure;
  if (/^Unknown (?:command|option)/.test(message)) throw new UsageError(message, hint);
}

export async function listAliases(invocation: Invocation): Promise<void> {
  const { aliases = {} } = invocation.session.config;
  const rows = Object.entries(aliases).map(([name, words]) => ({ name, command: shellCommand(['docsctl', ...words]) }));
  await printList(invocation, rows);
}

export async function removeAliases(invocation: Invocation): Promise<void> {
  const { globals, io, session } = invocation;
  const { aliases = {} } = session.config;
  await runLocalBatch(invocation, {
    name: 'name',
    check(name) {
      if (Object.hasOwn(aliases, name)) return;
      const near = nearest(name, Object.keys(aliases));
      throw notFound(
        `There is no alias "${name}".`,
        near === undefined ? '"docsctl alias list" lists them.' : `Did you mean "${near}"?`,
      );
    },
    async before(names) {
      if (globals.dryRun) await io.note(`Would remove ${names.join(', ')}.`);
    },
    async change(name) {
      await updateConfig(({ aliases: all = {} }) => void delete all[name]);
      await io.note(`Removed ${name}.`);
    },
  });
}

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import type { ParsedLine } from '../../cli/command/command-lines.ts';
import { kebab } from '../../cli/command/flags.ts';
import { UsageError } from '../../cli/program/failure.ts';

export type RehearseInvocation = Invocation<
  { words?: string[] | undefined },
  {
    twin?: boolean | undefined;
    thenApply?: boolean | undefined;
    keepGoing?: boolean | undefined;
    maxRemovals?: string | undefined;
    withoutSelf?: boolean | undefined;
  }
>;

/** Flags that would lead to another service than the copy, or write files about the copy. */
const ownPlace = new Set(['--profile', '--url', '--har', '--token']);

/** The words of the command line to rehearse. @throws UsageError */
export async function rehearsedLine(invocation: RehearseInvocation): Promise<string[]> {
  const [first, ...rest] = invocation.args.words ?? [];
  if (first === undefined)
    throw new UsageError(
      'Nothing to rehearse.',
      'Pass a saved plan, or a command after --: docsctl rehearse -- members remove <user>',
    );
  if (rest.length === 0) return planLine(invocation, first);
  refusePlanFlags(invocation);
  const words = first === 'docsctl' ? rest : [first, ...rest];
  const other = words.find((word) => ownPlace.has(word.replace(/=.*/s, '')));
  if (other !== undefined)
    throw new UsageError(
      `${other.replace(/=.*/s, '')} cannot be part of a rehearsed command, which runs on the copy.`,
      'Put it before -- to select the organization to copy.',
    );
  const checked = await invocation.lines.check(words);
  if ('failure' in checked) throw new UsageError(checked.failure.message, checked.failure.hint);
  const [group = ''] = checked.path.split(' ');
  if (group === 'apply')
    throw new UsageError(
      'A folder cannot be rehearsed directly.',
      'Use "docsctl plan <folder> --out plan.json", then "docsctl rehearse plan.json".',
    );
  refuseFiles(checked);
  return words;
}

/** @throws UsageError for a command that changes files or settings on this machine, because a rehearsal would, too */
function refuseFiles({ path, command, values }: ParsedLine): void {
  const { run, writesFilesWith } = command;
  if (run && writesFilesWith === undefined)
    throw new UsageError(
      `"${path}" cannot be rehearsed: it writes files or settings on this machine, or does not change an organization.`,
      'Run it with --dry-run to see what it would do.',
    );
  const attribute = ['result', ...(writesFilesWith ?? [])].find((name) => values[name] !== undefined);
  if (attribute !== undefined)
    throw new UsageError(
      `"${path}" with --${kebab(attribute)} cannot be rehearsed: it writes a file.`,
      `Leave --${kebab(attribute)} out.`,
    );
}

function planLine({ flags }: RehearseInvocation, file: string): string[] {
  if (!statSync(resolve(file), { throwIfNoEntry: false })?.isFile())
    throw new UsageError(
      `There is no file ${file}.`,
      'Create a plan with "docsctl plan --out", or put a command after --: docsctl rehearse -- members remove <user>',
    );
  return [
    'apply',
    file,
    ...(flags.keepGoing ? ['--keep-going'] : []),
    ...(flags.maxRemovals === undefined ? [] : ['--max-removals', flags.maxRemovals]),
    ...(flags.withoutSelf ? ['--without-self'] : []),
  ];
}

function refusePlanFlags({ flags }: RehearseInvocation): void {
  const flag = [
    flags.keepGoing && '--keep-going',
    flags.maxRemovals !== undefined && '--max-removals',
    flags.withoutSelf && '--without-self',
  ].find((each) => typeof each === 'string');
  if (flag) throw new UsageError(`${flag} only works with a plan.`, 'Put flags of the command after --.');
}

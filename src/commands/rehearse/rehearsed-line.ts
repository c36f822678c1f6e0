import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { rehearsalProblem } from '../../cli/lines/check-lines.ts';
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
  const checked = await invocation.lines.check(words);
  if ('failure' in checked) throw new UsageError(checked.failure.message, checked.failure.hint);
  const problem = rehearsalProblem(words, checked);
  if (problem) throw new UsageError(problem.message, problem.hint);
  return words;
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

import type { Invocation } from '../../cli/command/command.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { readCommandList } from '../../cli/lines/command-list.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { FilePack } from '../../proposals/packed-files.ts';
import type { PayloadLine } from '../../proposals/payload.ts';
import { packedLine } from '../shared/proposed-lines.ts';
import { propose } from '../shared/store-proposal.ts';

type ProposeInvocation = Invocation<
  { words?: string[] | undefined },
  { title?: string | undefined; expires?: string | undefined }
>;

/** Stores a command, or a list of commands, as a proposal. */
export async function runPropose(invocation: ProposeInvocation): Promise<void> {
  const { args, flags } = invocation;
  const [first, ...rest] = args.words ?? [];
  const words = first === 'docsctl' ? rest : (args.words ?? []);
  if (words.length === 0)
    throw new UsageError(
      'Nothing to propose.',
      'Put a command after --: docsctl propose -- members remove <user>. A plan is proposed with "docsctl plan --propose".',
    );
  const pack = new FilePack();
  const isList = words[0] === 'run';
  const lines = isList
    ? await packedList(invocation, words, pack)
    : [{ line: 1, words: await packedLine(invocation, words, { pack }) }];
  await propose(invocation, { ...flags, kind: isList ? 'list' : 'command', lines, files: pack.files });
}

async function packedList(
  invocation: ProposeInvocation,
  words: readonly string[],
  pack: FilePack,
): Promise<PayloadLine[]> {
  const [, file, ...others] = words;
  if (file === undefined || file === '-' || others.length > 0)
    throw new UsageError(
      'A proposed list is one file, without flags.',
      'For example: docsctl propose run commands.txt',
    );
  const { commands, mistakes } = readCommandList(fileText(file, '<list>'));
  const [mistake] = mistakes;
  if (mistake) throw new UsageError(`${file}:${mistake.line}: ${mistake.message}`, mistake.hint);
  if (commands.length === 0) throw new UsageError(`${file} contains no commands.`);
  const lines: PayloadLine[] = [];
  for (const { line, words: own, captures } of commands) {
    if (own[0] === 'run' || own[0] === 'each')
      throw new UsageError(`${file}:${line}: A list cannot run a list.`, 'Put all commands in one file.');
    const packed = await packedLine(invocation, own, { pack, mayRead: true });
    lines.push({ line, words: packed, ...(captures !== undefined && { captures }) });
  }
  return lines;
}

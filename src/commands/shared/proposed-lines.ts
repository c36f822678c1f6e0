import { join } from 'node:path';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Command as Commander } from 'commander';
import type { Invocation } from '../../cli/command/command.ts';
import type { CommandLines } from '../../cli/command/command-lines.ts';
import { rehearsalProblem } from '../../cli/lines/check-lines.ts';
import { withFilePaths } from '../../cli/lines/file-words.ts';
import { readCommandLine } from '../../cli/complete/command-line.ts';
import { commandOf } from '../../cli/program/command-tree.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { foldersOfPlan, movedPlan } from '../../organization/plan/saved-plan.ts';
import { type FilePack, isPath, isSafePath, unpackFiles, unsafePath } from '../../proposals/packed-files.ts';
import { fileMark, filesIn, hasMarks, type Payload, type PayloadLine, withPaths } from '../../proposals/payload.ts';

/** Where a plan and its folder are among packed files. */
export const planPlace = { file: '1/plan.json', folder: '2/organization' } as const;

/** The command line of a proposed plan. The approver sees what is removed, so the limit for removals does not apply. */
export const planWords: readonly string[] = ['apply', fileMark(planPlace.file), '--max-removals', '100%'];

/** Flags that would lead to another service, or leave out what a proposal needs. */
const ownFlags = /^(?:--(?:as|profile|url|har|token|dry-run|no-journal|result)(?:=|$)|-[a-z]*n)/;
const readsInput = /^(?:-{2}[\w-]+=|[\w.-]+=)?@?-$/;

/** @returns whether the command changes the service @throws UsageError for a line that cannot be part of a proposal */
export async function checkProposedLine(
  { lines, program }: { lines: CommandLines; program: Commander },
  words: readonly string[],
): Promise<boolean> {
  const joined = words.find((word) => /^-[A-Za-z]./.test(word));
  if (joined !== undefined && !ownFlags.test(joined))
    throw new UsageError(
      `${joined}: in a proposed command, write each short flag on its own.`,
      'For example -F key=value instead of -Fkey=value.',
    );
  const own = words.find((word) => ownFlags.test(word));
  if (own !== undefined)
    throw new UsageError(
      `${own.replace(/=.*/s, '')} cannot be part of a proposed command.`,
      'Put it before --: the proposal is applied with the settings of the person who applies it.',
    );
  if (words.some((word) => readsInput.test(word)))
    throw new UsageError(
      'A proposed command cannot read standard input.',
      'Put the input in a file, and name the file.',
    );
  const line = await readCommandLine(program, words);
  const command = commandOf(line.command);
  if (!command)
    throw new UsageError(
      `"${words.slice(0, 2).join(' ')}" is not a command that can be proposed.`,
      'Aliases differ from machine to machine: write out the command.',
    );
  const checked = await lines.check(words);
  if ('failure' in checked) throw new UsageError(checked.failure.message, checked.failure.hint);
  const isChange =
    checked.command.changes?.includes('service') ??
    (checked.command.endpoint !== undefined && checked.command.endpoint.method !== 'GET');
  const problem = rehearsalProblem(words, checked);
  if (problem) throw new UsageError(problem.message.replaceAll('rehearsed', 'proposed'), problem.hint);
  if (checked.path === 'content push' && line.positional.length === 0)
    throw new UsageError('"content push" needs its folder in a proposal.', 'Name it: content push .');
  return isChange;
}

/** A command line with marks instead of the paths of files, which are packed. */
export async function packedLine(
  { lines, program }: { lines: CommandLines; program: Commander },
  words: readonly string[],
  { pack, mayRead = false }: { pack: FilePack; mayRead?: boolean },
): Promise<string[]> {
  if (words.some(hasMarks)) throw new UsageError('The command has characters that docsctl uses for its own marks.');
  const isChange = await checkProposedLine({ lines, program }, words);
  if (!isChange && !mayRead)
    throw new UsageError(
      `"${words.slice(0, 2).join(' ')}" changes nothing, so there is nothing to approve.`,
      'Run it instead of proposing it.',
    );
  return withFilePaths(program, words, async (path) => (isPath(path) ? fileMark(await pack.add(path)) : path));
}

/** The files of a proposal in a folder, and the command line that runs it. */
export interface Unpacked {
  folder: string;
  words: string[];
  env: Record<string, string | undefined>;
}

/** Unpacks a proposal into a new folder of its own, which is deleted afterwards. */
export async function withUnpacked<T>(
  invocation: Pick<Invocation<{}, {}>, 'lines' | 'program'>,
  payload: Payload,
  use: (unpacked: Unpacked) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-proposal-'));
  try {
    await unpackFiles(payload.files, folder);
    const pathOf = (path: string) => join(folder, ...path.split('/'));
    for (const { words } of payload.lines) await refuseOwnFiles(invocation, words);
    const lines = payload.lines.map((line) => ({ ...line, words: line.words.map((word) => withPaths(word, pathOf)) }));
    if (payload.kind !== 'plan') for (const { words } of lines) await checkProposedLine(invocation, words);
    const { org, space, site } = payload.scope;
    const env = { DOCSCTL_ORG: org, DOCSCTL_SPACE: space, DOCSCTL_SITE: site };
    return await use({ folder, words: await wordsOf(payload, lines, folder), env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws EngineError for files that are not packed: somebody edited the proposal, to read files of others */
async function refuseOwnFiles({ program }: { program: Commander }, words: readonly string[]): Promise<void> {
  const unsafe = words.flatMap(filesIn).find((path) => !isSafePath(path));
  if (unsafe !== undefined) throw unsafePath(unsafe);
  await withFilePaths(program, words, async (path) => {
    if (!hasMarks(path) && isPath(path)) throw unsafePath(path);
    return path;
  });
}

async function wordsOf(
  { kind, files, lines: [packed] }: Payload,
  lines: readonly PayloadLine[],
  folder: string,
): Promise<string[]> {
  const [first] = lines;
  if (kind === 'list') {
    const list = join(folder, 'commands.txt');
    await writeFile(list, listText(lines), { mode: 0o600, flag: 'wx' });
    return ['run', list];
  }
  if (kind === 'command' || !first || !packed) return first?.words ?? [];
  const plan = files.find(({ path }) => path === planPlace.file)?.text;
  if (plan === undefined || !isDeepStrictEqual(packed.words, planWords)) throw unsafePath(planPlace.file);
  const place = join(folder, ...planPlace.folder.split('/'));
  for (const path of foldersOfPlan(plan).folders) {
    if (!isSafePath(path)) throw unsafePath(path);
    await mkdir(join(place, ...path.split('/')), { recursive: true, mode: 0o700 });
  }
  const file = join(folder, 'plan.json');
  await writeFile(file, movedPlan(plan, place), { mode: 0o600, flag: 'wx' });
  return ['apply', file, ...first.words.slice(2)];
}

/** Lines that `docsctl run` reads as these words. */
const listText = (lines: readonly PayloadLine[]): string =>
  lines
    .map(({ words, captures }) => {
      const line = words.map(quoted).join(' ');
      return captures === undefined ? `${line}\n` : `${captures}=$(${line})\n`;
    })
    .join('');

const quoted = (word: string): string =>
  `"${word.replaceAll(/[\\"$`]/g, '\\$&').replaceAll(/\u{F0000}(\w+)\u{F0001}/gu, '${$1}')}"`;

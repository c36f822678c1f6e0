import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, scopeOf } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import {
  type Measure,
  measureNames,
  measures,
  NoHistory,
  reportOnFolders,
  type ReportOptions,
  type ReportRow,
  totalsOf,
} from '../../links/report/content-report.ts';
import { htmlReport } from '../../links/report/html.ts';
import { reportOnService, UnknownSpace } from '../../links/report/service.ts';
import { counted } from '../../shared/counted.ts';
import { withContentPort, writeOut } from '../shared/download.ts';
import { unreadable } from '../shared/readable-folder.ts';

type ReportInvocation = Invocation<
  { folder?: string[] | undefined },
  {
    allSpaces?: boolean | undefined;
    problems?: boolean | undefined;
    html?: string | undefined;
    max?: string[] | undefined;
    ownerField?: string | undefined;
    reviewField?: string | undefined;
    translationOf?: string | undefined;
    translation?: string[] | undefined;
  }
>;

/** Prints the report. @throws CommandError with status 9 if a measure is above its limit */
export async function runReport(invocation: ReportInvocation): Promise<void> {
  const { command, flags, globals, io, signal } = invocation;
  const limits = limitsOf(flags.max ?? []);
  const today = new Date().toISOString().slice(0, 10);
  const { ownerField = 'owner', reviewField = 'review' } = flags;
  const { translationOf: source, translation: translations = [] } = flags;
  const translationOf = source === undefined || flags.allSpaces ? undefined : sourceOf(source);
  if (translations.length > 0 && !(flags.allSpaces && source !== undefined)) {
    throw new UsageError('--translation needs --all-spaces and --translation-of.');
  }
  const rows = await read(invocation, { signal, ownerField, reviewField, today, translationOf });
  const shown = flags.problems ? rows.filter(({ problems }) => problems.length > 0) : rows;
  const output = createListOutput(outputOptions(invocation, { idKey: 'where' }), command.output?.columns ?? [], io.out);
  await output.page(shown);
  await output.end();
  if (flags.html !== undefined && !globals.dryRun)
    await writeOut(invocation, Buffer.from(htmlReport(shown, today)), flags.html);
  const totals = totalsOf(rows);
  const parts = measureNames.flatMap((name) => (totals[name] === 0 ? [] : [`${totals[name]} ${name}`]));
  const pages = rows.filter(({ title }) => title !== undefined).length;
  await io.note(`${counted(pages, 'page')}: ${parts.length === 0 ? 'nothing is wrong' : parts.join(', ')}.`);
  const incomplete = await noteUnchecked(invocation, rows, limits);
  const above = [...limits].filter(([name, limit]) => totals[name] > limit);
  if (above.length === 0) {
    if (!incomplete) return;
    throw new CommandError('Pages were not checked for what --max limits.', {
      exitCode: exit.someFailed,
      hint: 'The reasons are above. In a Git repository, fetch the whole history.',
    });
  }
  const list = above.map(([name, limit]) => `${totals[name]} ${measures[name]} (at most ${limit})`);
  throw new CommandError(`${list.join(', ')}.`, { exitCode: exit.checkFailed });
}

/** Prints what was not checked. @returns whether it is limited by --max */
async function noteUnchecked(
  { io }: ReportInvocation,
  rows: readonly ReportRow[],
  limits: ReadonlyMap<Measure, number>,
): Promise<boolean> {
  let isLimited = false;
  for (const name of measureNames) {
    const count = rows.filter(({ unchecked }) => unchecked?.includes(name)).length;
    if (count === 0) continue;
    await io.note(`${name}: ${counted(count, 'page')} not checked, because the history of their changes is missing.`);
    isLimited ||= limits.has(name);
  }
  return isLimited;
}

/** The whole path of the folder. @throws UsageError if it is none */
function sourceOf(folder: string): string {
  const path = resolve(folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--translation-of ${folder} is not a folder.`);
  }
  return realpathSync(path);
}

/** @throws UsageError if a limit is not valid */
function limitsOf(words: readonly string[]): Map<Measure, number> {
  return new Map(
    words.map((word) => {
      const [name = '', number = ''] = word.split('=');
      const measure = measureNames.find((each) => each === name);
      if (measure !== undefined && /^\d{1,7}$/.test(number)) return [measure, Number(number)];
      throw new UsageError(
        `--max ${word} is not a limit.`,
        `Write --max NAME=NUMBER, with ${measureNames.join(', ')}.`,
      );
    }),
  );
}

async function read(invocation: ReportInvocation, options: ReportOptions): Promise<ReportRow[]> {
  const { args, flags } = invocation;
  if (flags.allSpaces) {
    if (args.folder?.length) throw new UsageError('A folder and --all-spaces cannot be combined.');
    const { translationOf: source, translation: translations = [] } = flags;
    if (source !== undefined && translations.length === 0) {
      throw new UsageError(
        '--translation-of needs --translation with --all-spaces.',
        'Name the spaces that are translations.',
      );
    }
    const spaces = source === undefined ? undefined : { source, translations };
    const orgId = await scopeOf(invocation, 'org');
    return withContentPort(invocation, 'Reading pages', (port) =>
      reportOnService({ ...port, download: { bytes: port.bytes } }, orgId, { ...options, spaces }),
    ).catch((error): never => {
      if (error instanceof UnknownSpace) throw new UsageError(error.message, 'Run docsctl spaces list.');
      throw error;
    });
  }
  const folders = await foldersOf(invocation);
  return reportOnFolders(folders, options).catch((error): never => {
    if (error instanceof NoHistory) throw new UsageError(error.message, 'Fetch the history, or name another folder.');
    throw unreadable(folders.map(({ name }) => name).join(', '), error);
  });
}

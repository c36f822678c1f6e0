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
import { reportOnService } from '../../links/report/service.ts';
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
  }
>;

/** Prints the report. @throws CommandError with status 9 if a measure is above its limit */
export async function runReport(invocation: ReportInvocation): Promise<void> {
  const { command, flags, globals, io, signal } = invocation;
  const limits = limitsOf(flags.max ?? []);
  const today = new Date().toISOString().slice(0, 10);
  const { ownerField = 'owner', reviewField = 'review' } = flags;
  const translationOf = flags.translationOf === undefined ? undefined : sourceOf(flags.translationOf);
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
  const above = [...limits].filter(([name, limit]) => totals[name] > limit);
  if (above.length === 0) return;
  const list = above.map(([name, limit]) => `${totals[name]} ${measures[name]} (at most ${limit})`);
  throw new CommandError(`${list.join(', ')}.`, { exitCode: exit.checkFailed });
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
    if (options.translationOf !== undefined) throw new UsageError('--translation-of needs folders.');
    if (args.folder?.length) throw new UsageError('A folder and --all-spaces cannot be combined.');
    const orgId = await scopeOf(invocation, 'org');
    return withContentPort(invocation, 'Reading pages', (port) =>
      reportOnService({ ...port, download: { bytes: port.bytes } }, orgId, options),
    );
  }
  const folders = await foldersOf(invocation);
  return reportOnFolders(folders, options).catch((error): never => {
    if (error instanceof NoHistory) throw new UsageError(error.message, 'Fetch the history, or name another folder.');
    throw unreadable(folders.map(({ name }) => name).join(', '), error);
  });
}

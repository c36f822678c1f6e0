import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, scopeOf } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import type { LinkFinding } from '../../links/findings.ts';
import { brokenInFolders, planFolders, writeReplaced } from '../../links/replace/folders.ts';
import { undoReplaced } from '../../links/replace/record.ts';
import { Pattern, SlowPattern, type Term } from '../../links/replace/pattern.ts';
import { placeNames } from '../../links/replace/regions.ts';
import type { Replacement, Replacing } from '../../links/replace/replace-in.ts';
import {
  brokenInService,
  type PageReplacement,
  planService,
  replacer,
  type SpaceReplacement,
} from '../../links/replace/service.ts';
import { type PageChanger, type SentChanges, sendChanges } from '../../links/space-changes.ts';
import { counted } from '../../shared/counted.ts';
import { messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { ContentPort } from '../../sync/read-remote.ts';
import { withContentPort } from '../shared/download.ts';
import { unreadable } from '../shared/readable-folder.ts';

type ReplaceInvocation = Invocation<
  { old?: string | undefined; new?: string | undefined; folder?: string[] | undefined },
  {
    allSpaces?: boolean | undefined;
    regex?: boolean | undefined;
    undo?: boolean | undefined;
    from?: string | undefined;
    subject?: string | undefined;
  } & Partial<Record<(typeof placeNames)[number], boolean | undefined>>
>;

interface Campaign {
  terms: Term[];
  replacing: Replacing;
  folders: string[];
}

/** Prints every place, and replaces unless it is a dry run. */
export async function runReplace(invocation: ReplaceInvocation): Promise<void> {
  if (invocation.flags.undo) return undoInFolders(invocation);
  const campaign = campaignOf(invocation);
  try {
    await (invocation.flags.allSpaces ? replaceInSpaces(invocation, campaign) : replaceInFolders(invocation, campaign));
  } catch (error) {
    if (!(error instanceof SlowPattern)) throw error;
    throw new UsageError(`The expression ${error.message}; nothing was replaced.`, 'Write it without nested repeats.');
  }
}

/** @throws UsageError if the words contradict each other */
function campaignOf({ args, flags }: ReplaceInvocation): Campaign {
  const { old, new: replacement, folder = [] } = args;
  const hasFile = flags.from !== undefined;
  if (hasFile && flags.regex) throw new UsageError('--from and --regex cannot be combined.');
  const folders = hasFile ? [old, replacement, ...folder].filter((word) => word !== undefined) : folder;
  if (flags.allSpaces && folders.length > 0) throw new UsageError('A folder and --all-spaces cannot be combined.');
  if (!flags.allSpaces && flags.subject !== undefined) throw new UsageError('--subject needs --all-spaces.');
  const terms = hasFile ? termsIn(flags.from ?? '') : [{ old: old ?? '', new: replacement ?? '' }];
  if (!hasFile && (old === undefined || replacement === undefined)) {
    throw new UsageError(
      `<${old === undefined ? 'old' : 'new'}> is missing.`,
      'Name the words to replace and those to write instead, or a file with --from.',
    );
  }
  if (terms.some((term) => term.old === '')) throw new UsageError('The words to replace are empty.');
  const chosen = placeNames.filter((name) => flags[name]);
  const places = new Set(chosen.length === 0 ? (['text'] as const) : chosen);
  try {
    return { terms, replacing: { pattern: new Pattern(terms, { isRegExp: flags.regex === true }), places }, folders };
  } catch (error) {
    throw new UsageError(`The expression is not valid: ${messageOf(error)}.`);
  }
}

/** @throws UsageError if the file cannot be used */
function termsIn(file: string): Term[] {
  let rows: string[][];
  try {
    rows = parse(readFileSync(file, 'utf8'), { bom: true, skipEmptyLines: true, relaxColumnCount: true });
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}.`);
  }
  const [header = [], ...others] = rows;
  const names = header.map((name) => name.trim().toLowerCase());
  const [from, to] = [names.indexOf('old'), names.indexOf('new')];
  if (from === -1 || to === -1) throw new UsageError(`${file} needs a first line with the columns old and new.`);
  const terms = new Map<string, string>();
  for (const [index, row] of others.entries()) {
    const [old = '', replacement = ''] = [row[from], row[to]];
    const place = `${file}: row ${index + 1}`;
    if (old === '') throw new UsageError(`${place} has nothing to replace.`);
    if ((terms.get(old) ?? replacement) !== replacement)
      throw new UsageError(`${place} replaces "${old}" again, by something else.`);
    terms.set(old, replacement);
  }
  if (terms.size === 0) throw new UsageError(`${file} has no rows.`);
  return [...terms].map(([old, replacement]) => ({ old, new: replacement }));
}

async function replaceInFolders(invocation: ReplaceInvocation, campaign: Campaign): Promise<void> {
  const { globals, io, session, signal } = invocation;
  const docs = await foldersOf({ session, args: { folder: campaign.folders } });
  const key = hash('sha256', JSON.stringify([campaign.terms, [...campaign.replacing.places], invocation.flags.regex]));
  const record = join(recordsOf(invocation), `${key}.json`);
  const plan = await planFolders(docs, campaign.replacing, { signal, record }).catch((error): never => {
    throw unreadable(docs.map(({ name }) => name).join(', '), error);
  });
  const rows = plan.changes.flatMap(({ file, replacements }) => rowsOf({ file }, file, replacements));
  await printRows(invocation, rows);
  await noteBroken(invocation, await brokenInFolders(docs, plan));
  if (plan.done > 0) await io.note(`${counted(plan.done, 'file')} changed by an interrupted run.`);
  const failed = globals.dryRun ? [] : await writeReplaced(plan, { signal, record });
  const verb = globals.dryRun ? 'Would replace' : 'Replaced';
  const inFiles = `${counted(plan.changes.length - failed.length, 'file')} of ${plan.files}`;
  await io.note(`${verb} ${counted(rows.length, 'place')} in ${inFiles}.`);
  const skipped = [...plan.skipped, ...failed];
  for (const { file, reason } of skipped) await io.note(`${file} was not changed: ${reason}.`);
  refuseSkipped(skipped.length, 'file');
}

/** @throws UsageError if nothing was replaced; CommandError with status 8 if some files have changed since */
async function undoInFolders(invocation: ReplaceInvocation): Promise<void> {
  const { args, flags, globals, io, session, signal } = invocation;
  const [other] = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || name === 'undo' ? [] : name,
  );
  if (other === 'allSpaces') {
    throw new UsageError('--undo is for folders.', '"docsctl undo" archives the change requests.');
  }
  if (other !== undefined) throw new UsageError(`--undo and --${other} cannot be combined.`);
  const words = [args.old, args.new, ...(args.folder ?? [])].filter((word) => word !== undefined);
  const docs = await foldersOf({ session, args: { folder: words } });
  const names = docs.map(({ name }) => name).join(', ');
  const dryRun = globals.dryRun === true;
  const undone = await undoReplaced(docs, recordsOf(invocation), { signal, dryRun }).catch((error): never => {
    throw unreadable(names, error);
  });
  if (!undone) throw new UsageError(`${names}: there is no replacement to undo.`, 'Only the last ones are kept.');
  await io.note(`${dryRun ? 'Would change' : 'Changed'} ${counted(undone.files, 'file')} back.`);
  for (const { file, reason } of undone.failed) await io.note(`${file} was not changed back: ${reason}.`);
  refuseSkipped(undone.failed.length, 'file');
}

const recordsOf = ({ session }: ReplaceInvocation) => join(dataDir(session.env), 'replace');

async function replaceInSpaces(invocation: ReplaceInvocation, { replacing, terms }: Campaign): Promise<void> {
  const { flags, globals, io } = invocation;
  const orgId = await scopeOf(invocation, 'org');
  const [only] = terms;
  const subject = (
    flags.subject ??
    (flags.from === undefined ? `Replace "${only?.old}" by "${only?.new}"` : `Replace the words in ${flags.from}`)
  ).slice(0, 100);
  const changerFor = (port: ContentPort) => replacer(port, replacing, subject);
  const plans = await withContentPort(invocation, 'Reading pages', (port) =>
    planService(port, orgId, changerFor(port)),
  );
  const rows = plans.flatMap(({ space, changes }) =>
    changes.flatMap(({ path, replacements }) =>
      rowsOf({ space: space.title, path }, `${space.title}: ${path}`, replacements),
    ),
  );
  await printRows(invocation, rows);
  const broken = await withContentPort(invocation, 'Checking links', (port) =>
    brokenInService({ ...port, download: { bytes: port.bytes } }, orgId, plans),
  );
  await noteBroken(invocation, broken);
  const skipped = plans.flatMap(({ space, skipped: own }) => own.map((each) => ({ ...each, space })));
  const sent = globals.dryRun
    ? await announce(invocation, plans, subject)
    : await sendAll(invocation, plans, changerFor);
  if (rows.length === 0 && sent.length === 0) await io.note('Nothing matches.');
  for (const { space, path, reason } of skipped) await io.note(`${space.title}: ${path} was not changed: ${reason}.`);
  refuseSkipped(skipped.length + sent.filter(({ failed }) => failed !== undefined).length, 'page or space');
}

async function announce(
  { io }: ReplaceInvocation,
  plans: readonly SpaceReplacement[],
  subject: string,
): Promise<SentChanges[]> {
  for (const { space, request, changes, done } of plans) {
    if (changes.length === 0) continue;
    const where = request
      ? `change request #${request.number}, which has ${done.length} already`
      : `a new change request "${subject}"`;
    await io.note(`${space.title}: would change ${counted(changes.length, 'page')} in ${where}.`);
  }
  return [];
}

async function sendAll(
  invocation: ReplaceInvocation,
  plans: readonly SpaceReplacement[],
  changerFor: (port: ContentPort) => PageChanger<PageReplacement>,
): Promise<SentChanges[]> {
  const { io } = invocation;
  const all: SentChanges[] = [];
  for (const plan of plans) {
    if (plan.changes.length === 0 && plan.done.length === 0) continue;
    const sent = await withContentPort(invocation, `Replacing in ${plan.space.title}`, (port) =>
      sendChanges(port, plan, changerFor(port)),
    );
    all.push(sent);
    const { space, request, pages, brokenLinks, failed } = sent;
    const name = request ? ` in change request #${request.number} (${request.urls.app})` : '';
    if (failed !== undefined) await io.note(`${space.title}: not everything was replaced${name}: ${failed}.`);
    else await io.note(`${space.title}: ${counted(pages, 'page')}${name}.`);
    if (brokenLinks > 0)
      await io.note(`${space.title}: ${counted(brokenLinks, 'link')} would break; see docsctl cr links.`);
  }
  return all;
}

/** Links and addresses that a replacement breaks, before anything is written or sent. */
async function noteBroken({ io }: ReplaceInvocation, broken: readonly LinkFinding[]): Promise<void> {
  if (broken.length === 0) return;
  await io.note(`${broken.length === 1 ? '1 link or address' : `${broken.length} links or addresses`} would break:`);
  for (const { file, subject, line, message } of broken) {
    await io.note(`  ${[file ?? subject, line].filter((part) => part !== undefined).join(':')}: ${message}`);
  }
}

interface Row extends Replacement {
  where: string;
}

const rowsOf = (place: object, name: string, replacements: readonly Replacement[]): Row[] =>
  replacements.map((each) => ({
    where: [name, each.line, each.column].filter((part) => part !== undefined).join(':'),
    ...place,
    ...each,
  }));

async function printRows(invocation: ReplaceInvocation, rows: readonly Row[]): Promise<void> {
  const { columns = [] } = invocation.command.output ?? {};
  const output = createListOutput(outputOptions(invocation, { idKey: 'where' }), columns, invocation.io.out);
  await output.page([...rows]);
  await output.end();
}

/** @throws CommandError with status 8 if something was skipped */
function refuseSkipped(count: number, noun: string): void {
  if (count === 0) return;
  const verb = count === 1 ? 'was' : 'were';
  throw new CommandError(`${counted(count, noun)} ${verb} not changed completely.`, {
    exitCode: exit.someFailed,
    hint: 'The reasons are above. Run the same command again to continue.',
  });
}

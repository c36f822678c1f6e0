import { existsSync, readFileSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { addressRules } from '../../links/check-addresses.ts';
import {
  checkSnapshot,
  fixSnapshot,
  redirectRows,
  type SnapshotCheck,
  takeSnapshot,
  UnknownSite,
} from '../../links/check-snapshot.ts';
import { type ReadFolder, readFolders } from '../../links/folder-world.ts';
import { redirectsCsv } from '../../links/redirect-file.ts';
import { readSnapshot, type SiteAddresses, writeSnapshot } from '../../links/snapshot.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { counted } from '../../shared/counted.ts';
import type { Docs } from '../../shared/docs.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import { unreadable } from '../shared/readable-folder.ts';

type Folders = { folder?: string[] | undefined };
type SnapshotInvocation = Invocation<Folders, { file?: string | undefined; forget?: boolean | undefined }>;
type CheckInvocation = Invocation<
  Folders,
  CheckFlags & { file?: string | undefined; fix?: boolean | undefined; redirects?: string | undefined }
>;

const defaultFile = 'urls.json';

const addressCount = (number: number) => `${number} published address${number === 1 ? '' : 'es'}`;

export async function writeSnapshotOf(invocation: SnapshotInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const { file = defaultFile } = flags;
  const before = flags.forget || !existsSync(file) ? [] : snapshotIn(file);
  const { sites, lost } = await takeSnapshot(await read(await foldersOf(invocation)), before);
  const all = sites.reduce((sum, { addresses }) => sum + addresses.length, 0);
  if (!globals.dryRun) await write(file, writeSnapshot(sites));
  await io.note(`${globals.dryRun ? 'Would write' : 'Wrote'} ${addressCount(all)} into ${file}.`);
  if (lost === 0) return;
  await io.note(
    `Kept ${lost} lost address${lost === 1 ? '' : 'es'}: docsctl urls check lists them, and --forget drops them.`,
  );
}

/** Compares folders with the snapshot. The findings are the result. */
export async function checkAddressesOf(invocation: CheckInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  const { args, flags, globals, io } = invocation;
  const snapshot = snapshotIn(flags.file ?? defaultFile);
  const docs = await foldersOf(invocation);
  const check = async () => compare(await read(docs), snapshot, !args.folder?.length);
  let checked = await check();
  if (flags.redirects !== undefined) await writeCsv(invocation, flags.redirects, checked);
  if (flags.fix) {
    await fix(invocation, checked);
    if (!globals.dryRun) checked = await check();
  }
  for (const { site, addresses } of checked.others) {
    await io.note(`${addresses.length} address${addresses.length === 1 ? '' : 'es'} of ${site} were not checked.`);
  }
  const { findings, pages, addresses } = checked;
  await reportCheck(invocation, {
    findings: findings.map((finding) => ({ ...finding, path: finding.url?.slice(1) ?? '' })),
    names: [...new Set(findings.flatMap((finding) => finding.file ?? []))],
    pages,
    rules: new Set([...Object.keys(addressRules), ...Object.keys(folderRules)]),
    hint: '"docsctl urls check --fix" writes the certain redirects. Accept findings with --ignore or --write-baseline.',
    more: [addressCount(addresses)],
  });
}

/** @throws UsageError if the snapshot does not have one of the folders */
async function compare(folders: ReadFolder[], snapshot: SiteAddresses[], isWhole: boolean): Promise<SnapshotCheck> {
  try {
    return await checkSnapshot(folders, snapshot, isWhole);
  } catch (error) {
    if (!(error instanceof UnknownSite)) throw error;
    throw new UsageError(error.message, 'Run "docsctl urls snapshot" again.');
  }
}

async function writeCsv({ globals, io }: CheckInvocation, file: string, checked: SnapshotCheck): Promise<void> {
  const rows = redirectRows(checked);
  if (!globals.dryRun) await write(file, redirectsCsv(rows));
  await io.note(`${globals.dryRun ? 'Would write' : 'Wrote'} ${counted(rows.length, 'redirect')} into ${file}.`);
}

/** @throws CommandError with status 8 if some were not written */
async function fix({ io, globals }: CheckInvocation, checked: SnapshotCheck): Promise<void> {
  const verb = globals.dryRun ? 'Would write' : 'Wrote';
  const failed = await fixSnapshot(checked, { dryRun: globals.dryRun === true });
  for (const { address, destination, target } of checked.redirects.flatMap(({ redirects }) => redirects)) {
    await io.note(
      target === undefined
        ? `${verb} the file without the redirect of ${address}`
        : `${verb} ${address} -> ${destination}`,
    );
  }
  if (failed.size === 0) return;
  for (const [file, reason] of failed) await io.note(`${file} was not changed: ${reason}.`);
  throw new CommandError(`${counted(failed.size, 'file')} could not be changed.`, { exitCode: exit.someFailed });
}

async function read(folders: readonly Docs[]): Promise<ReadFolder[]> {
  try {
    return await readFolders(folders);
  } catch (error) {
    throw unreadable(folders.map(({ name }) => name).join(', '), error);
  }
}

/** @throws UsageError if there is none */
function snapshotIn(file: string): SiteAddresses[] {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}.`, 'Write it with "docsctl urls snapshot".');
  }
  const snapshot = readSnapshot(text);
  if (snapshot) return snapshot;
  throw new UsageError(`${file} is not a snapshot of addresses.`, 'Name another file, or delete this one first.');
}

/** @throws UsageError if the file cannot be written */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${fileReason(error)}.`);
  }
}

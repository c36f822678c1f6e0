import { readFileSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { addressesOf, addressRules, type AddressCheck, checkAddresses } from '../../links/check-addresses.ts';
import type { LinkFinding } from '../../links/findings.ts';
import { type ReadFolder, readFolders } from '../../links/folder-world.ts';
import { redirectsCsv } from '../../links/redirect-file.ts';
import { readSnapshot, type SiteAddresses, writeSnapshot } from '../../links/snapshot.ts';
import { writeRedirects } from '../../links/write-redirects.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import type { Docs } from '../../sync/local-folder.ts';
import { type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { count, refuseTwoFormats } from '../../cli/report/findings.ts';
import { unreadable } from '../shared/readable-folder.ts';

type Folders = { folder?: string[] | undefined };
type CheckInvocation = Invocation<
  Folders,
  CheckFlags & { file?: string | undefined; fix?: boolean | undefined; redirects?: string | undefined }
>;

const defaultFile = 'urls.json';

const addressCount = (number: number) => `${number} published address${number === 1 ? '' : 'es'}`;

export async function writeSnapshotOf(invocation: Invocation<Folders, { file?: string | undefined }>): Promise<void> {
  const { flags, globals, io } = invocation;
  const { file = defaultFile } = flags;
  const sites: SiteAddresses[] = [];
  for (const folder of await read(await foldersOf(invocation))) sites.push(await addressesOf(folder));
  const all = sites.reduce((sum, { addresses }) => sum + addresses.length, 0);
  if (!globals.dryRun) await write(file, writeSnapshot(sites));
  await io.note(`${globals.dryRun ? 'Would write' : 'Wrote'} ${addressCount(all)} into ${file}.`);
}

/** Compares folders with the snapshot. The findings are the result. */
export async function checkAddressesOf(invocation: CheckInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  const { flags, globals, io } = invocation;
  const { file = defaultFile } = flags;
  const snapshot = snapshotIn(file);
  const folders = await read(await foldersOf(invocation));
  let checks = await checkAll(folders, snapshot);
  const certain = checks.flatMap(({ check }) => [...check.redirects.values()]);
  if (flags.redirects !== undefined && !globals.dryRun) {
    const rows = certain.flatMap(({ address: source, destination, target }) =>
      target === undefined ? [] : [{ source, destination }],
    );
    await write(flags.redirects, redirectsCsv(rows));
    await io.note(`Wrote ${count(rows.length, 'redirect')} into ${flags.redirects}.`);
  }
  if (flags.fix) {
    await fix(invocation, checks);
    if (!globals.dryRun) checks = await checkAll(await read(folders.map(({ docs }) => docs)), snapshot);
  }
  const findings = checks.flatMap(({ check }) => check.findings);
  const rules = new Set([...Object.keys(addressRules), ...Object.keys(folderRules)]);
  await reportCheck(invocation, {
    findings: findings.map((finding: LinkFinding) => ({ ...finding, path: finding.url?.slice(1) ?? '' })),
    names: [...new Set(findings.flatMap((finding) => finding.file ?? []))],
    pages: checks.reduce((sum, { folder }) => sum + folder.spaces.reduce((all, { pages }) => all + pages.length, 0), 0),
    rules,
    hint: '"docsctl urls check --fix" writes the certain redirects. Accept findings with --ignore or --write-baseline.',
    more: [addressCount(checks.reduce((sum, { check }) => sum + check.addresses, 0))],
  });
}

interface Checked {
  folder: ReadFolder;
  check: AddressCheck;
}

/** @throws UsageError if the snapshot does not have one of the folders */
async function checkAll(folders: readonly ReadFolder[], snapshot: readonly SiteAddresses[]): Promise<Checked[]> {
  const checks: Checked[] = [];
  for (const folder of folders) {
    const { name } = folder.docs;
    const own =
      snapshot.find(({ site }) => site === name) ??
      (folders.length === 1 && snapshot.length === 1 ? snapshot[0] : undefined);
    if (!own) throw new UsageError(`The snapshot has no addresses of ${name}.`, 'Run "docsctl urls snapshot" again.');
    checks.push({ folder, check: await checkAddresses(folder, own) });
  }
  return checks;
}

/** @throws CommandError with status 8 if some were not written */
async function fix({ io, globals }: CheckInvocation, checks: readonly Checked[]): Promise<void> {
  const verb = globals.dryRun ? 'Would write' : 'Wrote';
  const failed = new Map<string, string>();
  for (const { folder, check } of checks) {
    const redirects = [...check.redirects.values()];
    for (const each of await writeRedirects(folder.site, redirects, { dryRun: globals.dryRun === true }))
      failed.set(...each);
    for (const { address, destination, target } of redirects) {
      await io.note(
        target === undefined
          ? `${verb} the file without the redirect of ${address}`
          : `${verb} ${address} -> ${destination}`,
      );
    }
  }
  if (failed.size === 0) return;
  for (const [file, reason] of failed) await io.note(`${file} was not changed: ${reason}.`);
  throw new CommandError(`${count(failed.size, 'file')} could not be changed.`, { exitCode: exit.someFailed });
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
  throw new UsageError(`${file} is not a snapshot of addresses.`, 'Write it with "docsctl urls snapshot".');
}

/** @throws UsageError if the file cannot be written */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${fileReason(error)}.`);
  }
}

import { existsSync, readFileSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { sites } from '../../contract/sites.ts';
import { type AddressedSite, addressRules } from '../../links/check-addresses.ts';
import {
  checkSnapshot,
  fixSnapshot,
  redirectRows,
  type SnapshotCheck,
  takeSnapshot,
  UnknownSite,
} from '../../links/check-snapshot.ts';
import { AddressedFolder, addressesOfFolder } from '../../links/folder-addresses.ts';
import { type ReadFolder, readFolders } from '../../links/folder-world.ts';
import type { PublishedPlace } from '../../links/model.ts';
import { type KnownRedirect, readRedirectsCsv, redirectsCsv } from '../../links/redirect-file.ts';
import { AddressedService, addressesOfSite, publishedSites } from '../../links/service-addresses.ts';
import { readRequestPlaces, readService } from '../../links/service-world.ts';
import { readSnapshot, type SiteAddresses, writeSnapshot } from '../../links/snapshot.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { counted } from '../../shared/counted.ts';
import type { Docs } from '../../shared/docs.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import { withContentPort } from '../shared/download.ts';
import { unreadable } from '../shared/readable-folder.ts';

interface SourceFlags {
  allSpaces?: boolean | undefined;
  file?: string | undefined;
  site?: string | undefined;
}
type Folders = { folder?: string[] | undefined };
type SnapshotInvocation = Invocation<Folders, SourceFlags & { forget?: boolean | undefined }>;
type CheckInvocation = Invocation<
  Folders,
  CheckFlags &
    SourceFlags & {
      cr?: string | undefined;
      space?: string | undefined;
      fix?: boolean | undefined;
      known?: string | undefined;
      redirects?: string | undefined;
    }
>;

const defaultFile = 'urls.json';

const addressCount = (number: number) => `${number} published address${number === 1 ? '' : 'es'}`;

export async function writeSnapshotOf(invocation: SnapshotInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  refuseMixed(invocation);
  const { file = defaultFile } = flags;
  const before = flags.forget || !existsSync(file) ? [] : snapshotIn(file);
  const now = flags.allSpaces
    ? await Promise.all((await sitesOf(invocation)).own.map((places) => addressesOfSite(places)))
    : await Promise.all((await read(await foldersOf(invocation))).map((folder) => addressesOfFolder(folder)));
  const { sites, lost } = takeSnapshot(now, before);
  const all = sites.reduce((sum, { addresses }) => sum + addresses.length, 0);
  if (!globals.dryRun) await write(file, writeSnapshot(sites));
  await io.note(`${globals.dryRun ? 'Would write' : 'Wrote'} ${addressCount(all)} into ${file}.`);
  if (lost === 0) return;
  await io.note(
    `Kept ${lost} lost address${lost === 1 ? '' : 'es'}: docsctl urls check lists them, and --forget drops them.`,
  );
}

/** Compares folders, published sites or a change request with the snapshot. The findings are the result. */
export async function checkAddressesOf(invocation: CheckInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  refuseMixed(invocation);
  const { flags } = invocation;
  if (flags.cr !== undefined) return report(invocation, await checkRequest(invocation, flags.cr));
  if (flags.allSpaces) return report(invocation, await checkService(invocation));
  return report(invocation, await checkFolders(invocation));
}

/** @throws UsageError for flags and arguments that need different sources */
function refuseMixed({ args, flags }: Invocation<Folders, CheckInvocation['flags']>): void {
  const isService = flags.allSpaces === true || flags.cr !== undefined;
  const wrong = isService
    ? [args.folder?.length ? 'A folder' : undefined, flags.fix ? '--fix' : undefined]
    : (['site', 'space', 'known'] as const).map((name) => (flags[name] === undefined ? undefined : `--${name}`));
  const other = wrong.find((name) => name !== undefined);
  if (other === '--fix') {
    const hint = 'Write them with --redirects, and import the file in the settings of the site.';
    throw new UsageError('--fix is for folders: the API of the service has no endpoint for redirects.', hint);
  }
  if (other !== undefined && isService) {
    throw new UsageError(`${other} and --${flags.cr === undefined ? 'all-spaces' : 'cr'} cannot be combined.`);
  }
  if (other !== undefined) throw new UsageError(`${other} needs --all-spaces or --cr.`);
  if (flags.allSpaces && flags.cr !== undefined) throw new UsageError('--cr and --all-spaces cannot be combined.');
  if (flags.cr !== undefined && flags.file !== undefined) {
    const hint = 'A change request is compared with the content that it started from.';
    throw new UsageError('--file and --cr cannot be combined.', hint);
  }
}

async function checkFolders(invocation: CheckInvocation): Promise<SnapshotCheck> {
  const { args, flags, globals } = invocation;
  const snapshot = snapshotIn(flags.file ?? defaultFile).filter(({ url }) => url === undefined);
  const docs = await foldersOf(invocation);
  const lostSite = ({ site }: SiteAddresses, address: string) =>
    `/${address} of ${site} was published, and ${site} is not under "content:".`;
  const check = async () => {
    const sites = (await read(docs)).map((folder) => new AddressedFolder(folder));
    return compare(sites, snapshot, args.folder?.length ? undefined : lostSite);
  };
  const checked = await check();
  if (flags.redirects !== undefined) await writeCsv(invocation, flags.redirects, checked);
  if (!flags.fix) return checked;
  await fix(invocation, checked);
  return globals.dryRun ? checked : check();
}

async function checkService(invocation: CheckInvocation): Promise<SnapshotCheck> {
  const { flags, io } = invocation;
  const snapshot = snapshotIn(flags.file ?? defaultFile).filter(({ url }) => url !== undefined);
  const redirects = knownRedirects(invocation);
  const { own, all } = await sitesOf(invocation);
  const sites = own.map((places) => new AddressedService(places, { all, redirects, isOnly: own.length === 1 }));
  const isIn = (site: AddressedService) => snapshot.some((each) => each.site === site.name);
  // A new site has not promised anything yet.
  const isWhole = flags.site === undefined && snapshot.length > 0;
  for (const { url } of isWhole ? sites.filter((site) => !isIn(site)) : []) {
    await io.note(`${url} is not in the snapshot: run "docsctl urls snapshot --all-spaces" again.`);
  }
  const lostSite = ({ url }: SiteAddresses, address: string) =>
    `${url}/${address} was published, and the site is not published now.`;
  const checked = await compare(
    isWhole ? sites.filter(isIn) : sites,
    snapshot,
    flags.site === undefined ? lostSite : undefined,
  );
  return withNotes(invocation, checked);
}

async function checkRequest(invocation: CheckInvocation, request: string): Promise<SnapshotCheck> {
  const spaceId = await scopeOf(invocation, 'space');
  const redirects = knownRedirects(invocation);
  const { before, after } = await withContentPort(invocation, 'Reading pages', (port) =>
    readRequestPlaces({ ...port, download: { bytes: port.bytes } }, spaceId, request),
  );
  const named = await siteNamed(invocation);
  const isWanted = ([place]: readonly PublishedPlace[]) => named === undefined || place?.site.id === named;
  const snapshot = await Promise.all(
    publishedSites(before)
      .filter(isWanted)
      .map((places) => addressesOfSite(places)),
  );
  if (snapshot.length === 0) await invocation.io.note('No published site has this space.');
  const own = publishedSites(after).filter(isWanted);
  const sites = own.map((places) => new AddressedService(places, { all: after, redirects, isOnly: own.length === 1 }));
  return withNotes(invocation, await compare(sites, snapshot, undefined));
}

/** Writes the redirects, and says what the check cannot know. */
async function withNotes(invocation: CheckInvocation, checked: SnapshotCheck): Promise<SnapshotCheck> {
  const { flags, io } = invocation;
  if (flags.redirects !== undefined) await writeCsv(invocation, flags.redirects, checked);
  if (flags.known === undefined && checked.findings.some(({ rule }) => rule === 'lost-address')) {
    await io.note('The API does not list the redirects of a site: name a CSV file of those that it has with --known.');
  }
  return checked;
}

async function report(invocation: CheckInvocation, checked: SnapshotCheck): Promise<void> {
  const { findings, pages, addresses, others } = checked;
  for (const { site, url = site, addresses: own } of others) {
    await invocation.io.note(`${own.length} address${own.length === 1 ? '' : 'es'} of ${url} were not checked.`);
  }
  const isService = invocation.flags.allSpaces === true || invocation.flags.cr !== undefined;
  const command = `docsctl urls check ${isService ? '--redirects redirects.csv' : '--fix'}`;
  const fix = findings.some(({ certain }) => certain) ? `"${command}" writes the certain redirects. ` : '';
  await reportCheck(invocation, {
    findings: findings.map((finding) => ({ ...finding, path: finding.url?.slice(1) ?? '' })),
    names: [...new Set(findings.flatMap(({ file, subject }) => file ?? subject ?? []))],
    pages,
    rules: new Set([...Object.keys(addressRules), ...Object.keys(folderRules)]),
    hint: `${fix}Accept findings with --ignore or --write-baseline.`,
    more: [addressCount(addresses)],
  });
}

/** The published sites of the organization. */
async function sitesOf(invocation: Invocation<Folders, SourceFlags>) {
  const orgId = await scopeOf(invocation, 'org');
  const named = await siteNamed(invocation);
  const { places } = await withContentPort(invocation, 'Reading pages', (port) =>
    readService({ ...port, download: { bytes: port.bytes } }, orgId),
  );
  const own = publishedSites(places).filter(([place]) => named === undefined || place?.site.id === named);
  if (named !== undefined && own.length === 0) {
    throw new UsageError('The site is not published, so it has no addresses.', 'Run docsctl sites publish.');
  }
  return { own, all: places };
}

/** The ID of the site that a flag names. */
async function siteNamed(invocation: Invocation<Folders, SourceFlags>): Promise<string | undefined> {
  if (invocation.flags.site === undefined) return undefined;
  const params = { orgId: await scopeOf(invocation, 'org'), siteId: await scopeOf(invocation, 'site') };
  return (await (await invocation.client()).call(sites.view, { params })).id;
}

/** @throws UsageError if the file cannot be read */
function knownRedirects({ flags: { known: file } }: CheckInvocation): KnownRedirect[] {
  if (file === undefined) return [];
  try {
    return readRedirectsCsv(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${fileReason(error)}.`,
      'It needs the columns source and destination.',
    );
  }
}

/** @throws UsageError if the snapshot does not have one of the sites */
async function compare<Site extends AddressedSite>(
  ...words: Parameters<typeof checkSnapshot<Site>>
): Promise<SnapshotCheck<Site>> {
  try {
    return await checkSnapshot(...words);
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
async function fix({ io, globals }: CheckInvocation, checked: SnapshotCheck<AddressedFolder>): Promise<void> {
  const verb = globals.dryRun ? 'Would write' : 'Wrote';
  const failed = await fixSnapshot(checked, { dryRun: globals.dryRun === true });
  for (const { address, finding, target } of checked.redirects.flatMap(({ redirects }) => redirects)) {
    await io.note(
      target === undefined
        ? `${verb} the file without the redirect of /${address}`
        : `${verb} /${address} -> ${finding.target}`,
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

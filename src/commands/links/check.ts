import { relative, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { type CheckFinding, type CheckFlags, reportCheck } from '../../cli/report/check-report.ts';
import { refuseTwoFormats } from '../../cli/report/findings.ts';
import { foldersOf } from '../../cli/settings/docs-folders.ts';
import { cacheDir } from '../../cli/settings/paths.ts';
import { type CheckedFolders, checkFolders } from '../../links/check-folders.ts';
import { checkLinks } from '../../links/check-links.ts';
import { type LinkFinding, linkRules } from '../../links/findings.ts';
import type { Fixed } from '../../links/fix-folders.ts';
import { planFixes, type SpaceFixes } from '../../links/fix-service.ts';
import { Renames } from '../../links/renames.ts';
import { readService } from '../../links/service-world.ts';
import { type SentChanges, sendChanges } from '../../links/space-changes.ts';
import { counted } from '../../shared/counted.ts';
import type { Docs } from '../../shared/docs.ts';
import { CheckCache } from '../../site/folder/check-cache.ts';
import { folderRules } from '../../site/folder/check-folder.ts';
import { externalRules } from '../../site/service/external-links.ts';
import { withContentPort } from '../shared/download.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';

type LinksInvocation = Invocation<
  { folder?: string[] | undefined },
  CheckFlags & {
    allSpaces?: boolean | undefined;
    fix?: boolean | undefined;
    external?: boolean | undefined;
    subject?: string | undefined;
  }
>;

const rules = new Set<string>([...Object.keys(linkRules), ...Object.keys(folderRules), ...externalRules]);

/** Checks the links of folders together. The findings are the result. */
export async function checkLinksOf(invocation: LinksInvocation): Promise<void> {
  refuseTwoFormats(invocation);
  if (invocation.flags.allSpaces) return checkService(invocation);
  const { flags, session } = invocation;
  if (flags.subject !== undefined) throw new UsageError('--subject needs --all-spaces and --fix.');
  const folders = await foldersOf(invocation);
  const paths = folders.map(({ path }) => path);
  // Git's history and the spaces of the folders are not in their files.
  const depends = async () => [process.cwd(), JSON.stringify(folders), await new Renames().keyOf(paths)];
  const names = folders.map(({ name }) => name).join(', ');
  const key = flags.fix || flags.external ? undefined : ['links', ...(await depends())];
  const cache = key && readable(names, () => new CheckCache<CheckedFolders>(paths, key, cacheDir(session.env)));
  const before = cache?.get();
  const result = before ?? (await check(invocation, folders));
  if (!before) await cache?.set(result);
  const findings = result.findings.map((finding) => withPath(finding, folders));
  await report(invocation, result, findings);
}

/** Checks all spaces of the organization. @throws UsageError with options that need folders */
async function checkService(invocation: LinksInvocation): Promise<void> {
  const { args, flags } = invocation;
  const other = args.folder?.length ? 'A folder' : flags.external ? '--external' : undefined;
  if (other !== undefined) {
    throw new UsageError(`${other} and --all-spaces cannot be combined.`, 'Run the command without --all-spaces.');
  }
  if (flags.subject !== undefined && !flags.fix) throw new UsageError('--subject needs --fix.');
  const orgId = await scopeOf(invocation, 'org');
  const result = await withContentPort(invocation, 'Reading pages', async (port) => {
    const world = await readService({ ...port, download: { bytes: port.bytes } }, orgId);
    const checked = await checkLinks(world, () => port.signal.throwIfAborted());
    const pages = world.spaces.reduce((sum, space) => sum + space.pages.length, 0);
    const names = world.spaces.flatMap(({ texts }) => texts.flatMap(({ place }) => place.subject ?? []));
    const fixes = flags.fix ? await planFixes(port, world, checked.fixable, flags.subject ?? 'Fix links') : [];
    return { ...checked, pages, names, fixes };
  });
  const { fixed, failures } = await sendFixes(invocation, result.fixes);
  const findings = result.findings.flatMap((finding) =>
    fixed.has(finding) ? [] : [{ ...finding, path: finding.subject ?? '' }],
  );
  try {
    await report(invocation, result, findings);
  } finally {
    refuseFailures(failures);
  }
}

/** @throws CommandError with status 8 if some fixes were not sent */
function refuseFailures(failures: number): void {
  if (failures === 0) return;
  throw new CommandError(`${counted(failures, 'page or space')} could not be fixed completely.`, {
    exitCode: exit.someFailed,
    hint: 'The reasons are above. Run the same command again to continue.',
  });
}

/** Sends the fixes of each space in a change request. @returns the fixed findings */
async function sendFixes(
  invocation: LinksInvocation,
  all: readonly SpaceFixes[],
): Promise<{ fixed: ReadonlySet<LinkFinding>; failures: number }> {
  const { globals, io } = invocation;
  const fixed = new Set<LinkFinding>();
  let failures = 0;
  for (const { plan, changer, findings, impossible } of all) {
    const { title } = plan.space;
    const written = new Set([...plan.changes.map(({ id }) => id), ...plan.done]);
    const sent = globals.dryRun
      ? undefined
      : await withContentPort(invocation, `Fixing ${title}`, (port) => sendChanges(port, plan, changer));
    if (sent?.failed !== undefined) failures += 1;
    const own = sent?.failed === undefined ? [...findings].flatMap(([id, each]) => (written.has(id) ? each : [])) : [];
    for (const { finding } of own) {
      const verb = globals.dryRun ? 'Would fix' : 'Fixed';
      await io.note(`${verb} ${finding.subject}:${finding.line}: ${finding.url} -> ${finding.target}`);
      if (!globals.dryRun) fixed.add(finding);
    }
    await noteFixes(invocation, {
      title,
      pages: written.size,
      subject: changer.subject,
      request: plan.request,
      ...sent,
    });
    const skipped = [
      ...plan.skipped.map(({ path, reason }) => ({ where: `${title}: ${path}`, reason })),
      ...impossible.map(({ finding: { finding }, reason }) => ({
        where: `${finding.subject}:${finding.line}`,
        reason,
      })),
    ];
    failures += skipped.length;
    for (const { where, reason } of skipped) await io.note(`${where} was not fixed: ${reason}.`);
  }
  return { fixed, failures };
}

interface SpaceNote extends Partial<Pick<SentChanges, 'request' | 'failed'>> {
  title: string;
  pages: number;
  subject: string;
}

async function noteFixes({ io, globals }: LinksInvocation, space: SpaceNote): Promise<void> {
  const { title, pages, subject, request, failed } = space;
  const name = request
    ? `change request #${request.number} (${request.urls.app})`
    : `a new change request "${subject}"`;
  if (failed !== undefined) await io.note(`${title}: not everything was fixed in ${name}: ${failed}.`);
  else if (pages > 0) {
    await io.note(`${title}: ${globals.dryRun ? 'would fix ' : ''}${counted(pages, 'page')} in ${name}.`);
  }
}

async function report(
  invocation: LinksInvocation,
  { pages, links, unchecked, names }: Pick<CheckedFolders, 'pages' | 'links' | 'unchecked' | 'names'>,
  findings: (CheckFinding & Pick<LinkFinding, 'certain'>)[],
): Promise<void> {
  const more = [counted(links, 'link'), ...(unchecked > 0 ? [`${counted(unchecked, 'link')} not checked`] : [])];
  const fix = findings.some(({ certain }) => certain) ? '"docsctl links check --fix" writes the certain fixes. ' : '';
  const hint = `${fix}Accept findings with --ignore or --write-baseline.`;
  await reportCheck(invocation, { findings, names, pages, rules, hint, more });
}

/** Checks folders, and reports what was fixed. @throws UsageError, or CommandError with status 8 if a fix was not written */
async function check(invocation: LinksInvocation, docs: readonly Docs[]): Promise<CheckedFolders> {
  const { signal, flags, globals, session } = invocation;
  const names = docs.map(({ name }) => name).join(', ');
  const checked = await checkFolders(docs, {
    signal,
    fix: flags.fix ? (globals.dryRun ? 'list' : 'write') : undefined,
    externalCache: flags.external ? cacheDir(session.env) : undefined,
  }).catch((error): never => {
    throw unreadable(names, error);
  });
  if (checked.pages === 0) throw new UsageError(`${names}: there are no pages.`, 'Pages are .md files.');
  if (checked.fixes) await reportFixes(invocation, checked.fixes);
  return checked;
}

/** @throws CommandError with status 8 if some were not written */
async function reportFixes({ io, globals }: LinksInvocation, { files, fixed, failed }: Fixed): Promise<void> {
  const verb = globals.dryRun ? 'Would fix' : 'Fixed';
  for (const { finding } of fixed) {
    await io.note(`${verb} ${finding.file}:${finding.line}: ${finding.url} -> ${finding.target}`);
  }
  await io.note(`${verb} ${counted(fixed.length, 'link')} in ${counted(files, 'file')}.`);
  if (failed.length === 0) return;
  for (const { finding, reason } of failed) await io.note(`${finding.finding.file} was not fixed: ${reason}.`);
  throw new CommandError(`${counted(failed.length, 'link')} could not be fixed.`, { exitCode: exit.someFailed });
}

/** With the path in its folder, which an ignore file names it by. */
function withPath(finding: LinkFinding, folders: readonly Docs[]): LinkFinding & CheckFinding {
  const whole = resolve(finding.file ?? '');
  const inside = folders.map(({ path }) => relative(path, whole)).find((path) => !path.startsWith('..'));
  return { ...finding, path: inside ?? finding.file ?? finding.subject ?? '' };
}

import { join } from 'node:path';
import { buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import type { Folder, Problem } from '../../content/sync/folder.ts';
import { folderOf, planPull } from '../../content/sync/plan-pull.ts';
import type { WrittenFolder } from '../../content/sync/write-folder.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { type Docs, docsOf, readLocal } from './folder.ts';
import { FolderTexts } from './folder-texts.ts';
import { eachOf } from '../../shared/each-of.ts';
import { getFrom } from '../../shared/get-from.ts';
import { printDryRun, printPlan } from './plan.ts';
import { readPushed } from './pushed.ts';
import { type ReadContent, readContent, withAllTexts } from './remote.ts';
import { judgeRemovals, judgeWrites, type Refusal, removeLocal, writeLocal } from './write.ts';

type PullInvocation = Invocation<
  { folder?: string | undefined },
  { prune?: boolean | undefined; ci?: boolean | undefined }
>;

interface Pulled {
  folder: string;
  pages: number;
  written: number;
  removed: number;
  kept: number;
  /** How many files and names of the space are not written as they are there. */
  leftOut: number;
  unchanged: number;
  revision: string;
}

/** Pulls into the folder that is named, or into those of the project file. */
export async function pullAll(invocation: PullInvocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  const results: Pulled[] = [];
  const texts = new FolderTexts(invocation.signal);
  try {
    for (const docs of folders) results.push(await pullOne(invocation, docs, texts));
  } finally {
    texts.close();
  }
  if (globals.dryRun) return;
  server.summary(
    [
      '### Docs pulled',
      '',
      '| folder | pages | written | removed |',
      '|---|---|---|---|',
      ...results.map((each) => `| ${markdownCell(each.folder)} | ${each.pages} | ${each.written} | ${each.removed} |`),
    ].join('\n'),
  );
  const options = outputOptions(invocation, { idKey: 'revision' });
  server.outputs(outputsOf(results.map(({ revision }) => ({ revision }))));
  const [first, ...others] = results;
  if (!first || others.length > 0) return print(invocation, results, undefined, options);
  await print(invocation, first, undefined, options);
}

async function pullOne(invocation: PullInvocation, docs: Docs, texts: FolderTexts): Promise<Pulled> {
  const { flags, globals, io } = invocation;
  const local = await readLocal(texts, docs, { mustExist: false });
  const spaceId = flags.space ?? docs.space ?? (await scopeOf(invocation, 'space'));
  const revisionId = await revisionOf(invocation, spaceId);
  const content = await readContent(invocation, { spaceId, revisionId });
  const pushed = await readPushed(invocation, spaceId);
  let written: WrittenFolder;
  let folder: Folder;
  try {
    const remote = await withAllTexts(invocation, spaceId, content);
    const input = { remote, local, pushedHashes: pushed.hashes };
    written = await texts.run('writeFolder', input, {
      folder: join(docs.name, local.root),
      texts: [...local.pages, ...remote.pages].map(({ text }) => text),
    });
    folder = await withFiles(invocation, content, written);
  } finally {
    await content.close();
  }
  const planned = planPull(local, folder);
  const target = join(docs.path, local.root);
  const { write, refused } = await judgeWrites(target, planned.write, pushed);
  const removal = flags.prune ? await judgeRemovals(target, planned.remove) : { remove: [], refused: [] };
  const removed = new Set(removal.remove);
  const kept = planned.remove.filter((path) => !removed.has(path));
  await reportRefusals(invocation, written.problems, refused, removal.refused);
  const unchanged = folder.size - write.size - refused.length;
  const rows = [
    ...[...write].map(([path, { before }]) => ({ action: before ? 'change' : 'write', path })),
    ...removal.remove.map((path) => ({ action: 'remove', path })),
    ...kept.map((path) => ({ action: 'keep', path })),
  ];
  if (globals.dryRun) {
    await printDryRun(invocation, [...rows, ...refused.map(({ path }) => ({ action: 'leave out', path }))]);
    await io.note(`${unchanged} unchanged.`);
  } else {
    await printPlan(invocation, rows, docs.name, unchanged);
    await writeLocal(target, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
    await removeLocal(target, removal.remove);
    if (!flags.prune && kept.length > 0) {
      const what =
        kept.length === 1 ? '1 file is not in the space and was' : `${kept.length} files are not in the space and were`;
      await io.note(`${what} kept; --prune removes them.`);
    }
  }
  return {
    folder: docs.name,
    pages: content.remote.pages.length,
    written: write.size,
    removed: removal.remove.length,
    kept: kept.length,
    leftOut: written.problems.length + refused.length,
    unchanged,
    revision: revisionId,
  };
}

async function reportRefusals(
  { io }: PullInvocation,
  renamed: readonly Problem[],
  refused: readonly Refusal[],
  notRemoved: readonly Refusal[],
): Promise<void> {
  for (const { file, message } of renamed) await io.note(`${file}: ${message}`);
  for (const { path, reason } of refused) await io.note(`${path} is left out: ${reason}.`);
  for (const { path, reason } of notRemoved) await io.note(`${path} is kept: ${reason}.`);
}

async function revisionOf({ flags, client }: PullInvocation, spaceId: string): Promise<string> {
  const service = await client();
  if (flags.cr === undefined) return (await service.call(spaces.view, { params: { spaceId } })).revision;
  return (await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } })).revision;
}

const maxDownloads = 8;

/** Only the files that the pages use are fetched. */
async function withFiles({ io }: PullInvocation, { bytesOf }: ReadContent, written: WrittenFolder): Promise<Folder> {
  const bytes = new Map<string, Uint8Array>();
  const ids = new Set([...written.files.values()].map(({ id }) => id));
  const progress = createProgress('Fetching files', { animated: io.canAnimate, quiet: io.quiet });
  try {
    await eachOf(
      [...ids],
      async (id) => {
        bytes.set(id, await bytesOf(id));
        progress.count(bytes.size, ids.size);
      },
      maxDownloads,
    );
  } finally {
    progress.stop();
  }
  return folderOf(written, ({ id }) => getFrom(bytes, id));
}

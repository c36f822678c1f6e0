import { join } from 'node:path';
import { buildServer, markdownCell } from '../../cli/program/build-server.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress } from '../../cli/output/index.ts';
import type { LocalFolder, Problem } from '../../content/sync/folder.ts';
import { planPull, writeFolder } from '../../content/sync/pull.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { type Docs, docsOf, eachOf, readLocal } from './folder.ts';
import { printPlan, printRehearsal } from './plan.ts';
import { readPushed } from './pushed.ts';
import { type ReadContent, readContent } from './remote.ts';
import { judgeRemovals, judgeWrites, type Refusal, removeLocal, writeLocal } from './write.ts';

interface Pulled {
  folder: string;
  pages: number;
  written: number;
  removed: number;
  kept: number;
  /** Files and names of the space that the folder does not have as they are there. */
  leftOut: number;
  unchanged: number;
  revision: string;
}

/** Pulls into the folder that is named, or into those of the project file. */
export async function pullAll(invocation: Invocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  const pulled: Pulled[] = [];
  for (const docs of folders) pulled.push(await pullOne(invocation, docs));
  if (globals.dryRun) return;
  server.summary(
    [
      '### Docs pulled',
      '',
      '| folder | pages | written | removed |',
      '|---|---|---|---|',
      ...pulled.map((each) => `| ${markdownCell(each.folder)} | ${each.pages} | ${each.written} | ${each.removed} |`),
    ].join('\n'),
  );
  const options = outputOptions(invocation, { idKey: 'revision' });
  if (pulled.length === 1) {
    server.outputs({ revision: pulled[0]!.revision });
    return print(invocation, pulled[0], undefined, options);
  }
  const output = createListOutput(options, invocation.command.output!.columns!, io.out);
  await output.page(pulled);
  await output.end();
}

async function pullOne(invocation: Invocation, docs: Docs): Promise<Pulled> {
  const { flags, globals, io } = invocation;
  const local = await readLocal(docs, { mustExist: false });
  const spaceId = (flags.space as string | undefined) ?? docs.space ?? (await scopeOf(invocation, 'space'));
  const revisionId = await revisionOf(invocation, spaceId);
  const content = await readContent(invocation, { spaceId, revisionId });
  let folder: Map<string, Uint8Array>;
  const renamed: Problem[] = [];
  const pushed = await readPushed(invocation, spaceId);
  try {
    folder = await folderOf(invocation, content, local, { problems: renamed, own: pushed.hashes });
  } finally {
    await content.close();
  }
  const planned = planPull(local, folder);
  const at = join(docs.path, local.root);
  const { write, refused } = await judgeWrites(at, planned.write, pushed);
  const removal = flags.prune ? await judgeRemovals(at, planned.remove) : { remove: [], refused: [] };
  const removed = new Set(removal.remove);
  const kept = planned.remove.filter((path) => !removed.has(path));
  await tellRefusals(invocation, renamed, refused, removal.refused);
  const unchanged = folder.size - write.size - refused.length;
  const rows = [
    ...[...write].map(([path, { before }]) => ({ action: before ? 'change' : 'write', path })),
    ...removal.remove.map((path) => ({ action: 'remove', path })),
    ...kept.map((path) => ({ action: 'keep', path })),
  ];
  if (globals.dryRun) {
    await printRehearsal(invocation, [...rows, ...refused.map(({ path }) => ({ action: 'leave out', path }))]);
    await io.note(`${unchanged} unchanged.`);
  } else {
    await printPlan(invocation, rows, docs.name, unchanged);
    await writeLocal(at, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
    await removeLocal(at, removal.remove);
    if (!flags.prune && kept.length > 0)
      await io.note(
        `${kept.length} file${kept.length === 1 ? ' is' : 's are'} not in the space and ${kept.length === 1 ? 'was' : 'were'} kept; --prune removes them.`,
      );
  }
  return {
    folder: docs.name,
    pages: content.remote.pages.length,
    written: write.size,
    removed: removal.remove.length,
    kept: kept.length,
    leftOut: renamed.length + refused.length,
    unchanged,
    revision: revisionId,
  };
}

async function tellRefusals(
  { io }: Invocation,
  renamed: readonly Problem[],
  refused: readonly Refusal[],
  notRemoved: readonly Refusal[],
): Promise<void> {
  for (const { file, message } of renamed) await io.note(`${file}: ${message}`);
  for (const { path, reason } of refused) await io.note(`${path} is left out: ${reason}.`);
  for (const { path, reason } of notRemoved) await io.note(`${path} is kept: ${reason}.`);
}

async function revisionOf({ flags, client }: Invocation, spaceId: string): Promise<string> {
  const service = await client();
  if (flags.cr === undefined) return (await service.call(spaces.view, { params: { spaceId } })).revision;
  return (await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } })).revision;
}

const downloads = 8;

async function folderOf(
  { io }: Invocation,
  { remote, bytesOf: fetch }: ReadContent,
  local: LocalFolder,
  naming: { problems: Problem[]; own: ReadonlyMap<string, string> },
) {
  const wanted = new Set<string>();
  // Which files are shown, and only those, is known once the folder is laid out.
  writeFolder(
    remote,
    ({ id }) => {
      wanted.add(id);
      return new Uint8Array();
    },
    local,
    { own: naming.own },
  );
  const bytes = new Map<string, Uint8Array>();
  const progress = createProgress('Fetching files', { animated: io.canAnimate, quiet: io.quiet });
  try {
    await eachOf(
      [...wanted],
      async (id) => {
        bytes.set(id, await fetch(id));
        progress.count(bytes.size, wanted.size);
      },
      downloads,
    );
  } finally {
    progress.stop();
  }
  return writeFolder(remote, ({ id }) => bytes.get(id)!, local, naming);
}

import { buildServer, markdownCell } from '../cli/ci.ts';
import { type Invocation, outputOptions, print, scopeOf } from '../cli/invocation.ts';
import { createListOutput, createProgress } from '../cli/output/index.ts';
import type { LocalFolder } from '../content/folder.ts';
import { planPull, writeFolder } from '../content/plan.ts';
import { changeRequests } from '../contract/changeRequests.ts';
import { spaces } from '../contract/spaces.ts';
import {
  bytesOf,
  type Docs,
  docsOf,
  eachOf,
  isWritable,
  readLocal,
  removeLocal,
  writeLocal,
} from './content-folder.ts';
import { printPlan, printRehearsal } from './content-plan.ts';
import { type ReadContent, readContent } from './content-remote.ts';

interface Pulled {
  folder: string;
  pages: number;
  written: number;
  removed: number;
  kept: number;
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
  const output = createListOutput(options, invocation.command.columns!, io.out);
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
  try {
    folder = await folderOf(invocation, content, local);
  } finally {
    await content.close();
  }
  const { write, remove } = await changesOf(invocation, docs, local, folder);
  const unchanged = folder.size - write.size;
  const rows = [
    ...[...write].map(([path, { before }]) => ({ action: before ? 'change' : 'write', path })),
    ...remove.map((path) => ({ action: flags.prune ? 'remove' : 'keep', path })),
  ];
  if (globals.dryRun) {
    await printRehearsal(invocation, rows);
    await io.note(`${unchanged} unchanged.`);
  } else {
    await printPlan(invocation, rows, docs.name, unchanged);
    const at = local.root === '' ? docs.path : `${docs.path}/${local.root}`;
    await writeLocal(at, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
    if (flags.prune) await removeLocal(at, remove);
    else if (remove.length > 0)
      await io.note(
        `${remove.length} file${remove.length === 1 ? ' is' : 's are'} not in the space and ${remove.length === 1 ? 'was' : 'were'} kept; --prune removes them.`,
      );
  }
  return {
    folder: docs.name,
    pages: content.remote.pages.length,
    written: write.size,
    removed: flags.prune ? remove.length : 0,
    kept: flags.prune ? 0 : remove.length,
    unchanged,
    revision: revisionId,
  };
}

async function revisionOf({ flags, client }: Invocation, spaceId: string): Promise<string> {
  const service = await client();
  if (flags.cr === undefined) return (await service.call(spaces.view, { params: { spaceId } })).revision;
  return (await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } })).revision;
}

const downloads = 8;

async function folderOf({ io }: Invocation, { remote, bytesOf: fetch }: ReadContent, local: LocalFolder) {
  const wanted = new Set<string>();
  // Which files are shown, and only those, is known once the folder is laid out.
  writeFolder(
    remote,
    ({ id }) => {
      wanted.add(id);
      return new Uint8Array();
    },
    local,
  );
  const bytes = new Map<string, Uint8Array>();
  const progress = createProgress('Fetching files', { lively: io.lively, quiet: io.quiet });
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
  return writeFolder(remote, ({ id }) => bytes.get(id)!, local);
}

interface Written {
  bytes: Uint8Array;
  /** There is a file already. */
  before: boolean;
}

async function changesOf({ io }: Invocation, docs: Docs, local: LocalFolder, folder: Map<string, Uint8Array>) {
  const planned = planPull(local, folder);
  const write = new Map<string, Written>();
  const at = local.root === '' ? docs.path : `${docs.path}/${local.root}`;
  for (const [path, bytes] of planned.write) {
    if (!isWritable(path)) {
      await io.note(`${path} is left out: a space may not put files there.`);
      continue;
    }
    const present = await bytesOf(at, path);
    if (present === undefined || !Buffer.from(present).equals(bytes))
      write.set(path, { bytes, before: present !== undefined });
  }
  return { write, remove: planned.remove.toSorted() };
}

import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { argument, print, scopeOf } from '../../cli/command/invocation.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { openapi } from '../../contract/openapi.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { writeOut } from '../shared/download.ts';

type Slug = { slug?: string | undefined };
type ViewInvocation = Invocation<Slug & { version?: string | undefined }, {}>;
type DownloadInvocation = Invocation<Slug, { version?: string | undefined; out?: string | undefined }>;

async function specOf(invocation: Invocation<Slug, {}>): Promise<{ orgId: string; specSlug: string }> {
  return { orgId: await scopeOf(invocation, 'org'), specSlug: argument(invocation, 'slug') };
}

/** Shows one version, the latest where none is named. */
export async function viewVersion(invocation: ViewInvocation): Promise<void> {
  const { args, client, globals } = invocation;
  const spec = await specOf(invocation);
  if (args.version === undefined) {
    const call = { endpoint: openapi.latestVersion, params: spec };
    if (globals.dryRun) return printRequest(invocation, call);
    return print(invocation, await (await client()).call(call.endpoint, { params: call.params }));
  }
  const call = { endpoint: openapi.version, params: { ...spec, versionId: args.version } };
  if (globals.dryRun) return printRequest(invocation, call);
  await print(invocation, await (await client()).call(call.endpoint, { params: call.params }));
}

/** Writes the document of a version. */
export async function download(invocation: DownloadInvocation): Promise<void> {
  const spec = await specOf(invocation);
  const { client, flags, globals } = invocation;
  if (flags.version === undefined) {
    const call = { endpoint: openapi.latestContent, params: spec };
    if (globals.dryRun) return printRequest(invocation, call);
    return writeDocuments(invocation, (await (await client()).call(call.endpoint, { params: call.params })).filesystem);
  }
  const call = { endpoint: openapi.versionContent, params: { ...spec, versionId: flags.version } };
  if (globals.dryRun) return printRequest(invocation, call);
  await writeDocuments(invocation, (await (await client()).call(call.endpoint, { params: call.params })).filesystem);
}

/** @param documents by file name */
async function writeDocuments(invocation: DownloadInvocation, documents: Record<string, unknown>): Promise<void> {
  const { flags, globals, io } = invocation;
  const { out } = flags;
  const files = Object.entries(documents);
  const [only] = files.length === 1 ? files : [];
  if (globals.jq !== undefined || (globals.output !== undefined && globals.output !== 'yaml')) {
    return print(invocation, only ? only[1] : documents);
  }
  if (only) return writeOut(invocation, await bytesOf(only[1], isYaml(invocation, out)), out ?? '-');
  if (out === undefined || out === '-') {
    throw new CommandError(`This version has ${files.length} files: ${files.map(([name]) => name).join(', ')}.`, {
      hint: 'Name a folder for them with --out.',
    });
  }
  const named = withFileNames(files);
  makeOutFolder(out);
  for (const { name, fileName, document } of named) {
    await writeOut(invocation, await bytesOf(document, isYaml(invocation, name)), join(out, fileName));
  }
  await io.note(`Wrote ${files.length} files to ${out}.`);
}

/** Names come from the service: none may lead out of the folder, and no two may be the same file. */
function withFileNames(files: readonly [name: string, document: unknown][]) {
  const taken = new Set<string>();
  const hint = 'Use --output json to get all of them as one document.';
  return files.map(([name, document]) => {
    const fileName = fileNameOf(name);
    if (fileName === undefined) {
      throw new CommandError(`"${name}" is not a usable file name. Nothing was written.`, { hint });
    }
    // Some file systems ignore case.
    const key = fileName.toLowerCase();
    if (taken.has(key)) {
      throw new CommandError(`This version has two files named ${fileName}. Nothing was written.`, { hint });
    }
    taken.add(key);
    return { name, fileName, document };
  });
}

function makeOutFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be created: ${fileReason(error, 'folder')}.`, {
      hint: 'Name another one with --out.',
    });
  }
}

const isYaml = ({ globals }: DownloadInvocation, file = '') => globals.output === 'yaml' || /\.ya?ml$/i.test(file);

async function bytesOf(document: unknown, asYaml: boolean): Promise<Uint8Array> {
  if (!asYaml) return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  const { dump } = await import('js-yaml');
  return Buffer.from(dump(document));
}

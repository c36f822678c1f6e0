import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { argument, print, scopeOf } from '../../cli/command/invocation.ts';
import type { Endpoint, ParamsOf } from '../../contract/endpoint.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { openapi } from '../../contract/openapi.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { portOf } from '../shared/listening.ts';
import { writeOut } from '../shared/download.ts';

type Slug = { slug?: string | undefined };
type ViewInvocation = Invocation<
  Slug,
  {
    web?: boolean | undefined;
    port?: string | undefined;
    tryIt?: boolean | undefined;
    open?: boolean | undefined;
  }
>;
type VersionInvocation = Invocation<Slug & { version?: string | undefined }, {}>;
type DownloadInvocation = Invocation<Slug, { version?: string | undefined; out?: string | undefined }>;

async function specOf(invocation: Invocation<Slug, {}>): Promise<{ orgId: string; specSlug: string }> {
  return { orgId: await scopeOf(invocation, 'org'), specSlug: argument(invocation, 'slug') };
}

/** The response to a read; undefined in a dry run, which prints the request. */
async function read<E extends Endpoint>(invocation: Invocation<Slug, {}>, endpoint: E, params: ParamsOf<E>) {
  if (invocation.globals.dryRun) return void (await printRequest(invocation, { endpoint, params }));
  return (await invocation.client()).call(endpoint, { params });
}

/** Prints a specification, or shows its reference in the browser. */
export async function viewSpec(invocation: ViewInvocation): Promise<void> {
  const { flags } = invocation;
  const spec = await specOf(invocation);
  if (flags.web) return showReference(invocation, spec);
  const flag = flags.tryIt ? '--try-it' : flags.open ? '--open' : undefined;
  if (flag !== undefined) throw new UsageError(`${flag} needs --web.`, 'Add --web to show the reference.');
  const answer = await read(invocation, openapi.view, spec);
  if (answer) await print(invocation, answer);
}

async function showReference(invocation: ViewInvocation, params: { orgId: string; specSlug: string }): Promise<void> {
  const { serveUntilStopped } = await import('../shared/serve-preview.ts');
  const port = portOf(invocation.flags.port ?? '');
  const { filesystem } = await (await invocation.client()).call(openapi.latestContent, { params });
  const [document] = Object.values(filesystem);
  const { Reference } = await import('../../site/reference/index.ts');
  const { ReferencePreview } = await import('../../site/preview/reference-preview.ts');
  const source = new ReferencePreview(new Reference({ document }), { hasTryIt: invocation.flags.tryIt === true });
  await serveUntilStopped(invocation, { source, name: `the reference of ${params.specSlug}` }, port);
}

/** Prints a version, by default the latest. */
export async function viewVersion(invocation: VersionInvocation): Promise<void> {
  const spec = await specOf(invocation);
  const { version: versionId } = invocation.args;
  const answer =
    versionId === undefined
      ? await read(invocation, openapi.latestVersion, spec)
      : await read(invocation, openapi.version, { ...spec, versionId });
  if (answer) await print(invocation, answer);
}

/** Writes the document of a version. */
export async function download(invocation: DownloadInvocation): Promise<void> {
  const spec = await specOf(invocation);
  const { version: versionId } = invocation.flags;
  const answer =
    versionId === undefined
      ? await read(invocation, openapi.latestContent, spec)
      : await read(invocation, openapi.versionContent, { ...spec, versionId });
  if (answer) await writeDocuments(invocation, answer.filesystem);
}

/** @param documents by file name */
async function writeDocuments(invocation: DownloadInvocation, documents: Record<string, unknown>): Promise<void> {
  const { flags, globals, io } = invocation;
  const { out } = flags;
  const files = Object.entries(documents);
  const [only] = files.length === 1 ? files : [];
  if (globals.jq !== undefined || (globals.output !== undefined && globals.output !== 'yaml'))
    return print(invocation, only ? only[1] : documents);
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

/** Names come from the service. None may lead out of the folder, and no two may be the same file. */
function withFileNames(files: readonly [name: string, document: unknown][]) {
  const taken = new Set<string>();
  const hint = 'Use --output json to print all files as one document.';
  return files.map(([name, document]) => {
    const fileName = fileNameOf(name);
    if (fileName === undefined)
      throw new CommandError(`"${name}" is not a usable file name. Nothing was written.`, { hint });
    // Some file systems ignore case.
    const key = fileName.toLowerCase();
    if (taken.has(key))
      throw new CommandError(`This version has two files named ${fileName}. Nothing was written.`, { hint });
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

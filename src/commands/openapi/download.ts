import { join } from 'node:path';
import { CommandError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { argument, type Invocation, print, scopeOf } from '../../cli/command/invocation.ts';
import { printRequest } from '../../cli/command/run.ts';
import { openapi } from '../../contract/openapi.ts';
import { writeOut } from '../shared/download-file.ts';

async function paramsOf(invocation: Invocation) {
  return { orgId: await scopeOf(invocation, 'org'), specSlug: argument(invocation, 'slug') };
}

/** Shows one version, the latest where none is named. */
export async function viewVersion(invocation: Invocation): Promise<void> {
  const { args, globals } = invocation;
  const params = await paramsOf(invocation);
  const versionId = args.version as string | undefined;
  const endpoint = versionId === undefined ? openapi.latestVersion : openapi.version;
  const whole = { ...params, ...(versionId === undefined ? {} : { versionId }) };
  if (globals.dryRun) return printRequest(invocation, { endpoint, params: whole, query: {}, body: undefined });
  const client = await invocation.client();
  await print(
    invocation,
    versionId === undefined
      ? await client.call(openapi.latestVersion, { params })
      : await client.call(openapi.version, { params: { ...params, versionId } }),
  );
}

/** Writes the document of a version. */
export async function download(invocation: Invocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const params = await paramsOf(invocation);
  const versionId = flags.version as string | undefined;
  const endpoint = versionId === undefined ? openapi.latestContent : openapi.versionContent;
  const whole = { ...params, ...(versionId === undefined ? {} : { versionId }) };
  if (globals.dryRun) return printRequest(invocation, { endpoint, params: whole, query: {}, body: undefined });
  const client = await invocation.client();
  const { filesystem } =
    versionId === undefined
      ? await client.call(openapi.latestContent, { params })
      : await client.call(openapi.versionContent, { params: { ...params, versionId } });
  const files = Object.entries(filesystem);
  if (globals.jq !== undefined || (globals.output !== undefined && globals.output !== 'yaml'))
    return print(invocation, files.length === 1 ? files[0]![1] : filesystem);
  const out = flags.out as string | undefined;
  if (files.length === 1) return writeOut(invocation, await bytesOf(files[0]![1], isYaml(invocation, out)), out ?? '-');
  if (out === undefined || out === '-') {
    throw new CommandError(`This version has ${files.length} files: ${files.map(([name]) => name).join(', ')}.`, {
      hint: 'Name a folder for them with --out.',
    });
  }
  const named = namesOf(files.map(([name]) => name));
  makeOut(out);
  for (const [at, [name, document]] of files.entries())
    await writeOut(invocation, await bytesOf(document, isYaml(invocation, name)), join(out, named[at]!));
  await io.note(`Wrote ${files.length} files into ${out}.`);
}

/** Names come from the service: nothing is written outside of the folder, and none in the place of another. */
function namesOf(given: readonly string[]): string[] {
  const names = new Map<string, string>();
  const hint = 'Take all of them as one document with --output json.';
  for (const name of given) {
    const own = fileNameOf(name);
    if (own === undefined) throw new CommandError(`No file can be called "${name}". Nothing was written.`, { hint });
    // File systems that ignore case take these for one.
    const folded = own.toLowerCase();
    if (names.has(folded)) {
      throw new CommandError(`This version has two files called ${own}. Nothing was written.`, { hint });
    }
    names.set(folded, own);
  }
  return [...names.values()];
}

function makeOut(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be made: ${fileReason(error, 'folder')}.`, {
      hint: 'Name another one with --out.',
    });
  }
}

const isYaml = ({ globals }: Invocation, file = '') => globals.output === 'yaml' || /\.ya?ml$/i.test(file);

async function bytesOf(document: unknown, asYaml: boolean): Promise<Uint8Array> {
  if (!asYaml) return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  const { dump } = await import('js-yaml');
  return Buffer.from(dump(document));
}

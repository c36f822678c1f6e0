import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { visibleLines } from '../../cli/output/index.ts';
import type { BuildServer } from '../../cli/program/build-server.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { type Description, type Finding, formatFinding, readDescription, UnreadableFile } from '../../openapi/index.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isAddress } from './is-address.ts';

/** The flags of all commands that read and check descriptions. */
export type CheckFlags = {
  refRoot?: string[] | undefined;
  ci?: boolean | undefined;
};

/** Reads a file, an address or standard input. @throws UsageError for what cannot be read */
export async function readSource({ flags, session }: Invocation<{}, CheckFlags>, source: string): Promise<Description> {
  const referenceRoots = referenceRootsOf(flags.refRoot ?? []);
  if (source === '-') return readDescription({ text: fileText('-', '<source>') }, undefined, referenceRoots);
  if (!isAddress(source)) {
    return readDescription({ path: source }, undefined, referenceRoots).catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error;
      throw new UsageError(
        `${error.message.replace(/\.$/, '')}.`,
        'Name a file, an address that begins with http:// or https://, or - for standard input.',
      );
    });
  }
  const { origin, pathname, search } = new URL(source);
  const client = await session.clientFor(origin, undefined);
  try {
    const { text } = await client.request('GET', pathname + search, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
    });
    return await readDescription({ url: source, text });
  } finally {
    await client.close();
  }
}

/** Only flags may allow further folders: the author of a project file may also be the author of the description. */
export function referenceRootsOf(folders: readonly string[]): string[] {
  return folders.map((folder) => {
    const reason = reasonNotFolder(folder);
    if (reason === undefined) return resolve(folder);
    throw new UsageError(`--ref-root: ${folder} cannot be read: ${reason}.`, 'Name a folder that exists.');
  });
}

function reasonNotFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return fileReason(error, 'folder');
  }
}

/** Prints findings on standard error, and annotates them on a build server. */
export async function reportFindings(
  { io }: Invocation<{}, CheckFlags>,
  findings: readonly Finding[],
  server: BuildServer,
): Promise<void> {
  for (const finding of findings) await io.err.write(`${visibleLines(formatFinding(finding))}\n`);
  if (findings.length > 0) await server.annotate(findings.map((finding) => ({ ...finding, level: finding.severity })));
}

/** Whether a finding ends the command with status 9. */
export const isSevere = ({ severity }: Finding, failOn: string | undefined): boolean =>
  severity === 'error' || failOn === 'warning';

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { counted } from '../../shared/counted.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { addressText } from '../shared/description-source.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import type { OverlayText } from '../../openapi/index.ts';
import type { OpenRequest, ReadResult } from '../shared/description-tasks.ts';
import { DescriptionThread } from '../shared/description-worker.ts';
import type { ReadFlags } from './flags.ts';

type ReadInvocation = Invocation<{}, ReadFlags>;

/**
 * Reads and checks descriptions, each of which is a file, an address or standard input.
 *
 * @param onFailure gets the error if one cannot be read; the others are read nevertheless
 * @throws UsageError if one cannot be read, CommandError beyond the limits
 */
export async function* readDescriptions<S extends { source: string }>(
  invocation: ReadInvocation,
  sources: readonly S[],
  onFailure?: (source: S, error: unknown) => Promise<void> | void,
): AsyncGenerator<S & { description: ReadResult }> {
  const thread = new DescriptionThread(invocation);
  let ignored = 0;
  try {
    for (const each of sources) {
      const description = await readOne(invocation, thread, each.source).catch(async (error: unknown) => {
        if (!onFailure) throw error;
        await onFailure(each, error);
      });
      ignored += description?.ignored ?? 0;
      if (description) yield { ...each, description };
    }
    if (ignored > 0) await invocation.io.note(`${counted(ignored, 'finding')} ignored by .redocly.lint-ignore.yaml.`);
  } finally {
    await thread.close();
  }
}

async function readOne(invocation: ReadInvocation, thread: DescriptionThread, source: string): Promise<ReadResult> {
  const request = await requestFor(invocation, source, '<source>');
  const { description, unreadable = '', hint } = await thread.read(request, source);
  if (description) return description;
  throw unreadableSource(unreadable, 'a file, an address that starts with http:// or https://,', hint);
}

/** @param forms the possible sources other than standard input, for the hint */
export const unreadableSource = (
  message: string,
  forms: string,
  hint = `Name ${forms} or - for standard input.`,
): UsageError => new UsageError(`${message.replace(/\.$/, '')}.`, hint);

/** @param argument its name, for messages */
export async function requestFor(invocation: ReadInvocation, source: string, argument: string): Promise<OpenRequest> {
  const { refRoot = [], refHost = [], overlay = [] } = invocation.flags;
  const reach = { directory: process.cwd(), referenceRoots: referenceRootsOf(refRoot), referenceHosts: refHost };
  const request = { ...reach, overlays: readOverlays(overlay) };
  if (source === '-') return { ...request, from: { text: fileText('-', argument) } };
  if (!isAddress(source)) return { ...request, from: { path: source } };
  return { ...request, from: { url: source, text: await addressText(invocation, source) } };
}

/** @throws UsageError for one that cannot be read */
export function readOverlays(files: readonly string[]): OverlayText[] {
  return files.map((name) => {
    if (name === '-') throw new UsageError('--overlay cannot be standard input.', 'Name a file.');
    return { name, text: fileText(name, '--overlay') };
  });
}

/** Only flags may allow further folders, because the author of a project file may also be the author of the description. */
function referenceRootsOf(folders: readonly string[]): string[] {
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

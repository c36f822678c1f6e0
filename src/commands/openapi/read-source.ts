import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { DescriptionSource } from '../../openapi/index.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { ReadResult } from './description-tasks.ts';
import { isAddress } from './is-address.ts';
import { DescriptionThread } from './description-worker.ts';

/** The flags of all commands that read descriptions. */
export type ReadFlags = {
  refRoot?: string[] | undefined;
  refHost?: string[] | undefined;
};

/** Reads and checks descriptions. */
export class DescriptionReader {
  readonly #invocation: Invocation<{}, ReadFlags>;
  readonly #thread: DescriptionThread;

  constructor(invocation: Invocation<{}, ReadFlags>) {
    this.#invocation = invocation;
    this.#thread = new DescriptionThread(invocation);
  }

  /**
   * Reads a file, an address or standard input.
   *
   * @throws UsageError for what cannot be read, CommandError beyond the limits
   */
  async read(source: string): Promise<ReadResult> {
    const { flags } = this.#invocation;
    const referenceRoots = referenceRootsOf(flags.refRoot ?? []);
    const from = await this.#sourceOf(source);
    const directory = process.cwd();
    const request = { from, directory, referenceRoots, referenceHosts: flags.refHost ?? [] };
    const { description, unreadable = '' } = await this.#thread.read(request, source);
    if (description) return description;
    throw new UsageError(
      `${unreadable.replace(/\.$/, '')}.`,
      'Name a file, an address that begins with http:// or https://, or - for standard input.',
    );
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #sourceOf(source: string): Promise<DescriptionSource> {
    if (source === '-') return { text: fileText('-', '<source>') };
    if (!isAddress(source)) return { path: source };
    const { origin, pathname, search } = new URL(source);
    const client = await this.#invocation.session.clientFor(origin, undefined);
    try {
      const { text } = await client.request('GET', pathname + search, {
        headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
      });
      return { url: source, text };
    } finally {
      await client.close();
    }
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

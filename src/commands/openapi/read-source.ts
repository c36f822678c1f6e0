import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import {
  type Description,
  type DescriptionSource,
  NeedsThread,
  readDescription,
  UnreadableFile,
} from '../../openapi/index.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { TaskLimits, TaskWorker } from '../../threads/worker.ts';
import type { descriptionTasks, ReadRequest } from './description-tasks.ts';
import { isAddress } from './is-address.ts';

/** The flags of all commands that read descriptions. */
export type ReadFlags = {
  refRoot?: string[] | undefined;
  refHost?: string[] | undefined;
};

/** 50 MB of ordinary text take a minute. Patterns of a hostile one could take for ever. */
const limits: TaskLimits = { timeMs: 180_000, memoryBytes: 3 * 2 ** 30 };
/** Rules follow references from schema to schema, and in long rows of them need much stack. */
const sizes = { heapMegabytes: 3_072, stackMegabytes: 512 };

/**
 * Reads and checks descriptions, all but small ones in a thread: so one that takes very long or very much memory is refused by its name, and
 * Ctrl-C has an effect meanwhile.
 */
export class DescriptionReader {
  readonly #invocation: Invocation<{}, ReadFlags>;
  #worker: TaskWorker<typeof descriptionTasks> | undefined;

  constructor(invocation: Invocation<{}, ReadFlags>) {
    this.#invocation = invocation;
  }

  /**
   * Reads a file, an address or standard input.
   *
   * @throws UsageError for what cannot be read, CommandError beyond the limits
   */
  async read(source: string, { withDocument = false } = {}): Promise<Description> {
    const { flags } = this.#invocation;
    const referenceRoots = referenceRootsOf(flags.refRoot ?? []);
    const from = await this.#sourceOf(source);
    const request = {
      from,
      directory: process.cwd(),
      referenceRoots,
      referenceHosts: flags.refHost ?? [],
      withDocument,
    };
    try {
      const result = (await readHere(request)) ?? (await (await this.#openWorker()).run('read', request, limits));
      if (result.description) return result.description;
      throw new UsageError(
        `${result.unreadable.replace(/\.$/, '')}.`,
        'Name a file, an address that begins with http:// or https://, or - for standard input.',
      );
    } catch (error) {
      const { limitExceeded } = await import('../../threads/failures.ts');
      const exceeded = limitExceeded(error);
      if (!exceeded) throw error;
      throw new CommandError(`${source} ${exceeded.message}`, { exitCode: exit.checkFailed });
    }
  }

  /** Ends the thread. */
  close(): void {
    void this.#worker?.end();
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

  async #openWorker(): Promise<TaskWorker<typeof descriptionTasks>> {
    const { signal } = this.#invocation;
    const { TaskWorker, threadFile } = await import('../../threads/worker.ts');
    signal.throwIfAborted();
    if (this.#worker && !this.#worker.isEnding) return this.#worker;
    const file = threadFile(import.meta.filename, 'description-thread.ts', 'description-thread.cjs');
    const worker = new TaskWorker<typeof descriptionTasks>(file, sizes);
    this.#worker = worker;
    signal.addEventListener('abort', () => void worker.end(new DOMException('Interrupted.', 'AbortError')), {
      once: true,
    });
    return worker;
  }
}

/** Reads a description that takes less time than a thread takes to start; undefined for any other. */
async function readHere({ from, directory, referenceRoots }: ReadRequest) {
  try {
    return { description: await readDescription(from, directory, referenceRoots, { onlyHarmless: true }) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.message };
    if (error instanceof NeedsThread || error instanceof RangeError) return undefined;
    throw error;
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

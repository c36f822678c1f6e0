import { join, relative } from 'node:path';
import type { BuildServer } from '../cli/program/build-server.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { Io } from '../cli/program/io.ts';
import { hashOf, type LocalFolder, type Problem } from '../content/folder/folder.ts';
import { isOwnFile } from '../content/folder/own-files.ts';
import type { Operation } from './plan.ts';
import { maxInlineBytes } from '../contract/content.ts';
import type { Docs } from './local-folder.ts';
import type { FolderTexts } from './folder-texts.ts';

/** What of a folder is left out of a push or not understood: shown, counted, and annotated on a build server. */
export class PushWarnings {
  count = 0;
  readonly #docs: Docs;
  readonly #root: string;
  readonly #io: Io;
  readonly #server: BuildServer;
  readonly #shown = new Set<string>();

  /** @param root of the docs in the folder */
  constructor(docs: Docs, root: string, io: Io, server: BuildServer) {
    this.#docs = docs;
    this.#root = root;
    this.#io = io;
    this.#server = server;
  }

  /** Those that were not shown yet. */
  async show(problems: readonly Problem[]): Promise<void> {
    const findings = problems.flatMap(({ file, line, message }) => {
      const name = relative(process.cwd(), join(this.#docs.path, this.#root, file)) || file;
      const text = `${name}${line === undefined ? '' : `:${line}`}: ${message}`;
      if (this.#shown.has(text)) return [];
      this.#shown.add(text);
      const finding = { file: name, line: line ?? 1, message, level: 'warning' as const, rule: 'content push' };
      return [{ text, finding }];
    });
    this.count += findings.length;
    for (const { text } of findings) await this.#io.note(text);
    if (findings.length > 0) await this.#server.annotate(findings.map(({ finding }) => finding));
  }
}

/** @throws CommandError where there are warnings, and `--fail-on warning` is given */
export function refuseWarnings(failOn: string | undefined, warnings: readonly PushWarnings[]): void {
  const count = warnings.reduce((sum, each) => sum + each.count, 0);
  if (failOn === undefined || count === 0) return;
  throw new CommandError(`${count === 1 ? 'There is 1 warning' : `There are ${count} warnings`}; nothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'Correct what is listed above, or push without --fail-on warning.',
  });
}

const megabytes = (bytes: Uint8Array) => `${(Math.ceil(bytes.length / 1e5) / 10).toFixed(1)} MB`;

/**
 * The folder without the files that are to be uploaded and are too large, with a problem for each place that names one.
 * Undefined where there are none.
 */
export async function withoutLarge(
  folderTexts: FolderTexts,
  docs: Docs,
  local: LocalFolder,
  operations: readonly Operation[],
): Promise<LocalFolder | undefined> {
  const large = new Set(largeUploads(operations).map(({ bytes }) => hashOf(bytes)));
  if (large.size === 0) return undefined;
  const leftOut = new Map(local.files.filter(({ hash }) => large.has(hash)).map(({ path, bytes }) => [path, bytes]));
  const texts = [...local.pages, ...local.includes].flatMap(({ file, text }) =>
    file === null || text === null ? [] : [{ file, text }],
  );
  const places = await folderTexts.run(
    'placesOf',
    { texts, paths: [...leftOut.keys()] },
    { folder: join(docs.name, local.root), texts: texts.map(({ text }) => text) },
  );
  const problems = places.map(({ file, line, url, path }) => ({
    file,
    line,
    message: `${url} is ${megabytes(leftOut.get(path) ?? new Uint8Array())}, over the limit of 1 MB, and is left out.`,
  }));
  const named = new Set(places.map(({ path }) => path));
  for (const [path, bytes] of leftOut) {
    if (named.has(path)) continue;
    problems.push({
      file: path,
      line: 1,
      message: `The file is ${megabytes(bytes)}, over the limit of 1 MB, and is left out.`,
    });
  }
  return {
    ...local,
    files: local.files.filter(({ path }) => !leftOut.has(path)),
    problems: [...local.problems, ...problems],
  };
}

function largeUploads(operations: readonly Operation[]) {
  return operations.flatMap((operation) =>
    operation.kind === 'upload' && operation.bytes.length > maxInlineBytes && !isOwnFile(operation.name)
      ? [operation]
      : [],
  );
}

/** @throws CommandError for uploads over the limit of the service, before anything is sent */
export function refuseLarge(docs: Docs, operations: readonly Operation[]): void {
  const large = largeUploads(operations).map(({ name, bytes }) => `${name} (${megabytes(bytes)})`);
  if (large.length === 0) return;
  throw new CommandError(
    `${docs.name} shows ${large.length === 1 ? 'a file' : 'files'} larger than the limit of 1 MB: ${large.join(', ')}. Nothing was sent.`,
    {
      exitCode: exit.refused,
      hint: 'Make them smaller, upload them somewhere else and link to their address, or push without --strict to leave them out.',
    },
  );
}

import { join, relative } from 'node:path';
import { formatFinding } from '../../cli/report/finding.ts';
import { visible } from '../../cli/output/index.ts';
import type { FolderProblem } from '../../site/folder/problem.ts';
import { codeOf } from '../../shared/error-text.ts';
import { DiskFolder } from '../../site/folder/disk-folder.ts';
import { readable, unreadable } from '../shared/readable-folder.ts';
import { ThreadedPreview } from '../../site/preview/threaded-preview.ts';
import { type OpenedSource, printError } from '../shared/serve-preview.ts';
import type { PreviewInvocation } from './preview-invocation.ts';
import { type FolderWatch, watchFolder } from '../../site/preview/watch-folder.ts';

/** Opens a folder of Markdown and watches it. @throws UsageError if it cannot be read */
export async function openFolder(invocation: PreviewInvocation, folder: string): Promise<OpenedSource> {
  const startedMs = Date.now();
  const printer = new ProblemPrinter(invocation, folder);
  const missing = new MissingMermaid(invocation);
  // The names of the files are read before a thread starts, to refuse a folder that cannot be read.
  const { path } = readable(folder, () => new DiskFolder(folder));
  const preview = new ThreadedPreview(path, ({ problems, isMermaidMissing }) => {
    for (const [subject, found] of problems) printer.print(subject, found);
    if (isMermaidMissing) missing.tell();
  });
  await preview.prepare().catch(async (error: unknown) => {
    await preview.close();
    throw unreadable(folder, error);
  });
  let watching: FolderWatch | undefined;
  let timer: NodeJS.Timeout | undefined;
  const startWatching = () => {
    const onError = (error: unknown) => void printError(invocation, asProblem(error));
    watching = watchFolder(preview.path, (change) => preview.update(change), onError);
    // Files may have changed between reading and watching.
    watching.ready.then(() => preview.catchUp(startedMs)).catch(onError);
  };
  const watchIn = (ms: number) => {
    if (watching) return;
    clearTimeout(timer);
    timer = setTimeout(startWatching, ms);
  };
  return {
    source: preview,
    name: folder,
    start() {
      // Starting to watch thousands of files takes as long as reading them, so the first page is served before.
      watchIn(maxUnwatchedMs);
      preview.onFirstPage(() => watchIn(afterFirstPageMs));
    },
    async close() {
      clearTimeout(timer);
      await watching?.close();
      await preview.close();
    },
  };
}

/** After this time, the folder is watched even if no page was requested. */
const maxUnwatchedMs = 1000;
/** Lets the browser load the assets of the page first. */
const afterFirstPageMs = 50;

/** Systems limit how many folders can be watched. */
function asProblem(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'EMFILE') return error;
  return new Error(
    'The system cannot watch any more folders, so pages do not update automatically. Raise the limit of the system, or choose a smaller folder.',
  );
}

/** Prints once why diagrams are not drawn. */
export class MissingMermaid {
  readonly #invocation: PreviewInvocation;
  #isTold = false;

  constructor(invocation: PreviewInvocation) {
    this.#invocation = invocation;
  }

  tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    void this.#invocation.io.note(
      'Diagrams are shown as source code, because the package "mermaid" is not installed. Install it with: npm install mermaid',
    );
  }
}

/** Prints problems of the folder and of shown pages. Each is printed once, and again if it returns. */
class ProblemPrinter {
  readonly #invocation: PreviewInvocation;
  readonly #folder: string;
  readonly #printed = new Map<string, ReadonlySet<string>>();

  constructor(invocation: PreviewInvocation, folder: string) {
    this.#invocation = invocation;
    this.#folder = folder;
  }

  /** @param subject the page, or "" for the whole folder */
  print(subject: string, problems: readonly FolderProblem[]): void {
    const before = this.#printed.get(subject) ?? new Set();
    const lines = new Set(problems.map((problem) => this.#lineOf(problem)));
    const added = [...lines].filter((line) => !before.has(line));
    this.#printed.set(subject, lines);
    const done = before.size > 0 && lines.size === 0 ? [`${this.#nameOf(subject)}: all problems are fixed`] : [];
    const text = [...added, ...done].map((line) => `${visible(line)}\n`).join('');
    if (text !== '') void this.#invocation.io.err.write(text);
  }

  #lineOf({ file, line, column, level, rule, message }: FolderProblem): string {
    return formatFinding({ file: this.#nameOf(file), line, column, level, rule, message });
  }

  #nameOf(file: string): string {
    return relative(process.cwd(), join(this.#folder, file)) || '.';
  }
}

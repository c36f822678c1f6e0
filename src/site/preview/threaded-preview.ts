import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { limitExceeded } from '../../threads/failures.ts';
import type { TaskInput, TaskName, TaskOutput } from '../../threads/tasks.ts';
import { threadProgram } from '../../shared/program-files.ts';
import { TaskWorker, type TaskLimits } from '../../threads/worker.ts';
import type { SearchAnswer } from '../model.ts';
import type { SiteTasks } from '../site-thread.ts';
import type { PreviewNews, previewTasks } from './preview-tasks.ts';
import type { PreviewAnswer, PreviewFile, PreviewOutline, PreviewSource } from './source.ts';
import type { FolderChange } from './watch-folder.ts';

type Tasks = typeof previewTasks;
type Value<N extends TaskName<Tasks>> = TaskOutput<Tasks, N>['value'];

/** The time applies to one file: a page that takes longer is of no use in a preview. */
const limits: TaskLimits = { timeMs: 5_000, memoryBytes: 2 * 2 ** 30 };
const sizes = { heapMegabytes: 3_072 };

/**
 * A preview of a folder in a thread, so that no text can keep the program from serving others. A page that takes too long
 * ends the thread, and the next request starts another one.
 */
export class ThreadedPreview implements PreviewSource {
  /** The real path of the folder. */
  readonly path: string;
  readonly #onNews: (news: PreviewNews) => void;
  readonly #listeners = new Set<() => void>();
  readonly #thread = threadProgram(import.meta.filename, '../site-thread.ts', 'site-thread.cjs');
  /** Addresses that took too long since the last change. */
  readonly #slow = new Map<string, unknown>();
  #worker: TaskWorker<SiteTasks> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #onFirstPage: (() => void) | undefined;

  /** @param onNews called after each request that found problems */
  constructor(path: string, onNews: (news: PreviewNews) => void) {
    this.path = path;
    this.#onNews = onNews;
  }

  /** Reads the first space. @throws SettingsError; EngineError if a file takes too long */
  async prepare(): Promise<void> {
    await this.#after(() => this.#opened());
  }

  /** Calls the listener after the first answer. */
  onFirstPage(listener: () => void): void {
    this.#onFirstPage = listener;
  }

  async answer(path: string): Promise<PreviewAnswer> {
    if (this.#slow.has(path)) throw this.#slow.get(path);
    try {
      return await this.#run('answer', { path });
    } catch (error) {
      if (error instanceof EngineError) this.#slow.set(path, error);
      throw error;
    } finally {
      this.#onFirstPage?.();
      this.#onFirstPage = undefined;
    }
  }

  asset(path: string): Promise<PreviewFile | undefined> {
    return this.#run('asset', { path });
  }

  search(query: string): Promise<SearchAnswer> {
    return this.#run('search', { query });
  }

  async outline(): Promise<PreviewOutline> {
    const { title, sections } = await this.#run('outline', {});
    return {
      title,
      sections: sections.map((section) => ({
        ...section,
        pages: section.pages.map((page) => ({ ...page, markdown: () => this.#run('markdown', { href: page.href }) })),
      })),
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads changed files again. @throws SettingsError */
  async update(change: FolderChange): Promise<void> {
    this.#slow.clear();
    try {
      await this.#run('updatePreview', change);
    } finally {
      for (const listener of this.#listeners) listener();
    }
  }

  /** Reads everything again that may have changed before the folder was watched. @throws SettingsError */
  async catchUp(sinceMs: number): Promise<void> {
    if (await this.#run('catchUp', { sinceMs })) for (const listener of this.#listeners) listener();
  }

  async close(): Promise<void> {
    await this.#worker?.end();
  }

  #run<N extends TaskName<Tasks>>(name: N, input: TaskInput<Tasks, N>): Promise<Value<N>> {
    return this.#after(async () => {
      await this.#opened();
      return this.#step(name, input);
    });
  }

  /** Runs one task after another. */
  #after<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  async #opened(): Promise<void> {
    if (this.#worker && !this.#worker.isEnding) return;
    this.#worker = new TaskWorker<SiteTasks>(this.#thread, sizes);
    try {
      await this.#step('openPreview', { path: this.path });
    } catch (error) {
      void this.#worker.end();
      throw error;
    }
  }

  async #step<N extends TaskName<Tasks>>(name: N, input: TaskInput<Tasks, N>): Promise<Value<N>> {
    if (!this.#worker) throw new Error('The preview is closed.');
    let file = '';
    try {
      const { value, news }: TaskOutput<Tasks, N> = await this.#worker.run(name, input as never, limits, (next) => {
        if (next !== '') file = next;
      });
      this.#onNews(news);
      return value;
    } catch (error) {
      const exceeded = limitExceeded(error);
      throw exceeded ? new EngineError('refused', `${join(this.path, file)} ${exceeded.message}`) : error;
    }
  }
}

import type { WordDocument } from './docx.ts';
import type { ChangedLinks, FetchedText } from './page-text.ts';
import type { Scope } from './site-address.ts';
import type { ZipPages } from './zip.ts';

/**
 * What importers do with what they fetched. Data goes in and data comes out, so that it can be done in another thread;
 * what a task needs is loaded when it runs.
 */
export const importTasks = {
  openMarkdown: async (fetched: FetchedText) => (await import('./page-text.ts')).openMarkdown(fetched),
  openHtml: async (fetched: FetchedText) => (await import('./page-text.ts')).openHtml(fetched),
  readSitePage: async (fetched: FetchedText & { scope: Scope }) =>
    (await import('./page-text.ts')).readSitePage(fetched),
  changeLinks: async (changed: ChangedLinks) => (await import('./page-text.ts')).changeLinks(changed),
  readDocx: async (document: WordDocument) => (await import('./docx.ts')).readDocx(document),
  readZip: async (bytes: Uint8Array) => (await import('./zip.ts')).readZip(bytes),
  linkZipPages: async (pages: ZipPages) => (await import('./zip.ts')).linkZipPages(pages),
};

type ImportTasks = typeof importTasks;

/** Does one of the tasks somewhere. Throws ImportFailure where what was fetched cannot be read. */
export type ImportWork = <N extends keyof ImportTasks>(
  name: N,
  input: Parameters<ImportTasks[N]>[0],
) => Promise<Awaited<ReturnType<ImportTasks[N]>>>;

/** Does it in this thread. */
export const workHere: ImportWork = (name, input) => (importTasks[name] as (input: unknown) => Promise<never>)(input);

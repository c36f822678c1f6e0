import type { WordDocument } from './docx.ts';
import type { ChangedLinks, FetchedText } from './page-text.ts';
import type { Scope } from './site-address.ts';
import type { ZipPages } from './zip.ts';

/**
 * Tasks that parse what importers fetch. Input and output are plain data, so that a task can run in another thread. Tasks
 * load their modules on demand.
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
type Input<Name extends keyof ImportTasks> = Parameters<ImportTasks[Name]>[0];
type Output<Name extends keyof ImportTasks> = Awaited<ReturnType<ImportTasks[Name]>>;

/** Runs a task, in this or another thread. Throws ImportFailure if its input cannot be parsed. */
export type ImportWork = <Name extends keyof ImportTasks>(name: Name, input: Input<Name>) => Promise<Output<Name>>;

const tasks: { [Name in keyof ImportTasks]: (input: Input<Name>) => Promise<Output<Name>> } = importTasks;

/** Runs a task in this thread. */
export const workHere: ImportWork = (name, input) => tasks[name](input);

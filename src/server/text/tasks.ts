import type { Snapshot } from '../../content/merge/snapshot.ts';
import { importTasks } from '../../content/import/tasks.ts';
import { getFrom } from '../../shared/get-from.ts';
import type { CallableTasks, TaskInput, TaskName, TaskOutput } from '../../threads/tasks.ts';
import type { SearchTerm } from '../../shared/search/query.ts';
import type { MergeRecord } from '../content/change-requests/merge-record.ts';
import type { RawTexts } from '../content/changes/documents.ts';
import type { NamedFile } from '../content/changes/file-facts.ts';
import type { BodyTask } from '../engine/body-task.ts';
import type { PdfInput } from '../content/pdf/pdf-layout.ts';
import type { ReferenceRequest } from '../../site/reference/mounted.ts';
import type { PublishedSpec, ReferenceText } from '../sites/published-openapi.ts';
import type { PublishedText, ReadableTexts, SearchedTexts } from '../sites/published-text.ts';

/**
 * All work that reads or renders texts. Input and output are plain data, so that a task can run in this thread or in a
 * worker. A task loads its modules when it runs.
 */
export const textTasks = {
  ...importTasks,

  /** The values of a large request body, or the errors in it. */
  readBody: async (input: BodyTask) => (await import('../engine/body-task.ts')).readBody(input),

  readTexts: async (input: RawTexts) => (await import('../content/changes/documents.ts')).readTexts(input),

  readFile: async (file: NamedFile) => (await import('../content/changes/file-facts.ts')).readFile(file),

  /** The Markdown of a tree, or the errors in the tree. */
  async fromTree(value: unknown) {
    const { fromTree } = await import('../../content/tree/to-markdown.ts');
    const { readTree } = await import('../../content/tree/read-tree.ts');
    const read = readTree(value);
    return read.issues ? { issues: read.issues } : { issues: undefined, markdown: fromTree(read.tree) };
  },

  /** The trees of texts, each as JSON. */
  async toTrees(markdowns: string[]): Promise<string[]> {
    const { toTree } = await import('../../content/tree/from-markdown.ts');
    return markdowns.map((markdown) => JSON.stringify(toTree(markdown)));
  },

  /** The plain text of one block. */
  async blockText({ markdown, node }: { markdown: string; node: string }): Promise<string | undefined> {
    const { blocksOf } = await import('../../content/markdown/markdown.ts');
    return blocksOf(markdown).find(({ id }) => id === node)?.text;
  },

  /** A three-way merge; also reads the merged texts, which neither side has. */
  async merge({ base, main, request, texts }: MergeInput) {
    const { merge } = await import('../../content/merge/merge.ts');
    const { readText } = await import('../content/changes/documents.ts');
    const merged = await merge(base, main, request, (document) => getFrom(texts, document));
    if (merged.result === 'conflicts') return { conflicts: merged.conflicts };
    return {
      pages: merged.pages,
      documents: new Map([...merged.texts].map(([page, text]) => [page, readText(text)])),
    };
  },

  /** Checks an OpenAPI description, and gives it as JSON unless only the check is needed. */
  async readDescription({ text, onlyCheck = false }: { text: string; onlyCheck?: boolean }) {
    const { parseDescription, ParseFailure } = await import('../../openapi/parse/parse.ts');
    try {
      const { document } = parseDescription(text);
      return { json: onlyCheck ? '' : JSON.stringify(document) };
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error;
      return { problem: error.message };
    }
  },

  matchSections: async (input: { pages: string[]; words: SearchTerm[] }) =>
    (await import('../content/search/search-matches.ts')).matchSections(input),

  renderPublished: async (input: PublishedText) => (await import('../sites/published-text.ts')).renderPublished(input),

  askedReferences: async (summary: string) => (await import('../../site/reference/asked.ts')).askedReferences(summary),

  listReference: async (input: { spec: PublishedSpec; request: ReferenceRequest }) =>
    (await import('../sites/published-openapi.ts')).listReference(input),

  renderReference: async (input: ReferenceText) =>
    (await import('../sites/published-openapi.ts')).renderReference(input),

  convertDescription: async (input: { spec: PublishedSpec; format: 'json' | 'yaml' }) =>
    (await import('../sites/published-openapi.ts')).convertDescription(input),

  referenceMarkdowns: async (input: { spec: PublishedSpec; request: ReferenceRequest; paths: string[] }) =>
    (await import('../sites/published-openapi.ts')).referenceMarkdowns(input),

  readableTexts: async (input: ReadableTexts) => (await import('../sites/published-text.ts')).readableTexts(input),

  visiblePages: async (input: SearchedTexts) => (await import('../sites/published-text.ts')).visiblePages(input),

  layOutPdf: async (input: PdfInput, onStep: (step: string) => void) =>
    (await import('../content/pdf/pdf-layout.ts')).layOutPdf(input, onStep),
};

/** Does a task in this thread. */
export function runTask<N extends TextTask>(name: N, input: TextInput<N>): Promise<TextOutput<N>> {
  const tasks: CallableTasks<TextTasks> = textTasks;
  return tasks[name](input, () => {});
}

export type TextTasks = typeof textTasks;
export type TextTask = TaskName<TextTasks>;
export type TextInput<N extends TextTask> = TaskInput<TextTasks, N>;
export type TextOutput<N extends TextTask> = TaskOutput<TextTasks, N>;

interface MergeInput {
  base: Snapshot<MergeRecord>;
  main: Snapshot<MergeRecord>;
  request: Snapshot<MergeRecord>;
  /** Texts that both sides changed, by document. */
  texts: ReadonlyMap<string, string>;
}

import type { OnFile } from '../folder/check-tasks.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { FolderPreview } from './folder-preview.ts';
import type { PreviewOutline, PreviewPage } from './source.ts';
import type { FolderChange } from './watch-folder.ts';

let preview: FolderPreview | undefined;
/** What the current task has found. */
let news: PreviewNews = { problems: [], isMermaidMissing: false };

/** What a preview reports besides its answers. */
export interface PreviewNews {
  /** By subject: a page, or "" for the folder. */
  problems: [subject: string, problems: readonly FolderProblem[]][];
  isMermaidMissing: boolean;
}

/** An outline without functions. */
interface OutlineData extends Omit<PreviewOutline, 'sections'> {
  sections: { title: string; pages: Omit<PreviewPage, 'markdown'>[] }[];
}

/** Runs a step of the preview of this thread. The steps of the task are files. */
async function withNews<T>(onFile: OnFile, run: (opened: FolderPreview) => T | Promise<T>) {
  if (!preview) throw new Error('The preview is not open.');
  news = { problems: [], isMermaidMissing: false };
  preview.onFile = onFile;
  return { value: await run(preview), news };
}

/** The tasks of a thread that previews a folder. */
export const previewTasks = {
  async openPreview({ path }: { path: string }, onFile: OnFile) {
    preview = new FolderPreview(path, {
      onProblems: (subject, problems) => void news.problems.push([subject, problems]),
      onMissingMermaid: () => void (news.isMermaidMissing = true),
    });
    return withNews(onFile, (opened) => opened.prepare());
  },
  answer: ({ path }: { path: string }, onFile: OnFile) => withNews(onFile, (opened) => opened.answer(path)),
  asset: ({ path }: { path: string }, onFile: OnFile) =>
    withNews(onFile, async (opened) => {
      const asset = await opened.asset(path);
      // The answer gives its bytes away, and the preview needs them again.
      return asset && { ...asset, bytes: Uint8Array.from(asset.bytes) };
    }),
  search: ({ query }: { query: string }, onFile: OnFile) => withNews(onFile, (opened) => opened.search(query)),
  outline: (_: {}, onFile: OnFile) =>
    withNews(onFile, (opened): OutlineData => {
      const { title, sections } = opened.outline();
      const plain = ({ markdown: _markdown, ...page }: PreviewPage) => page;
      return { title, sections: sections.map((section) => ({ ...section, pages: section.pages.map(plain) })) };
    }),
  markdown: ({ href }: { href: string }, onFile: OnFile) => withNews(onFile, (opened) => opened.markdown(href)),
  updatePreview: (change: FolderChange, onFile: OnFile) => withNews(onFile, (opened) => opened.update(change)),
  catchUp: ({ sinceMs }: { sinceMs: number }, onFile: OnFile) => withNews(onFile, (opened) => opened.catchUp(sinceMs)),
};

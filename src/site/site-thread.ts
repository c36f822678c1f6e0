import { answerTasks } from '../threads/answer-tasks.ts';
import { previewTasks } from './preview/preview-tasks.ts';
import type { FolderExport } from './static/export-folder.ts';

/** Everything that reads a folder as a site without a limit of its own. The steps are files. */
const siteTasks = {
  ...previewTasks,

  async exportFolder(request: FolderExport, onStep: (step: string) => void) {
    // A preview does not need these modules.
    const { exportFolder } = await import('./static/export-folder.ts');
    const { OutputRefused } = await import('./static/output-folder.ts');
    try {
      const onPage = (number: number, count: number) => onStep(`${number}/${count}`);
      return { exported: await exportFolder(request, onStep, onPage), refusal: undefined };
    } catch (error) {
      if (!(error instanceof OutputRefused)) throw error;
      return { exported: undefined, refusal: { message: error.message, hint: error.hint } };
    }
  },
};

export type SiteTasks = typeof siteTasks;

answerTasks(siteTasks);

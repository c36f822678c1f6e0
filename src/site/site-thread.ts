import { answerTasks } from '../threads/answer-tasks.ts';
import { previewTasks } from './preview/preview-tasks.ts';
import { exportFolder, type FolderExport } from './static/export-folder.ts';
import { OutputRefused } from './static/output-folder.ts';

/** Everything that reads a folder as a site without a limit of its own. The steps are files. */
const siteTasks = {
  ...previewTasks,

  async exportFolder(request: FolderExport, onStep: (step: string) => void) {
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

import type { OnFile } from '../folder/check-tasks.ts';
import type { ExportForm } from '../model.ts';
import type { Exported } from './export-site.ts';
import { StaticFolder } from './static-folder.ts';
import { type ExportTarget, writeSite } from './write-site.ts';

export interface ExportedFolder extends Exported {
  pages: number;
  redirects: number;
}

export interface FolderExport extends ExportTarget {
  folder: string;
  form: ExportForm;
}

/** Exports a folder. Nothing is written if it has no pages. The steps are files. */
export async function exportFolder(
  { folder, form, ...target }: FolderExport,
  onFile: OnFile,
  onPage: (number: number, count: number) => void = () => {},
): Promise<ExportedFolder> {
  const source = new StaticFolder(folder, form, onFile);
  const numbers = { pages: source.pages.length, redirects: source.redirects.length };
  if (numbers.pages === 0) return { written: [], removed: [], unchanged: 0, problems: [], ...numbers };
  return { ...(await writeSite(source, target, (number) => onPage(number, numbers.pages))), ...numbers };
}

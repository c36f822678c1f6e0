import { join } from 'node:path';
import type { ExportForm } from '../../src/site/model.ts';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import { writeFiles } from '../support/write-files.ts';

/** Writes files into `docs` below a folder, and their site into `out`. */
export async function exportFolder(
  folder: string,
  files: Parameters<typeof writeFiles>[1],
  form?: ExportForm,
): Promise<void> {
  await writeFiles(join(folder, 'docs'), files);
  const output = new OutputFolder(join(folder, 'out'), { overwrite: false, dryRun: false });
  const options = { baseUrl: undefined, fingerprint: '', renderer: 'test', onPage() {} };
  await exportSite(new StaticFolder(join(folder, 'docs'), form), output, options);
}

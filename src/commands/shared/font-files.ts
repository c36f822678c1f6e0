import { readFile } from 'node:fs/promises';
import { UsageError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';

/** @throws UsageError for the first file that is not a usable font */
export async function assertFonts(files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const { openFont } = await import('../../content/fonts/open-font.ts');
  for (const file of files) {
    const refuse = (reason: string) =>
      new UsageError(`--font ${file}: ${reason}.`, 'Pass TrueType or OpenType fonts: .ttf, .otf, .ttc.');
    const bytes = await readFile(file).catch((error: unknown) => {
      throw refuse(fileReason(error, 'file'));
    });
    try {
      openFont(bytes);
    } catch {
      throw refuse('it is not a usable font file');
    }
  }
}

import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import type { PdfFinding } from '../../content/pdf/findings.ts';

/** The flags of commands that write a PDF. */
export const pdfFlags = [
  { flags: '--out <file>', description: 'write the PDF to this file; - for standard output' },
  {
    flags: '--font <file>',
    description: 'use this font for scripts that the built-in ones lack (repeatable)',
    repeatable: 'verbatim',
  },
  { flags: '--fail-on <what>', description: 'exit with status 9 if something cannot be shown', choices: ['warning'] },
] as const;

export interface PdfFlags {
  out?: string | undefined;
  font?: string[] | undefined;
  failOn?: 'warning' | undefined;
}

/** Prints what a PDF does not show. @throws CommandError with --fail-on warning */
export async function reportFindings(
  { io }: Pick<Invocation, 'io'>,
  findings: readonly PdfFinding[],
  { out = '', failOn }: Pick<PdfFlags, 'out' | 'failOn'>,
): Promise<void> {
  for (const finding of findings) await io.err.write(`warning: ${describe(finding)}\n`);
  if (failOn === undefined || findings.length === 0) return;
  throw checkFailed(
    `The PDF does not show all of its pages: ${count(findings.length, 'warning')}.`,
    `${out === '-' ? 'It was written all the same' : `${out} was written all the same`}; see the warnings above.`,
  );
}

function describe({ kind, what, package: fonts, sample = '', pages, count: total }: PdfFinding): string {
  const titles = pages.map((title) => `"${visible(title)}"`).join(', ');
  const more = total > pages.length ? ` and ${total - pages.length} more` : '';
  const where = total === 0 ? 'the table of contents' : `${titles}${more}`;
  if (kind === 'missing-font') {
    const advice =
      fonts === undefined
        ? '--font names a font file'
        : `on Debian: apt install ${visible(fonts)}; or name a font with --font`;
    return `no font for ${visible(what)} (${visible(sample)}), drawn as empty boxes in ${where}. Install one: ${advice}.`;
  }
  if (kind === 'picture')
    return `pictures that cannot be drawn (${visible(what)}), shown as their description in ${where}.`;
  if (kind === 'formula')
    return `a formula cannot be drawn (${visible(what)}), and is shown as its source in ${where}.`;
  if (what === 'include') return `a reusable text does not exist, and its tag is shown in ${where}.`;
  return `the block "${visible(what)}" is not known, and is shown as its text in ${where}.`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { print } from '../../cli/command/invocation.ts';
import { callOf, send } from '../../cli/command/request.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import type { PdfFinding } from '../../content/pdf/findings.ts';
import type { changeRequestContent } from '../../contract/change-request-content.ts';
import { assertFonts } from '../shared/font-files.ts';
import { type PdfFlags, reportFindings } from '../shared/pdf-findings.ts';

type PdfInvocation = Invocation<{}, PdfFlags & { only?: boolean | undefined }, typeof changeRequestContent.pdf>;

/** Prints the address of the PDF, or writes the PDF to a file. */
export async function pdf(invocation: PdfInvocation): Promise<void> {
  const { out, only, page, font: fonts = [], failOn } = invocation.flags;
  if (only && page === undefined) throw new UsageError('--only requires --page.', 'Name it with --page.');
  for (const [flag, isGiven] of Object.entries({ '--font': fonts.length > 0, '--fail-on': failOn !== undefined })) {
    if (isGiven && out === undefined)
      throw new UsageError(`${flag} requires --out.`, 'The service makes the PDF when it is downloaded.');
  }
  if (fonts.length > 0) await assertOwnFonts(invocation, fonts);
  const call = await callOf(invocation);
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const answer = await send(invocation, call);
  if (out === undefined) return print(invocation, answer);
  const findings = await download(invocation, answer.url, out, fonts);
  await reportFindings(invocation, findings, { out, failOn });
}

/** @throws UsageError where another process draws the PDF, or a file is not a font */
async function assertOwnFonts({ session }: PdfInvocation, fonts: readonly string[]): Promise<void> {
  if (embeddedFile((await session.address()).value, session.env) === undefined) {
    throw new UsageError(
      '--font works on an embedded instance only.',
      'Over HTTP, the service draws the PDF: start it with "docsctl serve --font <file>".',
    );
  }
  await assertFonts(fonts);
}

async function download(
  invocation: PdfInvocation,
  url: string,
  out: string,
  fonts: readonly string[],
): Promise<PdfFinding[]> {
  const [{ downloaderOf, writeOut }, { findingsHeader, fontsHeader, readFindings, writeFonts }] = await Promise.all([
    import('../shared/download.ts'),
    import('../../content/pdf/headers.ts'),
  ]);
  const downloader = downloaderOf(invocation);
  try {
    const paths = fonts.map((font) => resolve(font));
    const { bytes, headers } = await downloader.get(url, paths.length > 0 ? { [fontsHeader]: writeFonts(paths) } : {});
    await writeOut(invocation, bytes, out);
    return readFindings(headers[findingsHeader] ?? '[]');
  } finally {
    await downloader.close();
  }
}

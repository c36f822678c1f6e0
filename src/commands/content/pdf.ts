import type { Invocation } from '../../cli/command/command.ts';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { spaces } from '../../contract/spaces.ts';
import { writeSpacePdf } from '../../site/service/space-pdf.ts';
import { withContentPort, writeOut } from '../shared/download.ts';
import { assertFonts } from '../shared/font-files.ts';
import { type PdfFlags, reportFindings } from '../shared/pdf-findings.ts';

type PdfInvocation = Invocation<
  { page?: string | undefined },
  PdfFlags & { only?: boolean | undefined; cr?: string | undefined }
>;

/** Draws the pages of a space on this machine, so that any service can be printed. */
export async function contentPdf(invocation: PdfInvocation): Promise<void> {
  const { flags, args, globals, io } = invocation;
  const { out, only, font: fonts = [], failOn, cr } = flags;
  if (out === undefined) throw new UsageError('--out is missing.', 'Name the file to write; - is standard output.');
  if (only && args.page === undefined) throw new UsageError('--only requires a page.', 'Name it: content pdf <page>');
  await assertFonts(fonts);
  await requireOrganization(invocation);
  const spaceId = await scopeOf(invocation, 'space');
  if (globals.dryRun) {
    const client = await invocation.client();
    const { title } = await client.call(spaces.view, { params: { spaceId } });
    return io.note(`Would read the space ${visible(title)} (${spaceId}) and write ${out}.`);
  }
  const parts: Uint8Array[] = [];
  const findings = await withContentPort(invocation, 'Reading pages', ({ client, bytes, progress }) =>
    writeSpacePdf(
      { client, download: { bytes }, onPage: (title) => progress.say(title) },
      { spaceId, request: cr, page: args.page, only, fonts },
      (part) => parts.push(part),
    ),
  );
  await writeOut(invocation, Buffer.concat(parts), out);
  await reportFindings(invocation, findings, { out, failOn });
}

import { existsSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { judgeCertificate, UnreadableCertificate } from '../../saml/certificate.ts';

/** Certificates are longer. */
const maxPathLength = 200;

/**
 * Warns about a certificate that nobody can sign in with, and asks for confirmation in a terminal. The service accepts any
 * text.
 *
 * @throws UsageError
 */
export async function checkCertificate(invocation: Invocation, text: unknown): Promise<void> {
  const { globals, io } = invocation;
  // An empty text removes the certificate, and the service rejects other types.
  if (typeof text !== 'string' || text === '') return;
  const { remarks, isUsable } = judge(text);
  for (const remark of remarks) await io.note(`warning: --certificate: ${remark}`);
  if (!isUsable && io.interactive && !globals.dryRun) await confirmQuestion(invocation, 'Save this certificate?');
}

function judge(text: string): ReturnType<typeof judgeCertificate> {
  if (text.length < maxPathLength && existsSync(text)) {
    const remark = `"${text}" is the name of a file, not a certificate. Pass its contents: --certificate "$(cat ${shellCommand([text])})".`;
    return { remarks: [remark], isUsable: false };
  }
  try {
    return judgeCertificate(text, new Date());
  } catch (error) {
    if (!(error instanceof UnreadableCertificate)) throw error;
    throw new UsageError(`--certificate: ${error.message}`, 'Nothing was sent.');
  }
}

import { existsSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm.ts';
import { printRequest } from '../../cli/command/dry-run.ts';
import { printAnswer } from '../../cli/command/list.ts';
import { callOf, send } from '../../cli/command/request.ts';
import { shellCommand } from '../../cli/output/shell-quote.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { sso } from '../../contract/sso.ts';
import { judgeCertificate, UnreadableCertificate } from '../../saml/certificate.ts';

type SaveInvocation = Invocation<Invocation['args'], {}, typeof sso.createProvider | typeof sso.editProvider>;

/** No certificate is as short. */
const maxPathLength = 200;

/** Creates or changes a provider. The service keeps any text as a certificate, so the text is checked here. */
export async function saveProvider(invocation: SaveInvocation): Promise<void> {
  const call = await callOf(invocation);
  await checkCertificate(invocation, call.body.certificate);
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  await printAnswer(invocation, call.endpoint, await send(invocation, call));
}

/** Warns of a certificate that nobody can sign in with, and asks where somebody can answer. @throws UsageError */
async function checkCertificate(invocation: SaveInvocation, text: unknown): Promise<void> {
  const { globals, io } = invocation;
  // The empty text removes the certificate; what is not text is refused by the service.
  if (typeof text !== 'string' || text === '') return;
  const { remarks, isUsable } = judge(text);
  for (const remark of remarks) await io.note(`warning: --certificate: ${remark}`);
  if (!isUsable && io.interactive && !globals.dryRun) await confirmQuestion(invocation, 'Save this certificate?');
}

function judge(text: string): ReturnType<typeof judgeCertificate> {
  if (text.length < maxPathLength && existsSync(text)) {
    const remark = `"${text}" is the name of a file, not a certificate. Pass what is in it: --certificate "$(cat ${shellCommand([text])})".`;
    return { remarks: [remark], isUsable: false };
  }
  try {
    return judgeCertificate(text, new Date());
  } catch (error) {
    if (!(error instanceof UnreadableCertificate)) throw error;
    throw new UsageError(`--certificate: ${error.message}`, 'Nothing was sent.');
  }
}

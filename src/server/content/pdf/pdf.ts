import type { changeRequestContent } from '../../../contract/change-request-content.ts';
import { findPage } from '../../../store/content.ts';
import type { Db } from '../../../store/store.ts';
import type { Context } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { requestContent } from '../find-content.ts';
import { findSecret, secretOf } from '../../engine/secrets.ts';

const crypto = () => process.getBuiltinModule('node:crypto');
const lifetimeMs = 3_600_000;

/** What a PDF contains, as its address says. */
export interface PdfSelection {
  revision: string;
  /** Absent for all pages. */
  page?: string | undefined;
  /** Without the pages under it. */
  only: boolean;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type PdfContext = Context<typeof changeRequestContent.pdf>;

/** A signed URL of a PDF. The PDF of the current revision is created when the URL is requested. */
export const pdf = {
  prepare: ({ instance }: PdfContext): Promise<string> => instance.store.write((db) => secretOf(db, 'pdf')),

  async handle(context: PdfContext, secret: string): Promise<{ url: string }> {
    const { db, base, query, instance } = context;
    const { page, only } = query;
    if (only && page === undefined) throw new Invalid('page', 'is required with only=true', 'required');
    const { snapshot } = await requestContent(context);
    if (page !== undefined && !(await findPage(db, snapshot, page)))
      throw new Invalid('page', 'is not a page of this change request');
    const selection = { revision: snapshot.revision, page, only, expiresAt: instance.now() + lifetimeMs };
    return { url: `${base}/pdf/${sign(selection, secret)}.pdf` };
  },
};

function sign({ revision, page = '', only, expiresAt }: PdfSelection, secret: string): string {
  const payload = [revision, page, Number(only), expiresAt].join('.');
  return `${payload}.${signatureOf(payload, secret)}`;
}

const signatureOf = (payload: string, secret: string) =>
  crypto().createHmac('sha256', secret).update(payload).digest('base64url');

/** @returns undefined for an address that this instance did not sign, or that is expired */
export async function readToken(db: Db, token: string, now: number): Promise<PdfSelection | undefined> {
  const secret = await findSecret(db, 'pdf');
  if (secret === undefined) return undefined;
  const end = Math.max(token.lastIndexOf('.'), 0);
  const payload = token.slice(0, end);
  const signature = Buffer.from(token.slice(end + 1));
  const expected = Buffer.from(signatureOf(payload, secret));
  if (signature.length !== expected.length || !crypto().timingSafeEqual(signature, expected)) return undefined;
  const [revision = '', page, only, expiresAt] = payload.split('.');
  if (Number(expiresAt) <= now) return undefined;
  return { revision, page: page || undefined, only: only === '1', expiresAt: Number(expiresAt) };
}

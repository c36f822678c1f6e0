import type { changeRequestContent } from '../../../contract/change-request-content.ts';
import { findPage } from '../../../store/content.ts';
import type { Db } from '../../../store/store.ts';
import type { Context } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { requestContent } from '../find-content.ts';
import { findSecret, secretOf } from '../../engine/secrets.ts';

const crypto = () => process.getBuiltinModule('node:crypto');
const lifetimeMs = 3_600_000;

/** What the address of a PDF stands for. */
export interface Printed {
  revision: string;
  /** Absent: all pages. */
  page?: string | undefined;
  /** Without the pages under it. */
  only: boolean;
  /** Milliseconds since 1970. */
  until: number;
}

type Asked = Context<typeof changeRequestContent.pdf>;

/** The address of a PDF, signed: it is laid out when it is fetched, from the revision as it now is. */
export const pdf = {
  prepare: ({ instance }: Asked): Promise<string> => instance.store.write((db) => secretOf(db, 'pdf')),

  async handle(context: Asked, secret: string): Promise<{ url: string }> {
    const { db, base, query, instance } = context;
    const { page, only } = query;
    if (only && page === undefined) throw new Invalid('page', 'is required with only=true', 'required');
    const { at } = await requestContent(context);
    if (page !== undefined && !(await findPage(db, at, page))) {
      throw new Invalid('page', 'names no page of this change request');
    }
    return {
      url: `${base}/pdf/${sign({ revision: at.revision, page, only, until: instance.now() + lifetimeMs }, secret)}.pdf`,
    };
  },
};

function sign({ revision, page = '', only, until }: Printed, secret: string): string {
  const what = [revision, page, Number(only), until].join('.');
  return `${what}.${signature(what, secret)}`;
}

const signature = (what: string, secret: string) =>
  crypto().createHmac('sha256', secret).update(what).digest('base64url');

/** @returns undefined for an address that this instance did not give, or that is no longer good */
export async function readAddress(db: Db, token: string, now: number): Promise<Printed | undefined> {
  const secret = await findSecret(db, 'pdf');
  if (secret === undefined) return undefined;
  const at = token.lastIndexOf('.');
  const what = token.slice(0, Math.max(at, 0));
  const given = Buffer.from(token.slice(at + 1));
  const right = Buffer.from(signature(what, secret));
  if (given.length !== right.length || !crypto().timingSafeEqual(given, right)) return undefined;
  const [revision, page, only, until] = what.split('.') as [string, string, string, string];
  if (Number(until) <= now) return undefined;
  return { revision, page: page || undefined, only: only === '1', until: Number(until) };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppInstance, AppRequest } from './port.ts';

const maxAgeSeconds = 12 * 3_600;

/** Cookies are shared by all ports of a host, so the name has the port. */
function cookieName({ base }: AppInstance): string {
  const { protocol, port, pathname } = new URL(base);
  if (protocol !== 'https:') return `docsctl-${port || '80'}`;
  // Browsers accept this prefix only for the whole host, so that no other host can set the cookie.
  return pathname === '/' ? '__Host-docsctl' : '__Secure-docsctl';
}

export function sessionOf(instance: AppInstance, { headers }: AppRequest): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== 'string') return undefined;
  const start = `${cookieName(instance)}=`;
  const pair = cookie.split(';').find((each) => each.trim().startsWith(start));
  return pair?.trim().slice(start.length);
}

/** @param session the secret; without one, the browser forgets the cookie */
export function sessionCookie(instance: AppInstance, session: string | undefined): Record<string, string> {
  const { protocol, pathname } = new URL(instance.base);
  const attributes = [
    `${cookieName(instance)}=${session ?? ''}`,
    `Path=${pathname}`,
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${session === undefined ? 0 : maxAgeSeconds}`,
    ...(protocol === 'https:' ? ['Secure'] : []),
  ];
  return { 'set-cookie': attributes.join('; ') };
}

/** The token of the forms of a session that are sent to one address. */
export const formToken = (session: string, action: string): string =>
  createHmac('sha256', session).update(`form ${action}`).digest('base64url');

export function isFormToken(session: string, action: string, token: string): boolean {
  const [expected, actual] = [formToken(session, action), token].map((text) => Buffer.from(text));
  return expected !== undefined && actual?.length === expected.length && timingSafeEqual(actual, expected);
}

/** Whether a form may be from a page of another site. Browsers name the origin of every form. */
export function isForeignForm({ base }: AppInstance, { headers }: AppRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string' && site !== 'same-origin') return true;
  if (typeof origin !== 'string') return typeof site !== 'string';
  // A proxy may not pass on the host that browsers use.
  return !URL.canParse(origin) || (new URL(origin).host !== host && origin !== new URL(base).origin);
}

import type { AppResponse } from './port.ts';

/** Pages load nothing from other hosts, run no inline script, and other sites cannot embed them. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const commonHeaders = {
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without any referrer, browsers would send no origin with our own forms.
  'referrer-policy': 'same-origin',
};

export const htmlResponse = (body: string, status = 200, headers: Record<string, string> = {}): AppResponse => ({
  status,
  headers: { ...commonHeaders, 'content-type': 'text/html; charset=utf-8', ...headers },
  body,
});

export const jsonResponse = (value: unknown): AppResponse => ({
  status: 200,
  headers: { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** After a form, the browser gets the page anew, so that reloading it sends nothing again. */
export const redirect = (location: string, headers: Record<string, string> = {}): AppResponse => ({
  status: 303,
  headers: { ...commonHeaders, ...headers, location },
  body: '',
});

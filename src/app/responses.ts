import { pagePolicy } from '../site/page-policy.ts';
import type { AppResponse } from './port.ts';

const commonHeaders = {
  'content-security-policy': pagePolicy,
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

/** Sends the browser to a page after a form, so that a reload does not submit the form again. */
export const redirect = (location: string, headers: Record<string, string> = {}): AppResponse => ({
  status: 303,
  headers: { ...commonHeaders, ...headers, location },
  body: '',
});

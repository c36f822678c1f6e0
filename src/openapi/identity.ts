import { isObject } from '../shared/is-object.ts';

export type Version = '2.0' | '3.0' | '3.1' | '3.2';

/** What kind of document a value is; or why it is of no known kind, and the path to what shows that. */
export type Identity =
  | { version: Version; title: string; problem?: undefined }
  | { problem: string; path: string[]; version?: undefined; title?: undefined };

export function identify(document: unknown): Identity {
  if (document === undefined || document === null) return { problem: 'Not an OpenAPI document: it is empty', path: [] };
  if (!isObject(document)) return { problem: 'Not an OpenAPI document: expected an object', path: [] };
  const key = ['openapi', 'swagger'].find((name) => Object.hasOwn(document, name));
  if (key === undefined) {
    const other = ['asyncapi', 'arazzo', 'overlay', 'openrpc', 'raml'].find((name) => Object.hasOwn(document, name));
    const what = other ? `it has "${other}"` : 'it has neither "openapi" nor "swagger"';
    return { problem: `Not an OpenAPI document: ${what}`, path: other ? [other] : [] };
  }
  const stated = document[key];
  if (typeof stated !== 'string')
    return { problem: `The version must be a string: ${key}: "${key === 'swagger' ? '2.0' : '3.1.0'}"`, path: [key] };
  const version = versionOf(key, stated);
  if (version === undefined) {
    const supported = key === 'swagger' ? '2.0' : '3.0.x, 3.1.x and 3.2.x';
    // Anything else may be the secret of another program's settings.
    const which = /^\d{1,4}(?:\.\d{1,4}){0,3}$/.test(stated) ? `Version "${stated}"` : 'This version';
    return { problem: `${which} is not supported; ${key} may be ${supported}`, path: [key] };
  }
  const title = isObject(document.info) ? document.info.title : undefined;
  return { version, title: typeof title === 'string' ? title : '' };
}

/**
 * A title as a service slug: `^[a-z0-9]+(?:-[a-z0-9]+)*$`, at most 100 characters. Empty when the title has no letter
 * or digit that can be written so.
 */
export function slugOf(title: string): string {
  return title
    .slice(0, 1_000)
    .normalize('NFKD')
    .replaceAll(/[\p{Mn}'’]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 100)
    .replace(/-$/, '');
}

function versionOf(key: string, stated: string): Version | undefined {
  if (key === 'swagger') return stated === '2.0' ? '2.0' : undefined;
  const number = /^(3\.[0-2])(?:\.\d+(?:-.+)?)?$/.exec(stated)?.[1];
  return (['3.0', '3.1', '3.2'] as const).find((version) => version === number);
}

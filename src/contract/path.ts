import type { Reason, ValidationIssue } from './errors.ts';

/** Routes of a family of endpoints. Their types are general, because the prefix of a family is not known to them. */
export const routesUnder =
  (prefix: string) =>
  <M extends string>(method: M, suffix: string): `${M} ${string}` =>
    `${method} ${prefix}${suffix}`;

/** A path parameter that proxies would resolve to another address. It has the form of a refusal by the service. */
export class InvalidPathParameter extends Error {
  override readonly name = 'InvalidPathParameter';
  readonly reason = 'validation' satisfies Reason;
  readonly details: ValidationIssue[];

  constructor(parameter: string, value: string) {
    super(`${parameter}: ${dotSegmentRefusal(value)}`);
    this.details = [{ in: 'path', path: parameter, rule: 'pattern', message: dotSegmentRefusal(value) }];
  }
}

/** Why a value with a dot segment is refused, as a sentence without a subject before it. */
export const dotSegmentRefusal = (value: string) =>
  `"${value}" cannot be part of an address: proxies resolve "." and "..", so the request could reach another object.`;

/** Whether a path has a segment `.` or `..`, be it encoded, several times over or in parts. */
export function hasDotSegment(path: string): boolean {
  // Parsers of addresses drop tabs and line breaks anywhere, and spaces at both ends.
  const text = path
    .replace(/[\t\n\r]/g, '')
    .trim()
    .replace(/%(?:25)+/g, '%');
  return text.split(/[/\\]|%2f|%5c/i).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** Names of the parameters of a path, in its order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The start of a path, up to and including a parameter. */
export const pathUpTo = (path: string, param: string): string =>
  path.slice(0, path.indexOf(`{${param}}`) + param.length + 2);

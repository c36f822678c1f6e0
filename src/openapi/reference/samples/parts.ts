import type { FormField, SampleRequest } from '../request.ts';

/** Whether the body is a form of several parts. Each language adds the type of such a form itself, with the boundary. */
export const isMultipart = ({ headers }: SampleRequest): boolean =>
  !headers.some(([name]) => name.toLowerCase() === 'content-type');

export const encodedForm = (fields: readonly FormField[]): string =>
  new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();

/** The body as one text; undefined for forms of several parts, and if there is none. */
export function textBody(request: SampleRequest): string | undefined {
  const { body } = request;
  if (body?.kind === 'json') return JSON.stringify(body.value, null, 2);
  if (body?.kind === 'text') return body.value;
  return body?.kind === 'form' && !isMultipart(request) ? encodedForm(body.fields) : undefined;
}

/** The fields of a form of several parts. */
export const partsOf = (request: SampleRequest): readonly FormField[] =>
  request.body?.kind === 'form' && isMultipart(request) ? request.body.fields : [];

/** A text in double quotes with the escapes of JSON, which most languages share. */
export const jsonText = (value: string): string =>
  JSON.stringify(value.toWellFormed()).replaceAll(
    /[\u007F\u2028\u2029]/g,
    (sign) => String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** An address without braces, which are not allowed in it. */
export const encodedBraces = (url: string): string => url.replaceAll(/[{}]/g, encodeURIComponent);

interface Style {
  key(name: string): string;
  scalar(value: unknown): string;
}

/** A JSON value as a literal of a language with the same notation for lists and fields as JavaScript. */
export function structured(value: unknown, depth: number, style: Style): string {
  const inner = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${structured(item, depth + 1, style)},\n`).join('')}${end}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    if (fields.length === 0) return '{}';
    return `{\n${fields.map(([name, field]) => `${inner}${style.key(name)}: ${structured(field, depth + 1, style)},\n`).join('')}${end}}`;
  }
  return style.scalar(value ?? null);
}

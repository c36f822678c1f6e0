import { isObject } from '../../shared/is-object.ts';
import { valueText } from '../fields.ts';
import type { Content, OperationView, Parameter } from './operation.ts';
import type { Operation } from './reference.ts';

/** A request for code samples. */
export interface SampleRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body:
    | { kind: 'json'; value: unknown }
    | { kind: 'form'; fields: FormField[] }
    | { kind: 'text'; value: string }
    | undefined;
}

/** A field of a form. */
export interface FormField {
  name: string;
  value: string;
  /** Whether the value is the name of a file. */
  isFile: boolean;
}

/** Which of the bodies that an operation accepts the request has. */
export interface SentBody {
  content: Content;
  /** Undefined if the content has no example. */
  value: unknown;
}

/** The body that samples show first: JSON if there is a choice. */
export function usualBody(view: OperationView): SentBody | undefined {
  const content = view.body && preferredContent(view.body.contents);
  return content && { content, value: content.examples[0]?.value };
}

/** The request of an operation, with everything that is required or has an example. */
export function requestOf(operation: Operation, view: OperationView, sent = usualBody(view)): SampleRequest {
  const { query, cookies, headers } = parametersOf(view);
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  const body = sent && bodyOf(sent);
  const isForm = body?.kind === 'form' && sent?.content.type.startsWith('multipart/') === true;
  // Each language adds the type of such a form itself, with the boundary.
  if (sent && body && !isForm) headers.push(['Content-Type', sent.content.type]);
  const accepted = view.responses.flatMap(({ contents }) => preferredContent(contents)?.type ?? [])[0];
  if (accepted !== undefined && !accepted.includes('*')) headers.push(['Accept', accepted]);
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return {
    method: operation.method.toUpperCase(),
    url: `${baseOf(view.servers[0]?.filled ?? '')}${pathOf(operation, view)}${search === '' ? '' : `?${search}`}`,
    headers: headers.map(([name, value]) => [name, value.replaceAll(/[\r\n]+/g, ' ')]),
    body,
  };
}

function pathOf({ path }: Operation, { parameters }: OperationView): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (match, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter?.sample === undefined || parameter.sample === null
      ? match
      : encodeURIComponent(valueText(parameter.sample));
  });
}

/** The parameters outside the path, with the first way to authenticate. */
function parametersOf({ parameters, security }: OperationView) {
  const ofPlace = (place: Parameter['in']) =>
    parameters.filter(
      (each) => each.in === place && each.problem === undefined && (each.isRequired || each.examples.length > 0),
    );
  const query = ofPlace('query').flatMap((parameter) => queryPairs(parameter));
  const headers = ofPlace('header').map(({ name, sample }): [string, string] => [name, headerText(sample)]);
  const cookies = ofPlace('cookie').map(({ name, sample }) => `${name}=${encodeURIComponent(valueText(sample ?? ''))}`);
  for (const { scheme } of security[0] ?? []) {
    const { place } = scheme;
    if (!place) continue;
    const value = place.prefix + place.sample;
    if (place.in === 'query') query.push([place.name, value]);
    else if (place.in === 'cookie') cookies.push(`${place.name}=${value}`);
    else headers.push([place.name, value]);
  }
  return { query, headers, cookies };
}

/** Descriptions may omit the host. */
export const baseOf = (server: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(server)
    ? server
    : `https://api.example.com${server === '' || server.startsWith('/') ? server : `/${server}`}`;

const headerText = (sample: unknown): string =>
  Array.isArray(sample) ? sample.map(valueText).join(',') : valueText(sample ?? '');

function queryPairs({ name, sample }: Parameter): [string, string][] {
  if (Array.isArray(sample)) return sample.map((item): [string, string] => [name, valueText(item)]);
  if (isObject(sample))
    return Object.entries(sample).map(([key, value]): [string, string] => [`${name}[${key}]`, valueText(value)]);
  return [[name, valueText(sample ?? '')]];
}

/** The content that a sample sends: JSON if there is a choice. */
export function preferredContent(contents: readonly Content[]): Content | undefined {
  return contents.find(({ type }) => isJson(type)) ?? contents[0];
}

export const isJson = (type: string): boolean => /[/+]json\b/i.test(type);

function bodyOf({ content: { type }, value }: SentBody): SampleRequest['body'] {
  if (value === undefined) return undefined;
  if (isJson(type) && typeof value !== 'string') return { kind: 'json', value };
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type) && isObject(value)) {
    const fields = Object.entries(value).map(([name, field]) => {
      const isFile = field === '(binary)';
      return { name, value: isFile ? 'file.bin' : valueText(field), isFile };
    });
    return { kind: 'form', fields };
  }
  return { kind: 'text', value: typeof value === 'string' ? value : JSON.stringify(value, null, 2) };
}

import type { SampleRequest } from '../request.ts';
import { encodedForm, isMultipart } from './parts.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curl(request: SampleRequest): string {
  const { method, url, headers, body } = request;
  // By default, curl expands braces and brackets in addresses.
  const words = [/[{}[\]]/.test(url) ? `curl --globoff ${quoted(url)}` : `curl ${quoted(url)}`];
  if (method === 'HEAD') words.push('--head');
  else if (method !== (body ? 'POST' : 'GET')) words.push(`--request ${method}`);
  for (const [name, value] of headers)
    words.push(`--header ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  if (body?.kind === 'json') words.push(`--data-raw ${quoted(JSON.stringify(body.value, null, 2))}`);
  else if (body?.kind === 'text') words.push(`--data-raw ${quoted(body.value)}`);
  else if (body?.kind === 'form' && isMultipart(request)) {
    for (const { name, value, isFile } of body.fields)
      words.push(isFile ? `--form ${quoted(`${name}=@${value}`)}` : `--form-string ${quoted(`${name}=${value}`)}`);
  } else if (body?.kind === 'form') words.push(`--data-raw ${quoted(encodedForm(body.fields))}`);
  return words.join(' \\\n  ');
}

import type { SampleRequest } from '../request.ts';
import { encodedBraces, partsOf, textBody } from './parts.ts';

/** In single quotes, only the quote and the backslash are special. */
const rubyText = (value: string): string => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Only the standard library. */
export function ruby(request: SampleRequest): string {
  const { method, url, headers } = request;
  const body = textBody(request);
  const hasBody = request.body !== undefined;
  const parts = partsOf(request).map(
    ({ name, value, isFile }) =>
      `    [${rubyText(name)}, ${isFile ? `File.open(${rubyText(value)})` : rubyText(value)}],`,
  );
  return [
    "require 'net/http'",
    '',
    `uri = URI(${rubyText(encodedBraces(url))})`,
    `request = Net::HTTPGenericRequest.new(${rubyText(method)}, ${hasBody}, ${method !== 'HEAD'}, uri)`,
    ...headers.map(([name, value]) => `request[${rubyText(name)}] = ${rubyText(value)}`),
    ...(body === undefined ? [] : [`request.body = ${rubyText(body)}`]),
    ...(parts.length > 0 ? ['request.set_form(', '  [', ...parts, '  ],', "  'multipart/form-data'", ')'] : []),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
    '  http.request(request)',
    'end',
    'puts response.code, response.body',
  ].join('\n');
}

import type { FormField, SampleRequest } from '../request.ts';
import { jsonText, partsOf, textBody } from './parts.ts';

/** Of a text without quotes, `@"..."` keeps all signs as they are; it doubles quotes. */
const csharpText = (value: string): string =>
  value.includes('\n') && !value.includes('\r') ? `@"${value.replaceAll('"', '""')}"` : jsonText(value);

/** Headers that belong to the body. */
const contentHeader = /^content-/i;

/** Only the base library. */
export function csharp(request: SampleRequest): string {
  const { method, url, headers } = request;
  const parts = partsOf(request);
  const body = textBody(request);
  const own = headers.filter(([name]) => !contentHeader.test(name));
  const ofBody = headers.filter(([name]) => contentHeader.test(name));
  const hasBody = parts.length > 0 || body !== undefined;
  return [
    'using System.Net.Http;',
    '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${jsonText(method)}), ${jsonText(url)});`,
    ...own.map(([name, value]) => `request.Headers.TryAddWithoutValidation(${jsonText(name)}, ${jsonText(value)});`),
    ...(body === undefined ? [] : [`request.Content = new StringContent(${csharpText(body)});`]),
    ...(parts.length > 0 ? formLines(parts) : []),
    ...(hasBody
      ? ofBody.flatMap(([name, value]) => [
          `request.Content.Headers.Remove(${jsonText(name)});`,
          `request.Content.Headers.TryAddWithoutValidation(${jsonText(name)}, ${jsonText(value)});`,
        ])
      : []),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());',
  ].join('\n');
}

const formLines = (parts: readonly FormField[]): string[] => [
  'request.Content = new MultipartFormDataContent',
  '{',
  ...parts.map(({ name, value, isFile }) =>
    isFile
      ? `    { new StreamContent(File.OpenRead(${jsonText(value)})), ${jsonText(name)}, ${jsonText(value)} },`
      : `    { new StringContent(${jsonText(value)}), ${jsonText(name)} },`,
  ),
  '};',
];

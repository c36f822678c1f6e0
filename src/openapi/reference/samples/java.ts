import type { FormField, SampleRequest } from '../request.ts';
import { encodedBraces, jsonText, partsOf, textBody } from './parts.ts';

/** Java reads escapes of Unicode before everything else, so signs that end a line have the other notation. */
const javaText = (value: string): string =>
  jsonText(value).replaceAll(/\\(?:\\|u00([01][0-9a-f]))/g, (whole, digits?: string) =>
    digits === undefined ? whole : `\\${Number.parseInt(digits, 16).toString(8).padStart(3, '0')}`,
  );

/** A text in one literal for each of its lines. */
function linesOf(value: string, indent: string): string {
  const lines = value.split(/(?<=\n)/);
  return lines.map(javaText).join(`\n${indent}+ `);
}

/** Only the standard library, which has no forms of several parts. */
export function java(request: SampleRequest): string {
  const { method, url, headers } = request;
  const parts = partsOf(request);
  const body = parts.length > 0 ? undefined : textBody(request);
  const publisher =
    parts.length > 0
      ? 'body'
      : body === undefined
        ? 'HttpRequest.BodyPublishers.noBody()'
        : 'HttpRequest.BodyPublishers.ofString(body)';
  const lines = [
    ...(body === undefined ? [] : [`var body = ${linesOf(body, '    ')};`]),
    ...(parts.length > 0 ? formLines(parts) : []),
    `var request = HttpRequest.newBuilder(URI.create(${javaText(encodedBraces(url))}))`,
    `    .method(${javaText(method)}, ${publisher})`,
    ...headers.map(([name, value]) => `    .header(${javaText(name)}, ${javaText(value)})`),
    ...(parts.length > 0 ? ['    .header("Content-Type", "multipart/form-data; boundary=" + boundary)'] : []),
    '    .build();',
    'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ];
  const packages = [
    'java.net.URI',
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpResponse',
    ...(parts.some(({ isFile }) => isFile) ? ['java.nio.file.Path'] : []),
  ];
  return [
    ...packages.map((name) => `import ${name};`),
    '',
    'class Sample {',
    '    public static void main(String[] args) throws Exception {',
    ...lines.flatMap((line) => line.split('\n')).map((line) => `        ${line}`),
    '    }',
    '}',
  ].join('\n');
}

/** Files may have any bytes, so the parts are put together as bytes. */
const formLines = (parts: readonly FormField[]): string[] => [
  'var boundary = "----sample";',
  'var body = HttpRequest.BodyPublishers.concat(',
  ...parts.flatMap(({ name, value, isFile }) => {
    const file = isFile ? `; filename="${quoted(value)}"` : '';
    const head = `\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`;
    const start = `    HttpRequest.BodyPublishers.ofString("--" + boundary + ${javaText(head)}`;
    return isFile
      ? [
          `${start}),`,
          `    HttpRequest.BodyPublishers.ofFile(Path.of(${javaText(value)})),`,
          '    HttpRequest.BodyPublishers.ofString("\\r\\n"),',
        ]
      : [`${start} + ${javaText(value)} + "\\r\\n"),`];
  }),
  '    HttpRequest.BodyPublishers.ofString("--" + boundary + "--"));',
];

/** As browsers write names of fields. */
const quoted = (name: string): string => name.replaceAll(/["\r\n]/g, encodeURIComponent);

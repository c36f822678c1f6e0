import type { SampleRequest } from '../request.ts';
import { jsonText, partsOf, textBody } from './parts.ts';

/** A text between backquotes if it has several lines, else in double quotes. */
const goText = (value: string): string =>
  /\n/.test(value) && !/[`\r\0\uFEFF]/.test(value) ? `\`${value.toWellFormed()}\`` : jsonText(value);

/** Only packages of the standard library. */
export function go(request: SampleRequest): string {
  const { method, url, headers } = request;
  const parts = partsOf(request);
  const body = textBody(request);
  const packages = [
    ...(parts.length > 0 ? ['bytes'] : []),
    'fmt',
    'io',
    ...(parts.length > 0 ? ['mime/multipart'] : []),
    'net/http',
    ...(parts.some(({ isFile }) => isFile) ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const form = parts.flatMap(({ name, value, isFile }, index) =>
    isFile
      ? [
          `part${index}, _ := form.CreateFormFile(${jsonText(name)}, ${jsonText(value)})`,
          `file${index}, _ := os.Open(${jsonText(value)})`,
          `io.Copy(part${index}, file${index})`,
        ]
      : [`form.WriteField(${jsonText(name)}, ${jsonText(value)})`],
  );
  const lines = [
    ...(parts.length > 0
      ? ['var body bytes.Buffer', 'form := multipart.NewWriter(&body)', ...form, 'form.Close()']
      : []),
    ...(body === undefined ? [] : [`body := strings.NewReader(${goText(body)})`]),
    `request, err := http.NewRequest(${jsonText(method)}, ${jsonText(url)}, ${parts.length > 0 ? '&body' : body === undefined ? 'nil' : 'body'})`,
    'if err != nil {',
    '\tpanic(err)',
    '}',
    ...headers.map(([name, value]) => `request.Header.Set(${jsonText(name)}, ${jsonText(value)})`),
    ...(parts.length > 0 ? ['request.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {',
    '\tpanic(err)',
    '}',
    'defer response.Body.Close()',
    'text, _ := io.ReadAll(response.Body)',
    'fmt.Println(response.StatusCode, string(text))',
  ];
  const imports = packages.map((name) => `\t"${name}"`).join('\n');
  return `package main\n\nimport (\n${imports}\n)\n\nfunc main() {\n${lines.map((line) => `\t${line}`).join('\n')}\n}`;
}

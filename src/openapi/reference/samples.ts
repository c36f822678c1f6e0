import type { CodeSample } from './operation.ts';
import type { FormField, SampleRequest } from './request.ts';

/** A request in three languages. The only package they need is Python's requests. */
export const samplesOf = (request: SampleRequest): CodeSample[] => [
  { title: 'curl', language: 'bash', code: curl(request) },
  { title: 'JavaScript', language: 'javascript', code: javascript(request) },
  { title: 'Python', language: 'python', code: python(request) },
];

const isMultipart = ({ headers }: SampleRequest): boolean =>
  !headers.some(([name]) => name.toLowerCase() === 'content-type');

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl(request: SampleRequest): string {
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

const encodedForm = (fields: readonly FormField[]): string =>
  new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();

/** A text as a JavaScript literal, which is like JSON except for the quotes. */
const text = (value: string): string => {
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
};

function javascript(request: SampleRequest): string {
  const { method, url, headers, body } = request;
  const lines: string[] = [];
  const options = method === 'GET' ? [] : [`  method: ${text(method)},`];
  if (headers.length > 0) {
    options.push('  headers: {', ...headers.map(([name, value]) => `    ${text(name)}: ${text(value)},`), '  },');
  }
  if (body?.kind === 'json') options.push(`  body: JSON.stringify(${indented(javascriptValue(body.value, 0))}),`);
  else if (body?.kind === 'text') options.push(`  body: ${text(body.value)},`);
  else if (body?.kind === 'form') {
    const isForm = isMultipart(request);
    lines.push(isForm ? 'const form = new FormData();' : 'const form = new URLSearchParams();');
    for (const { name, value, isFile } of body.fields) {
      lines.push(
        `form.append(${text(name)}, ${isFile && isForm ? `new Blob(['...']), ${text(value)}` : text(value)});`,
      );
    }
    lines.push('');
    options.push('  body: form,');
  }
  const call = options.length === 0 ? `fetch(${text(url)})` : `fetch(${text(url)}, {\n${options.join('\n')}\n})`;
  return [...lines, `const response = await ${call};`, 'console.log(response.status, await response.text());'].join(
    '\n',
  );
}

const indented = (code: string): string => code.replaceAll('\n', '\n  ');

function javascriptValue(value: unknown, depth: number): string {
  return structured(value, depth, {
    key(name) {
      if (name === '__proto__') return "['__proto__']";
      return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
    },
    scalar: (inner) => (typeof inner === 'string' ? text(inner) : JSON.stringify(inner)),
  });
}

interface Style {
  key(name: string): string;
  scalar(value: unknown): string;
}

/** A JSON value as a literal of a language with the same notation for lists and fields as JavaScript. */
function structured(value: unknown, depth: number, style: Style): string {
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

/** A text as a Python literal, which has the same escapes as JSON. */
const pythonText = (value: string): string => JSON.stringify(value).replaceAll('\u007F', String.raw`\u007f`);

const pythonWords = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

function python(request: SampleRequest): string {
  const { method, url, headers, body } = request;
  const call = [`    ${pythonText(method)},`, `    ${pythonText(url)},`];
  if (headers.length > 0) {
    call.push(
      '    headers={',
      ...headers.map(([name, value]) => `        ${pythonText(name)}: ${pythonText(value)},`),
      '    },',
    );
  }
  if (body?.kind === 'json') {
    const literal = structured(body.value, 0, {
      key: pythonText,
      scalar: (inner) =>
        pythonWords.get(inner) ?? (typeof inner === 'string' ? pythonText(inner) : JSON.stringify(inner)),
    });
    call.push(`    json=${literal.replaceAll('\n  ', '\n    ').replaceAll(/\n(?=[\]}])/g, '\n    ')},`);
  } else if (body?.kind === 'text') call.push(`    data=${pythonText(body.value)}.encode(),`);
  else if (body?.kind === 'form') call.push(...pythonForm(body.fields, isMultipart(request)));
  return `import requests\n\nresponse = requests.request(\n${call.join('\n')}\n)\nprint(response.status_code, response.text)`;
}

function pythonForm(fields: readonly FormField[], isForm: boolean): string[] {
  if (!isForm)
    return [
      '    data=[',
      ...fields.map(({ name, value }) => `        (${pythonText(name)}, ${pythonText(value)}),`),
      '    ],',
    ];
  // A file without a name is sent as a form field.
  const parts = fields.map(
    ({ name, value, isFile }) =>
      `        (${pythonText(name)}, ${isFile ? `open(${pythonText(value)}, "rb")` : `(None, ${pythonText(value)})`}),`,
  );
  return ['    files=[', ...parts, '    ],'];
}

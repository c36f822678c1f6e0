import type { FormField, SampleRequest } from '../request.ts';
import { isMultipart, structured } from './parts.ts';

/** A text as a Python literal, which has the same escapes as JSON. */
const pythonText = (value: string): string => JSON.stringify(value).replaceAll('\u007F', String.raw`\u007f`);

const pythonWords = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

export function python(request: SampleRequest): string {
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

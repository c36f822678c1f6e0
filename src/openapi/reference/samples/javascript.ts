import type { SampleRequest } from '../request.ts';
import { isMultipart, structured } from './parts.ts';

/** A text as a JavaScript literal, which is like JSON except for the quotes. */
const text = (value: string): string => {
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
};

export function javascript(request: SampleRequest): string {
  const { method, url, headers, body } = request;
  const lines: string[] = [];
  const options = method === 'GET' ? [] : [`  method: ${text(method)},`];
  if (headers.length > 0)
    options.push('  headers: {', ...headers.map(([name, value]) => `    ${text(name)}: ${text(value)},`), '  },');
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

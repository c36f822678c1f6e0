import type { SampleRequest } from '../request.ts';
import { partsOf, textBody } from './parts.ts';

/** In single quotes, only the quote and the backslash are special. */
const phpText = (value: string): string => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** With the extension curl, which most installations have. */
export function php(request: SampleRequest): string {
  const { method, url, headers } = request;
  const body = textBody(request);
  const parts = partsOf(request).map(
    ({ name, value, isFile }) =>
      `        ${phpText(name)} => ${isFile ? `new CURLFile(${phpText(value)})` : phpText(value)},`,
  );
  const options = [
    `    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
    ...(method === 'HEAD' ? ['    CURLOPT_NOBODY => true,'] : []),
    ...(headers.length > 0
      ? [
          '    CURLOPT_HTTPHEADER => [',
          ...headers.map(([name, value]) => `        ${phpText(value === '' ? `${name};` : `${name}: ${value}`)},`),
          '    ],',
        ]
      : []),
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => ${phpText(body)},`]),
    ...(parts.length > 0 ? ['    CURLOPT_POSTFIELDS => [', ...parts, '    ],'] : []),
    '    CURLOPT_RETURNTRANSFER => true,',
  ];
  return [
    '<?php',
    '',
    `$request = curl_init(${phpText(url)});`,
    'curl_setopt_array($request, [',
    ...options,
    ']);',
    '$text = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $text, PHP_EOL;",
  ].join('\n');
}

import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { isObject } from '../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../shared/yaml.ts';

/**
 * Changes the redirects in a `.gitbook.yaml`, and keeps everything else as it is written.
 *
 * @param changes targets by source; undefined removes a redirect
 * @returns undefined if the redirects are written in a form that cannot be changed
 */
export function withRedirects(text: string, changes: ReadonlyMap<string, string | undefined>): string | undefined {
  const before = redirectsIn(text);
  if (before === undefined) return undefined;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  let start = lines.findIndex((line) => /^redirects:[ \t]*(?:\{\}[ \t]*)?(?:#.*)?$/.test(line));
  if (start === -1) {
    if (/^redirects[ \t]*:/m.test(text)) return undefined;
    while (lines.at(-1) === '') lines.pop();
    start = lines.push('redirects:') - 1;
    lines.push('');
  } else lines[start] = (lines[start] ?? '').replace('{}', '').trimEnd();
  const indent = /^[ \t]+/.exec(lines[start + 1] ?? '')?.[0] ?? '  ';
  const open = new Map(changes);
  const body = lines.slice(start + 1).flatMap((line) => {
    const key = keyOf(line);
    if (key === undefined || !open.has(key)) return [line];
    const target = open.get(key);
    open.delete(key);
    return target === undefined ? [] : [`${indent}${spell(key)}: ${spell(target)}`];
  });
  const added = [...open].flatMap(([source, target]) =>
    target === undefined ? [] : [`${indent}${spell(source)}: ${spell(target)}`],
  );
  const result = [...lines.slice(0, start + 1), ...added, ...body].join(end);
  const expected = new Map<string, unknown>([...before, ...changes]);
  for (const [source, target] of changes) if (target === undefined) expected.delete(source);
  return isDeepStrictEqual(redirectsIn(result), expected) ? result : undefined;
}

/** Undefined if the text is not valid. */
function redirectsIn(text: string): Map<string, unknown> | undefined {
  try {
    const value = readYaml(text) ?? {};
    if (!isObject(value)) return undefined;
    return new Map(isObject(value.redirects) ? Object.entries(value.redirects) : []);
  } catch (error) {
    if (error instanceof UnreadableYaml) return undefined;
    throw error;
  }
}

function keyOf(line: string): string | undefined {
  const [, double, single, plain] = /^\s+(?:"([^"]*)" *:|'([^']*)' *:|([^\s"'#:][^:]*):)(?:\s|$)/.exec(line) ?? [];
  return double ?? single ?? plain?.trim();
}

/** Quoted unless it is certainly plain text in YAML. */
const spell = (text: string): string =>
  /^[a-z][\w./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) ? text : JSON.stringify(text);

/** The redirects in the form that the platform imports. */
export function redirectsCsv(redirects: readonly { source: string; destination: string }[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = redirects.map(({ source, destination }) => `${cell(source)},${cell(destination)}\n`);
  return `source,destination\n${rows.join('')}`;
}

/** A redirect that a site has already, according to a file. */
export interface KnownRedirect {
  source: string;
  destination: string;
  file: string;
  line: number;
}

/** Reads such a file. @throws Error if it has no columns source and destination */
export function readRedirectsCsv(text: string, file: string): KnownRedirect[] {
  const options = { bom: true, columns: true, info: true, skipEmptyLines: true, trim: true } as const;
  const rows: { record: Record<string, string>; info: { lines: number } }[] = parse(text, options);
  return rows.map(({ record: { source, destination }, info: { lines: line } }) => {
    if (!source || !destination) throw new Error(`line ${line} has no source or no destination`);
    return { source, destination, file, line };
  });
}

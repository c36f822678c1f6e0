import { appendFileSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { randomPartsOf, templateOf, type Template, withParts } from './random-parts.ts';

/** Headers that could hold a token are not recorded. */
const recordedHeaders = new Set(['content-type', 'location', 'retry-after', 'allow']);

/** One request and its response: a line of a recording. Only what could be sent as a response is valid. */
const Recorded = z.object({
  method: z.string(),
  path: z.string(),
  query: z.optional(z.string()),
  /** Address of the service that answered, which its answers name. */
  base: z.optional(z.string().check(z.minLength(1))),
  body: z.optional(z.string()),
  status: z.int().check(z.gte(200), z.lte(599)),
  headers: z._default(
    z.record(
      z.string().check(z.refine((name) => recordedHeaders.has(name))),
      z.string().check(z.regex(/^[\t\x20-\x7e]*$/)),
    ),
    {},
  ),
  answer: z.string(),
  /** Whether `answer` is Base64. */
  binary: z.optional(z.literal(true)),
});
type Recorded = z.output<typeof Recorded>;

/** Appends each request with its response to a file. */
export function createRecorder(file: string) {
  appendFileSync(file, '', { mode: 0o600 });
  return (request: InstanceRequest, response: InstanceResponse, base?: string): void => {
    const query = request.query.toString();
    const body = textOf(request.body);
    const line: Recorded = {
      method: request.method,
      path: request.path,
      ...(base === undefined ? {} : { base }),
      ...(query === '' ? {} : { query }),
      ...(body === '' ? {} : { body }),
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => recordedHeaders.has(name))),
      ...(typeof response.body === 'string'
        ? { answer: response.body }
        : { answer: Buffer.from(response.body).toString('base64'), binary: true }),
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
}

export class InvalidRecording extends Error {}

export interface Replay {
  /** @param base address of the service now */
  answer(request: InstanceRequest, base?: string): InstanceResponse;
  /** Numbers of the lines that are not recorded requests; they are skipped. */
  skipped: number[];
}

/**
 * Answers from a recording. The same request gets its recorded responses in their order, and the last one from then on.
 * Random parts of a request, such as dates and UUIDs, may have other values than in the recording; the answers have those
 * values, too.
 *
 * @throws InvalidRecording if no line of the file is a recorded request
 */
export function createReplay(file: string): Replay {
  const { lines, skipped } = readRecording(file);
  if (lines.length === 0 && skipped.length > 0)
    throw new InvalidRecording(`${file} is not a recording of serve --record.`);
  const made = madeByService(lines);
  const responses = Map.groupBy(
    lines.map((recorded): Entry => ({ recorded, template: templateOf(keyOf(recorded), made), isUsed: false })),
    ({ template }) => template.text,
  );
  /** What the random parts of the recording are now. */
  const values = new Map<string, string>();
  const answer = (request: InstanceRequest, base?: string): InstanceResponse => {
    const { method, path, query } = request;
    const key = keyOf({ method, path, query: query.toString(), body: textOf(request.body), base });
    const template = templateOf(key, made);
    const entry = nextOf(responses.get(template.text) ?? [], template);
    if (!entry) return notRecorded(request, differenceTo(lines, request, base));
    entry.isUsed = true;
    for (const [index, part] of entry.template.parts.entries()) values.set(part, template.parts[index] ?? part);
    return responseOf(entry.recorded, (text) => withBase(withParts(text, values), entry.recorded.base, base));
  };
  return { answer, skipped };
}

/** A recorded request that may be answered. */
interface Entry {
  recorded: Recorded;
  template: Template;
  isUsed: boolean;
}

/** Of the entries with a request's template, the next with the same values, else the next. */
function nextOf(entries: readonly Entry[], { parts }: Template): Entry | undefined {
  const equal = entries.filter(({ template }) => template.parts.every((part, index) => part === parts[index]));
  const candidates = equal.length > 0 ? equal : entries;
  return candidates.find(({ isUsed }) => !isUsed) ?? candidates.at(-1);
}

function readRecording(file: string): { lines: Recorded[]; skipped: number[] } {
  const lines: Recorded[] = [];
  const skipped: number[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const recorded = parse(line);
    if (recorded) lines.push(recorded);
    else skipped.push(index + 1);
  }
  return { lines, skipped };
}

/** Tells the parts that the service made, such as ids and times: a request that has one means the object with it. */
function madeByService(lines: readonly Recorded[]): (part: string) => boolean {
  const ofClient = new Set<string>();
  const ofService = new Set<string>();
  for (const recorded of lines) {
    for (const part of randomPartsOf(keyOf(recorded))) if (!ofService.has(part)) ofClient.add(part);
    if (recorded.binary) continue;
    for (const part of randomPartsOf(recorded.answer)) if (!ofClient.has(part)) ofService.add(part);
  }
  return (part) => ofService.has(part);
}

function responseOf({ status, headers, answer, binary }: Recorded, renew: (text: string) => string): InstanceResponse {
  const renewed = Object.entries(headers).map(([name, value]) => [name, renew(value)]);
  return { status, headers: Object.fromEntries(renewed), body: binary ? renewFile(answer, renew) : renew(answer) };
}

/** The text of a JSON file in Base64. */
function jsonIn(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString();
  return text.startsWith('{') ? text : undefined;
}

function renewFile(base64: string, renew: (text: string) => string): Buffer {
  const json = jsonIn(base64);
  return json === undefined ? Buffer.from(base64, 'base64') : Buffer.from(renew(json));
}

/** What a request and a recorded one must have in common. */
function keyOf({ method, path, query = '', body = '', base }: Omit<Recorded, 'status' | 'headers' | 'answer'>): string {
  const fields = [...new URLSearchParams(query)].map((field) => field.map((text) => withBase(text, base, '')));
  // What a push knows is in a file of JSON, which has random parts, too.
  const readable = body.replaceAll(/(?<="base64":")e[^"]*/g, (file) => jsonIn(file) ?? file);
  // The body is not quoted, so that a multipart body can be recognized by its start.
  return `${withBase(readable, base, '')}\n${JSON.stringify([method, path, fields])}`;
}

const withBase = (text: string, from: string | undefined, to: string | undefined): string =>
  from === undefined || to === undefined ? text : text.replaceAll(from, () => to);

function parse(line: string): Recorded | undefined {
  try {
    return Recorded.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const textOf = (body: InstanceRequest['body']) =>
  body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString();

const notRecorded = ({ method, path }: InstanceRequest, difference: string): InstanceResponse => ({
  status: 404,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    error: {
      code: 404,
      reason: 'not-found',
      message: `${method} ${path} with this query and body is not in the recording.${difference}`,
    },
  }),
});

/** Where a request differs from the recorded one of the same address that is most like it. */
function differenceTo(lines: readonly Recorded[], { method, path, query, body }: InstanceRequest, base?: string) {
  const here = keyOf({ method, path, query: query.toString(), body: textOf(body), base });
  const alike = lines
    .filter((recorded) => recorded.method === method && recorded.path === path)
    .map((recorded) => ({ recorded: keyOf(recorded), length: commonStart(here, keyOf(recorded)) }))
    .toSorted((a, b) => b.length - a.length)[0];
  if (!alike) return '';
  const excerpt = (text: string) => {
    // The body is one line, the address and the query another.
    const start = Math.max(text.lastIndexOf('\n', alike.length - 1) + 1, alike.length - 20);
    return JSON.stringify(text.slice(start, alike.length + 40).split('\n')[0]);
  };
  return ` Recorded is ${excerpt(alike.recorded)}, this one has ${excerpt(here)}.`;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

import * as z from 'zod/mini';
import { Change } from '../organization/plan/change.ts';
import { linesIn, UnreadableState } from '../organization/state/state.ts';
import { isObject } from '../shared/is-object.ts';
import { payloadHash, readPayload, type PackedFile, type Payload } from './payload.ts';

/** A page that contains this much text is not filled any further. */
const maxPageText = 300_000;

const proposalPage = (number: number) => `Proposal ${number}`;
const filesPage = (number: number, part: number) => `Proposal ${number}, files ${part}`;
const reportPage = (number: number, part: number) => `Proposal ${number}, rehearsal ${part}`;

const items = {
  requests: z.object({
    method: z.string(),
    path: z.string(),
    body: z.optional(z.unknown()),
    status: z.optional(z.number()),
  }),
  changes: Change,
  access: z.object({
    member: z.string(),
    space: z.string(),
    before: z.nullable(z.string()),
    after: z.nullable(z.string()),
  }),
  brokenLinks: z.object({ space: z.string(), page: z.string(), target: z.string() }),
  /** Hashes of what the digest is made of, by name. */
  parts: z.tuple([z.string(), z.string()]),
};
type Lists = { -readonly [Name in keyof typeof items]: z.output<(typeof items)[Name]>[] };

/** What the author saw in the rehearsal. Everybody who can edit the change request can edit it, so no decision depends on it. */
export interface StoredReport extends Lists {
  notChecked: Record<string, number>;
  digest: string;
  /** Whether an administrator rehearsed it, who sees everything. */
  isComplete: boolean;
}

const block = (lines: readonly string[]) => ['```json', ...lines, '```', ''].join('\n');

/** Puts lines on as few pages as their length allows. */
function inPages(lines: readonly string[]): string[] {
  const pages: string[][] = [];
  let length = Infinity;
  for (const line of lines) {
    if (length + line.length > maxPageText) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)?.push(line);
    length += line.length;
  }
  return pages.map(block);
}

/** The pages of a proposal by title. */
export function pagesOf(number: number, { files, ...head }: Payload, report: StoredReport): Map<string, string> {
  const fileTexts = inPages(files.flatMap((file) => [...fileLines(file)]));
  const { requests, changes, access, brokenLinks, parts, ...rest } = report;
  const reportTexts = inPages([
    JSON.stringify(['report', rest]),
    ...Object.entries({ requests, changes, access, brokenLinks, parts }).flatMap(([name, list]) =>
      list.map((item) => JSON.stringify([name, item])),
    ),
  ]);
  return new Map([
    [proposalPage(number), block([JSON.stringify({ ...head, filePages: fileTexts.length })])],
    ...fileTexts.map((text, index) => [filesPage(number, index + 1), text] as const),
    ...reportTexts.map((text, index) => [reportPage(number, index + 1), text] as const),
  ]);
}

/** Long lines would make pages that nobody can read or compare. */
const maxLine = 100_000;

function* fileLines({ path, text, base64 }: PackedFile): Generator<string> {
  const value = text ?? base64 ?? '';
  const kind = text === undefined ? 'base64' : 'text';
  let start = 0;
  do {
    let stop = Math.min(start + maxLine, value.length);
    // A pair of surrogates stays together.
    if (/[\uD800-\uDBFF]/.test(value[stop - 1] ?? '') && stop < value.length) stop -= 1;
    yield JSON.stringify([path, kind, value.slice(start, stop)]);
    start = stop;
  } while (start < value.length);
}

export interface ReadProposal {
  payload: Payload;
  hash: string;
  report: StoredReport | undefined;
}

/** The titles of the pages that a proposal may have. */
export const isProposalPage = (number: number, title: string): boolean =>
  title === proposalPage(number) || title.startsWith(`${proposalPage(number)}, `);

/** The proposal in its pages; undefined if they are not those of one. */
export function readPages(number: number, pages: ReadonlyMap<string, string>): ReadProposal | undefined {
  try {
    const first = pages.get(proposalPage(number));
    const [head] = first === undefined ? [] : linesIn(proposalPage(number), first);
    if (!isObject(head)) return undefined;
    const { filePages, ...members } = head;
    const files: PackedFile[] = [];
    for (let part = 1; part <= Number(filePages); part += 1) {
      const text = pages.get(filesPage(number, part));
      if (text === undefined) return undefined;
      for (const line of linesIn(filesPage(number, part), text)) addLine(files, line);
    }
    const payload = readPayload({ ...members, files });
    return payload && { payload, hash: payloadHash(payload), report: readReport(number, pages) };
  } catch (error) {
    if (error instanceof UnreadableState) return undefined;
    throw error;
  }
}

function addLine(files: PackedFile[], line: unknown): void {
  const [path, kind, value] = Array.isArray(line) ? line.map(String) : [];
  if (path === undefined || value === undefined || (kind !== 'text' && kind !== 'base64'))
    throw new UnreadableState('it has a line that is not a file');
  const last = files.at(-1);
  if (last?.path === path && last[kind] !== undefined) last[kind] += value;
  else files.push({ path, [kind]: value });
}

function readReport(number: number, pages: ReadonlyMap<string, string>): StoredReport | undefined {
  const values = new Map<string, unknown[]>();
  for (let part = 1; ; part += 1) {
    const text = pages.get(reportPage(number, part));
    if (text === undefined) break;
    for (const line of linesIn(reportPage(number, part), text)) {
      const [name, value]: unknown[] = Array.isArray(line) ? line : [];
      const list = values.get(String(name)) ?? [];
      list.push(value);
      values.set(String(name), list);
    }
  }
  const [rest] = values.get('report') ?? [];
  if (!isObject(rest) || typeof rest['digest'] !== 'string') return undefined;
  const notChecked = isObject(rest['notChecked'])
    ? Object.fromEntries(Object.entries(rest['notChecked']).map(([what, count]) => [what, Number(count)]))
    : {};
  // Somebody may have edited the pages: items of another form are left out.
  const listOf = <Item>(name: keyof Lists, schema: z.ZodMiniType<Item>): Item[] =>
    (values.get(name) ?? []).flatMap((value) => {
      const { data } = schema.safeParse(value);
      return data === undefined ? [] : [data];
    });
  return {
    requests: listOf('requests', items.requests),
    changes: listOf('changes', items.changes),
    access: listOf('access', items.access),
    brokenLinks: listOf('brokenLinks', items.brokenLinks),
    parts: listOf<[string, string]>('parts', items.parts),
    notChecked,
    digest: rest['digest'],
    isComplete: rest['isComplete'] === true,
  };
}
